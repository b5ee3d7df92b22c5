import { type FormEvent, useState } from 'react'
import { formatDecimal } from '../../../shared/decimal.ts'
import type { AccountSummary } from '../../../shared/ipc/account.ts'
import type { Market } from '../../../shared/ipc/markets.ts'
import type { TicketField } from '../../../shared/ticket/check-ticket.ts'
import { readTicket } from '../../../shared/ticket/read-ticket.ts'
import { summariseTicket } from '../../../shared/ticket/summarise-ticket.ts'
import type { TicketState } from '../../../shared/ticket/ticket-state.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { useNavigate } from '../../ui/navigation.tsx'
import { Note } from '../../ui/note.tsx'
import { Row } from '../../ui/panel.tsx'
import { refusedText } from '../../wallet/refused-account.ts'
import { useRefusedAccount } from '../../wallet/wallet-provider.tsx'
import { ExitFields, LeverageFields, SideChoice, SlippageField, ValueField } from './ticket-fields.tsx'
import { cents, mostOpenable, reviewWords } from './ticket-model.ts'
import { TicketOutcome } from './ticket-outcome.tsx'
import { TicketPreview } from './ticket-preview.tsx'
import type { OrderFlow } from './use-order-flow.ts'

interface TicketPanelProps {
  readonly state: TicketState
  readonly market: Market
  readonly mark: string | null
  /** The mark is young enough to refer to. */
  readonly fresh: boolean
  readonly account: AccountSummary | undefined
  /** No key on this computer may prepare orders. */
  readonly keyMissing: boolean
  readonly walletConnected: boolean
  readonly order: OrderFlow
  readonly onEdit: (change: Partial<TicketState>) => void
}

/** Why Review cannot lead anywhere yet, and the one way on. */
function Gate({ keyMissing, walletConnected }: { readonly keyMissing: boolean; readonly walletConnected: boolean }) {
  const navigate = useNavigate()
  const refused = useRefusedAccount()
  if (refused !== null) {
    return (
      <Note tone="warn" icon="account" title="Nothing can be signed with this account.">
        {refusedText(refused).remedy}
      </Note>
    )
  }
  if (!walletConnected) {
    return (
      <Note tone="accent" icon="phone" title="Connect your wallet to trade.">
        <p>Prices are public. An order is signed by your phone, each one.</p>
        <Button size="sm" variant="primary" onClick={() => navigate('connect')}>
          Connect wallet
        </Button>
      </Note>
    )
  }
  if (keyMissing) {
    return (
      <Note tone="accent" icon="key" title="Trading takes an API key.">
        <p>Prices come without one. A bot-ready key reads your account and prepares orders; it rests in the system keychain.</p>
        <Button size="sm" variant="primary" icon="plus" onClick={() => navigate('keys/new')}>
          Make a key
        </Button>
      </Note>
    )
  }
  return null
}

/** The order ticket: a form that Enter reviews. Nothing is sent before the wallet signs. */
export function TicketPanel({ state, market, mark, fresh, account, keyMissing, walletConnected, order, onEdit }: TicketPanelProps) {
  const [touched, setTouched] = useState<ReadonlySet<TicketField>>(new Set())
  const [pressed, setPressed] = useState(false)
  const free = account?.freeMargin ?? null
  const { errors, ticket } = readTicket(state, market, mark, free)
  const summary = summariseTicket(state, market, mark, free)
  const most = mostOpenable(account, market, state.leverage)
  const gated = keyMissing || !walletConnected

  const touch = (field: TicketField) => setTouched((before) => new Set(before).add(field))
  const errorAt = (field: TicketField) => errors.find((error) => error.field === field && (pressed || (touched.has(field) && !error.untouched)))
  const edit = (change: Partial<TicketState>) => {
    order.clearOutcome()
    setPressed(false)
    onEdit(change)
  }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    setPressed(true)
    if (order.preparing || gated || !fresh) return
    if (ticket !== null) {
      void order.review(ticket)
      return
    }
    const first = errors[0]
    const ids: Readonly<Record<TicketField, string>> = {
      leverage: 'leverage',
      limitPrice: 'limit-price',
      triggerPrice: 'trigger-price',
      orderValue: 'order-value',
      slippage: 'slippage',
      postOnly: 'post-only',
      takeProfit: 'take-profit',
      stopLoss: 'stop-loss',
      clientOrderId: 'client-order-id',
      referencePrice: 'order-value',
    }
    if (first !== undefined) document.getElementById(ids[first.field])?.focus()
  }
  const fields = { state, market, edit, errorAt, touch }
  const prepared = order.open?.prepared ?? null
  const price = market.priceDecimals === null ? {} : { decimals: market.priceDecimals }
  return (
    <section className="ticket" aria-label="Order ticket">
      <form className="t-form" onSubmit={submit} noValidate>
        <div className="t-top">
          <h2>Market order</h2>
          <span className="muted">No ETH needed</span>
        </div>
        <div className="t-body">
          <SideChoice state={state} edit={edit} />
          <LeverageFields {...fields} />
          <ValueField {...fields} summary={summary} most={most} free={free} />
          <SlippageField
            {...fields}
            worst={summary?.worstPrice == null ? null : `${state.side === 'long' ? 'at most' : 'at least'} ${formatDecimal(summary.worstPrice, price)}`}
          />
          <ExitFields {...fields} summary={summary} />
          <TicketPreview
            market={market}
            mark={mark}
            account={account}
            summary={summary}
            simulation={prepared?.simulation ?? []}
            costs={
              <Row name="Fee and network">
                {prepared === null || prepared.costs.length === 0 ? (
                  <span className="muted">told on review</span>
                ) : (
                  <>
                    {prepared.costs.map((cost) => (cost.amount === null ? '—' : cents(cost.amount))).join(' + ')}{' '}
                    <span className="muted">{prepared.costs[0]?.unit}</span>
                  </>
                )}
              </Row>
            }
          />
        </div>
        <div className="t-foot">
          {gated ? <Gate keyMissing={keyMissing} walletConnected={walletConnected} /> : <TicketOutcome order={order} market={market} mark={mark} />}
          <Button
            type="submit"
            size="lg"
            block
            variant={state.side}
            busy={order.preparing}
            disabled={gated || mark === null || !fresh}
            {...(order.preparing ? {} : { icon: state.side === 'long' ? 'arrow-up-right' : ('arrow-down-right' as const) })}
          >
            {order.preparing ? 'Preparing' : reviewWords(state.side, ticket?.orderValueUsdc ?? null)}
          </Button>
          <p className={fresh ? undefined : 'warn-t'}>
            <Icon name={fresh ? 'lock' : 'clock'} size={14} />
            {fresh ? 'Nothing is sent before your wallet signs.' : 'The price is old. Reviewing waits for a fresh one.'}
          </p>
        </div>
      </form>
    </section>
  )
}
