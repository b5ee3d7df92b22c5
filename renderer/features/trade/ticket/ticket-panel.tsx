import { type FormEvent, type ReactNode, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { OrderTicket } from '../../../../shared/ipc/intents/tickets.ts'
import type { AccountSummary } from '../../../../shared/ipc/reads/account.ts'
import type { Market } from '../../../../shared/ipc/reads/markets.ts'
import { formIssueText } from '../../../../shared/text/form-text.ts'
import type { TicketField } from '../../../../shared/ticket/check-ticket.ts'
import { checkPayload, payloadText, stateOfTicket } from '../../../../shared/ticket/form/read-payload.ts'
import { presetOf, readTicket, typedEntry, withPreset } from '../../../../shared/ticket/form/read-ticket.ts'
import { summariseTicket, ticketRemarks } from '../../../../shared/ticket/form/summarise-ticket.ts'
import type { TicketState } from '../../../../shared/ticket/form/ticket-state.ts'
import type { SizeFacts } from '../../../../shared/ticket/order-size.ts'
import { type FieldIssue, typedWhole } from '../../../../shared/ticket/typed-number.ts'
import { useIpcCommand, useIpcQuery } from '../../../ipc/use-ipc.ts'
import { Button, IconButton } from '../../../kit/button.tsx'
import controlsStyles from '../../../kit/controls.module.css'
import { cx } from '../../../kit/cx.ts'
import { Icon } from '../../../kit/icons/icon.tsx'
import { keysTitle, pressed, usePageKeys } from '../../../kit/key-bindings.ts'
import { useNavigate } from '../../../kit/layout/navigation.tsx'
import { Note } from '../../../kit/layout/note.tsx'
import panelStyles from '../../../kit/layout/panel.module.css'
import { TabPanel, Tabs } from '../../../kit/layout/tabs.tsx'
import textStyles from '../../../kit/text.module.css'
import { AddressText } from '../../../parts/line-value.tsx'
import { useRefusedAccount } from '../../../signing/wallet/wallet-provider.tsx'
import { refusedText } from '../../../signing/wallet/wallet-state.ts'
import { tradeText } from '../../../text/en/trade.en.tsx'
import styles from '../trade.module.css'
import type { OrderFlow } from '../use-order-flow.ts'
import { TicketForm } from './ticket-form.tsx'
import { mostOpenable, notTaken, reviewWords, type TicketDraft, ticketNotTaken, useOffers } from './ticket-model.ts'
import { TicketOutcome } from './ticket-outcome.tsx'
import { PresetMenu, PresetSheet, usePresets } from './ticket-presets.tsx'
import { RiskSummary, TicketPreview, useRiskPreview } from './ticket-preview.tsx'

interface TicketPanelProps {
  readonly draft: TicketDraft
  readonly market: Market
  readonly mark: string | null
  /** True if the mark price is recent enough for a market order. */
  readonly fresh: boolean
  readonly account: AccountSummary | undefined
  /** Whether no key on this computer may prepare orders. */
  readonly keyMissing: boolean
  readonly walletConnected: boolean
  /** True if an executor carries out the order. The user then confirms in this window instead of in the wallet. */
  readonly byExecutor: boolean
  /** Draws the content above the Review button: who carries out the order. `ticket` is `null` while the ticket is invalid. */
  readonly foot: (ticket: OrderTicket | null) => ReactNode
  readonly order: OrderFlow
}

const orderTypes = [
  { value: 'market', label: tradeText.atMarket },
  { value: 'limit', label: tradeText.limit },
  { value: 'stop', label: tradeText.stop },
] as const

/** The HTML id of each field's control. If a field blocks the review, its control gets the focus. */
const ids: Readonly<Record<TicketField, string>> = {
  leverage: 'leverage',
  limitPrice: 'limit-price',
  triggerPrice: 'trigger-price',
  orderValue: 'order-value',
  slippage: 'slippage',
  takeProfit: 'take-profit',
  stopLoss: 'stop-loss',
  clientOrderId: 'client-order-id',
  referencePrice: 'order-value',
}

/** Moves the focus to the field for the order value. In expert mode, to the payload. */
export const focusValue = (): void => (document.getElementById('payload') ?? document.getElementById(ids.orderValue))?.focus()

/** The order ticket: a form, or a payload edited by hand. Enter starts the review. Nothing is sent before the wallet signs. */
export function TicketPanel({ draft, market, mark, fresh, account, keyMissing, walletConnected, byExecutor, foot, order }: TicketPanelProps) {
  const [touched, setTouched] = useState<ReadonlySet<TicketField>>(new Set())
  const [pressed, setPressed] = useState(false)
  const [managing, setManaging] = useState(false)
  const presets = usePresets()
  const offers = useOffers()
  const expert = useIpcQuery('presets.settings', {}).data?.expert ?? false
  const saveSettings = useIpcCommand('presets.saveSettings')

  const free = account?.freeMargin ?? null
  const form = readTicket(draft.ticket, market, mark, free)
  const text = draft.payload ?? payloadText(draft.ticket, market, mark, free)
  const written = expert ? checkPayload(text, market) : null
  const ticket = written === null ? form.ticket : written.ticket
  /** The state that the fields show: the form's state or, if the user edited the payload by hand, the state that the payload describes. */
  const state = written === null || written.ticket === null ? draft.ticket : stateOfTicket(written.ticket, draft.ticket)
  const summary = written !== null && written.ticket === null ? null : summariseTicket(state, market, mark, free)
  const entry = typedEntry(state, mark)
  const facts: SizeFacts = { entry: entry.ok ? entry.value : null, leverage: typedWhole(state.leverage), freeMargin: free, market }
  const gated = keyMissing || !walletConnected
  const risk = useRiskPreview(ticket, !gated)
  /** A market order must wait for a recent price. Other orders state their own price, and an order under review already has one. */
  const waits = !order.preparing && state.orderType === 'market' && (mark === null || !fresh)

  /** Why the exchange would refuse the ticket's settings, independent of its numbers. */
  const refused = ticketNotTaken(state, offers)

  const errorAt = (field: TicketField) => {
    const error = form.errors.find((one) => one.field === field && (pressed || (touched.has(field) && !one.untouched)))
    return error === undefined ? undefined : formIssueText(error.issue)
  }
  const touch = (field: TicketField) => setTouched((before) => new Set(before).add(field))
  const begin = () => {
    order.clearOutcome()
    setPressed(false)
  }
  const edit = (change: Partial<TicketState>) => {
    begin()
    // An edit in the form replaces a payload edited by hand. If the payload is readable, the form first takes over its values.
    draft.edit(draft.payload === null || !expert ? change : { ...state, ...change })
    if (expert) draft.write(null)
  }
  const toggleExpert = () => {
    if (expert && draft.payload !== null && ticket !== null) {
      draft.edit(state)
      draft.write(null)
    }
    saveSettings.mutate({ expert: !expert })
  }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    // First expand collapsed parts that contain an error, so that the focus can move there.
    flushSync(() => setPressed(true))
    if (order.preparing || gated || waits || refused !== null) return
    if (ticket !== null) {
      void order.review(ticket)
      return
    }
    const [first] = form.errors
    const id = expert ? 'payload' : first === undefined ? null : ids[first.field]
    if (id !== null) document.getElementById(id)?.focus()
  }
  const element = useRef<HTMLFormElement>(null)
  usePageKeys({
    chooseLong: () => edit({ side: 'long' }),
    chooseShort: () => edit({ side: 'short' }),
    typeValue: focusValue,
    review: () => element.current?.requestSubmit(),
  })
  const apply = (preset: Parameters<typeof withPreset>[1]) => {
    edit(withPreset(state, preset, market))
    setManaging(false)
  }

  return (
    <section className={styles.ticket} aria-label={tradeText.orderTicket}>
      <form ref={element} className={styles.ticketForm} onSubmit={submit} noValidate>
        <div className={styles.ticketTop}>
          <Tabs
            id="order-type"
            label={tradeText.orderType}
            tabs={orderTypes.map((tab) => ({ ...tab, why: notTaken('orderTypes', tab.value, offers) }))}
            value={state.orderType}
            onChange={(orderType) => edit({ orderType })}
          />
          <span className={styles.ticketTools}>
            <IconButton icon="terminal" size="xs" label={tradeText.expertMode} aria-pressed={expert} onClick={toggleExpert} />
            <PresetMenu presets={presets} market={market} onApply={apply} onManage={() => setManaging(true)} />
          </span>
        </div>
        <TabPanel id="order-type" value={state.orderType} className={styles.ticketBody}>
          {written === null ? (
            <TicketForm
              fields={{ state, market, offers, edit, errorAt, touch }}
              mark={mark}
              summary={summary}
              facts={facts}
              most={mostOpenable(account, market, state.leverage)}
            />
          ) : (
            <ExpertFields
              market={market}
              text={text}
              written={draft.payload !== null}
              issues={draft.payload === null && !pressed ? [] : written.errors}
              onWrite={(payload) => {
                begin()
                draft.write(payload)
              }}
            />
          )}
          <TicketPreview market={market} account={account} summary={summary} risk={risk} />
        </TabPanel>
        <div className={styles.ticketFoot} data-part="foot">
          {gated ? <Gate keyMissing={keyMissing} walletConnected={walletConnected} /> : <TicketOutcome order={order} market={market} mark={mark} />}
          <TicketRemarks
            remarks={ticket === null ? [] : ticketRemarks(ticket, mark, summary?.margin ?? null, summary?.stopLoss?.pnl ?? null).map(formIssueText)}
          />
          {refused === null ? null : (
            <Note tone="warn" icon="stop" title={refused}>
              {tradeText.chooseWhatIsOffered}
            </Note>
          )}
          <RiskSummary market={market} account={account} summary={summary} risk={risk} />
          {foot(ticket)}
          <Button
            type="submit"
            size="lg"
            block
            variant={state.side}
            busy={order.preparing}
            disabled={gated || waits || refused !== null}
            title={keysTitle('review')}
            {...(order.preparing ? {} : { icon: state.side === 'long' ? 'arrow-up-right' : ('arrow-down-right' as const) })}
          >
            {order.preparing ? tradeText.preparing : reviewWords(state.side, ticket?.orderValueUsdc ?? null)}
          </Button>
          <p className={waits ? textStyles.warn : undefined}>
            <Icon name={waits ? 'clock' : 'lock'} size={14} />
            {waits ? tradeText.priceOldWait : byExecutor ? tradeText.nothingSentUntilConfirmed : tradeText.nothingSentUntilSigned}
          </p>
        </div>
      </form>
      {managing ? (
        <PresetSheet
          presets={presets}
          market={market}
          make={(name) => presetOf(state, name, market, mark, free)}
          onApply={apply}
          onClose={() => setManaging(false)}
        />
      ) : null}
    </section>
  )
}

