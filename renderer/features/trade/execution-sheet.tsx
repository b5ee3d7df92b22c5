import { useRef, useState } from 'react'
import { formatDecimal } from '../../../shared/decimal.ts'
import type { Failure } from '../../../shared/ipc/failure.ts'
import type { Intent } from '../../../shared/ipc/intents/orders.ts'
import type { DelegatedTicket } from '../../../shared/ipc/intents/tickets.ts'
import type { Market } from '../../../shared/ipc/reads/markets.ts'
import type { Result } from '../../../shared/result.ts'
import { reasonText } from '../../../shared/text/reason-text.ts'
import { titleText } from '../../../shared/text/title-text.ts'
import { delegatedTitle } from '../../../shared/ticket/delegated/delegated-payload.ts'
import { useIpcCall, useIpcQuery } from '../../ipc/use-ipc.ts'
import { Button } from '../../kit/button.tsx'
import { useNavigate } from '../../kit/layout/navigation.tsx'
import { Note } from '../../kit/layout/note.tsx'
import { Row, Rows } from '../../kit/layout/panel.tsx'
import { IntentState } from '../../kit/layout/state.tsx'
import { ShownAmounts } from '../../kit/number.tsx'
import overlayStyles from '../../kit/overlay/overlay.module.css'
import { ScrollPart, Sheet, SheetFoot } from '../../kit/overlay/sheet.tsx'
import textStyles from '../../kit/text.module.css'
import { ServiceWord } from '../../kit/visible-text.tsx'
import { ExecutionItems } from '../../parts/execution-items.tsx'
import { FailureNote } from '../../parts/failure-note.tsx'
import { useNaming } from '../../parts/name-offer.tsx'
import partsStyles from '../../parts/parts.module.css'
import { isTerminal } from '../../signing/progress/intent-path.ts'
import { FillResult } from '../../signing/sheet/signing-fill.tsx'
import { useNewest } from '../../signing/sheet/use-signing.ts'
import { kitText } from '../../text/en/kit.en.tsx'
import { tradeText } from '../../text/en/trade.en.tsx'
import styles from './batch/batch.module.css'
import { itemDetail, pairOfItem, ticketAt } from './batch/batch-form.ts'

interface ExecutionSheetProps {
  readonly execution: ExecutionFlow
  readonly markets: readonly Market[]
  readonly markOf: (pairId: number) => string | null
}

/**
 * Shows everything that an executor will do, and asks the user to confirm once. Afterwards, shows each action's outcome. Draws nothing if there is no
 * order.
 */
export function ExecutionSheet({ execution, markets, markOf }: ExecutionSheetProps) {
  if (execution.order === null) return null
  return execution.intent === null ? (
    <Confirm execution={execution} markets={markets} markOf={markOf} />
  ) : (
    <Results execution={execution} reference={execution.intent.ref} />
  )
}

function Confirm({ execution, markets, markOf }: ExecutionSheetProps) {
  const cancel = useRef<HTMLButtonElement>(null)
  const { order, busy, failure } = execution
  if (order === null) return null
  const ticket = ticketAt(order.ticket, markOf)
  const items = ticket.action === 'batch' ? ticket.items : [ticket]
  return (
    <ShownAmounts>
      <Sheet
        title={tradeText.executeActions(items.length)}
        lead={tradeText.executionLead}
        icon="chip"
        onClose={execution.close}
        initialFocus={cancel}
        className={styles.exec}
      >
        <ScrollPart className={overlayStyles.sheetBody}>
          <p>{tradeText.executorWillDo(order.executor, items.length)}</p>
          <ol className={partsStyles.executionItems} aria-label={tradeText.executorActions}>
            {items.map((item, index) => {
              const pairId = pairOfItem(item)
              const market = markets.find(({ id }) => id === pairId)
              const atMarket =
                'referencePrice' in item ? item.referencePrice : 'order' in item && 'referencePrice' in item.order ? item.order.referencePrice : null
              const price =
                atMarket === null ? null : tradeText.atAbout(formatDecimal(atMarket, market?.priceDecimals == null ? {} : { decimals: market.priceDecimals }))
              return (
                // biome-ignore lint/suspicious/noArrayIndexKey: the list does not change while it is confirmed
                <li key={index}>
                  <span className={partsStyles.position}>{index + 1}</span>
                  <div className={textStyles.grow}>
                    <p>{titleText(delegatedTitle(item, market?.priceDecimals ?? null))}</p>
                    <p className={textStyles.muted}>
                      {kitText.listed([itemDetail(item, market), price].filter((part) => part !== null).filter((part) => part !== ''))}
                    </p>
                  </div>
                </li>
              )
            })}
          </ol>
          <Rows>
            <Row name={tradeText.key}>{order.keyLabel ?? tradeText.keyChosenByApp}</Row>
            <Row name={tradeText.executor}>
              {order.executor === null ? (
                <span className={textStyles.muted}>{order.keyLabel === null ? tradeText.executorBoundToKey : tradeText.noExecutorKnown}</span>
              ) : (
                <code>{order.executor}</code>
              )}
            </Row>
          </Rows>
          <Note tone="warn" title={tradeText.cannotUndo}>
            {tradeText.cannotUndoHelp}
          </Note>
          {failure === null ? null : <ExecutionFailure failure={failure} onAgain={() => void execution.carryOut(ticket)} />}
        </ScrollPart>
        <SheetFoot verdict={<span className={textStyles.muted}>{tradeText.neverExecutesTwice}</span>}>
          <Button ref={cancel} onClick={execution.close}>
            {tradeText.cancel}
          </Button>
          <Button variant="primary" icon="send" busy={busy} onClick={() => void execution.carryOut(ticket)}>
            {tradeText.execute}
          </Button>
        </SheetFoot>
      </Sheet>
    </ShownAmounts>
  )
}