/** Warns about choices that are allowed but rarely intended. */
function TicketRemarks({ remarks }: { readonly remarks: readonly string[] }) {
  if (remarks.length === 0) return null
  return (
    <ul className={styles.ticketRemarks} aria-label={tradeText.remarks}>
      {remarks.map((remark) => (
        <li key={remark}>
          <Icon name="warn" size={14} />
          {remark}
        </li>
      ))}
    </ul>
  )
}

/** Shown if Review is unavailable: why, and the one thing that the user can do. */
function Gate({ keyMissing, walletConnected }: { readonly keyMissing: boolean; readonly walletConnected: boolean }) {
  const navigate = useNavigate()
  const refused = useRefusedAccount()
  if (refused !== null) {
    return (
      <Note tone="warn" icon="account" title={tradeText.accountCannotSign}>
        <AddressText text={refusedText(refused).remedy} picture={false} />
      </Note>
    )
  }
  if (!walletConnected) {
    return (
      <Note tone="accent" icon="phone" title={tradeText.connectToTrade}>
        <p>{tradeText.connectToTradeHelp}</p>
        <Button size="sm" variant="primary" onClick={() => navigate('connect')}>
          {tradeText.connectWallet}
        </Button>
      </Note>
    )
  }
  if (keyMissing) {
    return (
      <Note tone="accent" icon="key" title={tradeText.tradingNeedsKey}>
        <p>{tradeText.tradingNeedsKeyHelp}</p>
        <Button size="sm" variant="primary" icon="plus" onClick={() => navigate('keys/new')}>
          {tradeText.createKey}
        </Button>
      </Note>
    )
  }
  return null
}