function Results({ execution, reference }: { readonly execution: ExecutionFlow; readonly reference: string }) {
  const navigate = useNavigate()
  const { intent } = execution
  const known = useIpcQuery('intents.execution', { ref: reference }, { every: intent !== null && !isTerminal(intent.state) ? 1_000 : false })
  if (intent === null) return null
  return (
    <ShownAmounts>
      <Sheet
        title={titleText(intent.title)}
        lead={isTerminal(intent.state) ? undefined : tradeText.executionResultLead}
        icon="chip"
        onClose={execution.close}
        closeOnScrim
        className={styles.exec}
        end={<IntentState intent={intent} />}
      >
        <ScrollPart className={overlayStyles.sheetBody}>
          {intent.reason === null ? null : (
            <Note tone={intent.state === 'FINAL' || intent.state === 'CONFIRMING' ? 'warn' : 'danger'}>{reasonText(intent.reason)}</Note>
          )}
          <ExecutionItems items={known.data?.items ?? []} />
          <Rows>
            <Row name={tradeText.command}>
              {intent.commandId === null ? <span className={textStyles.muted}>{tradeText.noneGiven}</span> : <code>{intent.commandId}</code>}
            </Row>
            <Row name={tradeText.serviceState}>
              {known.data?.state == null ? <span className={textStyles.muted}>{tradeText.nothingYet}</span> : <ServiceWord word={known.data.state} />}
            </Row>
            <Row name={tradeText.key}>{known.data?.keyLabel ?? '—'}</Row>
            <Row name={tradeText.executor}>{known.data?.executor ?? '—'}</Row>
          </Rows>
          <FillResult intent={intent} finalAtMs={intent.updatedAtMs} />
        </ScrollPart>
        <SheetFoot verdict={isTerminal(intent.state) ? null : <span className={textStyles.muted}>{tradeText.trackingContinues}</span>}>
          <Button
            onClick={() => {
              execution.close()
              navigate(`activity/${reference}`)
            }}
          >
            {tradeText.openInActivity}
          </Button>
          <Button variant="primary" onClick={execution.close}>
            {tradeText.done}
          </Button>
        </SheetFoot>
      </Sheet>
    </ShownAmounts>
  )
}

interface ExecutionFailureProps {
  readonly failure: Failure
  readonly onAgain: () => void
}

/**
 * Shows why a delegated order failed and, if possible, offers a fix: bind an executor, pick another key, use another field name, or open the order
 * that blocks this one.
 */
export function ExecutionFailure({ failure, onAgain }: ExecutionFailureProps) {
  const navigate = useNavigate()
  const naming = useNaming(onAgain)
  const intentRef = 'intentRef' in failure ? failure.intentRef : null
  const action =
    failure.kind === 'executor_required'
      ? { label: tradeText.bindExecutor, to: failure.keyId === null ? 'keys' : `keys/${encodeURIComponent(failure.keyId)}/executor` }
      : failure.kind === 'api_key_required' || failure.kind === 'scope_missing'
        ? { label: tradeText.newKey, to: 'keys/new' }
        : failure.kind === 'no_wallet'
          ? { label: tradeText.connect, to: 'connect' }
          : intentRef !== null
            ? { label: tradeText.openInActivity, to: `activity/${intentRef}` }
            : null
  return (
    <FailureNote
      failure={failure}
      naming={naming}
      actions={
        action === null ? undefined : (
          <Button size="xs" onClick={() => navigate(action.to)}>
            {action.label}
          </Button>
        )
      }
    />
  )
}

export interface Order {
  readonly ticket: DelegatedTicket
  /** The key whose executor carries out the order. `null`: the main process chooses the key. */
  readonly keyId: string | null
  readonly keyLabel: string | null
  readonly executor: string | null
  readonly onTaken: () => void
}

export type ExecutionFlow = ReturnType<typeof useExecution>

/** The flow of a delegated order, from its confirmation to its end. */
export function useExecution() {
  const call = useIpcCall()
  const [order, setOrder] = useState<Order | null>(null)
  const [busy, setBusy] = useState(false)
  const [answer, setAnswer] = useState<Result<Intent, Failure> | null>(null)
  const sent = answer?.ok ? answer.value : null
  const newest = useNewest(sent)
  const open = (next: Order | null) => {
    setOrder(next)
    setAnswer(null)
  }
  return {
    /** The order to confirm; `null` while the sheet is closed. */
    order,
    /** Whether an order is being sent, even if its sheet was closed meanwhile. Until its answer arrives, no other order can be sent. */
    busy,
    failure: answer === null || answer.ok ? null : answer.failure,
    /** The intent of the sent order; `null` until the order is sent. */
    intent: sent !== null && newest?.ref === sent.ref ? newest : sent,
    open,
    close: () => open(null),
    /** Executes the order after the user has confirmed it once. Doesn't ask the wallet. */
    carryOut: async (ticket: DelegatedTicket): Promise<void> => {
      if (order === null || busy) return
      setBusy(true)
      setAnswer(null)
      const next = await call('intents.execute', { ticket, keyId: order.keyId })
      setBusy(false)
      setAnswer(next)
      if (next.ok) order.onTaken()
    },
  }
}