interface ExpertProps {
  readonly market: Market
  readonly text: string
  /** True if the user edited the payload by hand, so that it no longer follows the form. */
  readonly written: boolean
  readonly issues: readonly FieldIssue<string>[]
  readonly onWrite: (text: string | null) => void
}

/** An editor for the order's payload, with the same checks as the form. */
function ExpertFields({ market, text, written, issues, onWrite }: ExpertProps) {
  return (
    <div className={cx(controlsStyles.field, styles.ticketExpert)}>
      <label className={controlsStyles.label} htmlFor="payload">
        {tradeText.payload}
        <span className={panelStyles.end}>{market.symbol}</span>
      </label>
      <textarea
        id="payload"
        className={styles.ticketJson}
        rows={15}
        spellCheck={false}
        value={text}
        aria-invalid={issues.length > 0 || undefined}
        aria-describedby="payload-help"
        onChange={(event) => onWrite(event.target.value)}
        // Freeze the text on focus. Otherwise a price update would change it while the user types.
        onFocus={() => written || onWrite(text)}
        onKeyDown={(event) => {
          if (pressed(event, 'review') === null) return
          event.preventDefault()
          event.currentTarget.form?.requestSubmit()
        }}
      />
      <div id="payload-help" role={issues.length === 0 ? undefined : 'alert'}>
        {issues.length === 0 ? (
          <p className={controlsStyles.help}>{tradeText.payloadHelp}</p>
        ) : (
          <ul className={styles.ticketIssues}>
            {issues.map(({ field, issue }) => (
              <li key={`${field} ${issue[0]}`}>
                {field === '' ? null : (
                  <>
                    <code>{field}</code>:{' '}
                  </>
                )}
                {formIssueText(issue)}
              </li>
            ))}
          </ul>
        )}
      </div>
      {written ? (
        <Button size="xs" icon="undo" onClick={() => onWrite(null)}>
          {tradeText.resetToForm}
        </Button>
      ) : null}
    </div>
  )
}
