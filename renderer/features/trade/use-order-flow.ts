import { type ReactNode, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { Failure } from '../../../shared/ipc/failure.ts'
import type { PreparedOrder } from '../../../shared/ipc/intents/orders.ts'
import type { OrderTicket } from '../../../shared/ipc/intents/tickets.ts'
import { ok, type Result } from '../../../shared/result.ts'
import { repriced } from '../../../shared/ticket/actions/replace-ticket.ts'
import { useIpcCall, useIpcQuery } from '../../ipc/use-ipc.ts'
import { pressed } from '../../kit/key-bindings.ts'
import { usePlace } from '../../kit/layout/navigation.tsx'
import { isTerminal } from '../../signing/progress/intent-path.ts'
import { useIntentSigning } from '../../signing/sheet/use-signing.ts'
import { hasMore, isUnderWay, offersNext, type StepsAt, stepIntent, stepsAt } from './order-steps.ts'

/** What the ticket shows beside the Review button if a review opened no signing sheet. */
export type TicketOutcome =
  | { readonly kind: 'failed'; readonly failure: Failure; readonly ticket: OrderTicket | null }
  /** The service answered HTTP 200 but the order is not executable (orders/prepare). This is an outcome, not an error. */
  | { readonly kind: 'not_executable'; readonly prepared: PreparedOrder }

interface Opened {
  /** The order as the sheet showed it when the signature or transaction was requested. */
  readonly prepared: PreparedOrder
  /** The ticket from which the order was prepared. `null` if the user continued the order from Activity. */
  readonly ticket: OrderTicket | null
  readonly steps: StepsAt
}

export type OrderFlow = ReturnType<typeof useOrderFlow> & {
  /** The menu that chooses who carries out the order. Absent if only the wallet can. */
  readonly signWith?: ReactNode
}

/** Whether the order has another transaction after the one on the sheet. */
const goesOn = ({ steps }: Opened): boolean => hasMore(steps)

/**
 * The flow from the Review button to a final intent: prepare the order, compare, ask the wallet, send the signature or watch the wallet's broadcast,
 * then follow the outcome.
 * Each transaction needs one press of a button.
 */
export function useOrderFlow() {
  const call = useIpcCall()
  const conversation = useIntentSigning(goesOn)
  const { open, start, show: showMore, follow, replace, leave, close } = conversation
  const [preparing, setPreparing] = useState(false)
  const [outcome, setOutcome] = useState<TicketOutcome | null>(null)
  /** The number of the latest preparation. The answer to an earlier one opens no sheet. */
  const attempt = useRef(0)
  /** The number of the preparation at another price, while it runs, so that a second press doesn't prepare the order twice. */
  const repricing = useRef<number | null>(null)
  const order = open?.subject ?? null

  const begin = useCallback(
    (prepared: PreparedOrder, ticket: OrderTicket | null) => {
      setOutcome(null)
      start({ prepared, ticket, steps: stepsAt(prepared) })
    },
    [start],
  )

  const take = useCallback(
    (answer: Result<PreparedOrder, Failure>, ticket: OrderTicket | null) => {
      setPreparing(false)
      // The sheet also shows an order whose comparison failed, even if `ready` is false. Such an order cannot be sent.
      if (answer.ok && answer.value.comparison !== null && (answer.value.ready || answer.value.comparison.verdict === 'block')) {
        begin(answer.value, ticket)
        return
      }
      leave()
      setOutcome(answer.ok ? { kind: 'not_executable', prepared: answer.value } : { kind: 'failed', failure: answer.failure, ticket })
    },
    [begin, leave],
  )

  /**
   * Asks the main process for a prepared order. From then on, the page ignores the answer to any earlier preparation. `isNew`: the call prepares an
   * order, which is cancelled if its answer is superseded. An order that existed before must not be cancelled.
   */
  const prepare = useCallback(
    async (asking: () => Promise<Result<PreparedOrder, Failure>>, ticket: OrderTicket | null, isNew: boolean) => {
      attempt.current += 1
      const mine = attempt.current
      setPreparing(true)
      setOutcome(null)
      const answer = await asking()
      if (attempt.current === mine) take(answer, ticket)
      else if (isNew && answer.ok) void call('intents.declined', { ref: answer.value.intent.ref, why: 'cancelled', detail: null })
    },
    [call, take],
  )

  /** Ignores the answer to a running preparation. If that preparation is new, the main process then cancels its order. */
  const ignore = useCallback(() => {
    attempt.current += 1
    setPreparing(false)
  }, [])

  /** Stops a running review: its answer then opens no sheet, and the main process cancels the prepared order. Does nothing once the sheet is open. */
  const cancel = useCallback(() => {
    if (repricing.current !== attempt.current) ignore()
  }, [ignore])

  // When the page closes, ignore the answer to a running preparation, so that its order doesn't open over another page.
  useEffect(() => ignore, [ignore])

  /** Prepares an order; executes nothing. */
  const review = useCallback((ticket: OrderTicket) => prepare(() => call('intents.prepare', ticket), ticket, true), [call, prepare])
  /** Continues an earlier order that waits for its signature or next transaction. */
  const resume = useCallback((earlier: string) => prepare(() => call('intents.prepared', { ref: earlier }), null, false), [call, prepare])
  /** Opens the signing sheet for an order that the main process prepared. */
  const show = useCallback((prepared: PreparedOrder, ticket: OrderTicket) => take(ok(prepared), ticket), [take])

  const ref = order?.prepared.intent.ref ?? null
  /** Closes the prepared order and prepares the same order at another price. Market orders use `referencePrice`. */
  const reprice = useCallback(
    async (referencePrice: string) => {
      if (order === null || ref === null || repricing.current !== null) return
      // No separate call closes the earlier order: the main process closes it when it prepares the new one, and records which order replaced it.
      replace()
      const asking = () => {
        repricing.current = attempt.current
        return call('intents.reprice', { ref, referencePrice })
      }
      await prepare(asking, order.ticket === null ? null : repriced(order.ticket, referencePrice), true)
      repricing.current = null
    },
    [call, order, prepare, ref, replace],
  )

  const followed = open?.flow.phase.kind === 'followed' ? open.flow.phase.intent : null
  const more = order !== null && goesOn(order)
  const isFollowing = followed !== null && !isTerminal(followed.state)
  // Follows the sent transaction until the next one can be sent.
  const progressed = useIpcQuery('intents.prepared', { ref: ref ?? '' }, { enabled: isFollowing && more, every: 1_000 }).data
  useEffect(() => {
    if (progressed === undefined || order === null || progressed.intent.ref !== ref || !more) return
    if (offersNext(progressed, order.steps)) begin(progressed, order.ticket)
    else if (progressed.transactions !== order.steps.transactions) {
      const steps = { ...order.steps, transactions: progressed.transactions }
      showMore({ ...order, steps })
      const intent = stepIntent(progressed.intent, steps)
      if (intent !== null) follow(intent)
    }
  }, [begin, follow, more, order, progressed, ref, showMore])

  // Closing the sheet must not close two kinds of intents: one that the sheet follows, and one with a transaction already on the chain. The user
  // can send the remaining transactions of such an intent until the deadline.
  const stays = open !== null && (followed !== null || (isUnderWay(open.subject.steps) && open.flow.phase.kind !== 'waiting'))
  const away = useCallback(() => {
    // A preparation at another price may still be running. The page no longer waits for it, and its answer opens no sheet.
    ignore()
    leave()
  }, [ignore, leave])
  const shut = useCallback(() => {
    if (!stays) close()
    away()
  }, [away, close, stays])
  const signing = useMemo(() => ({ ...conversation, close: shut, leave: away }), [conversation, shut, away])
  const clearOutcome = useCallback(() => setOutcome(null), [])

  return useMemo(
    () => ({
      ...{ preparing, outcome, open: open === null ? null : { ...open.subject, flow: open.flow } },
      /** The signing flow of the open order. */
      signing,
      ...{ review, resume, show, reprice, cancel, clearOutcome },
    }),
    [preparing, outcome, open, signing, review, resume, show, reprice, cancel, clearOutcome],
  )
}

/**
 * Stops the review of a ticket or row when the user presses Escape, opens a sheet or goes to another page. Otherwise the signing sheet would open
 * later, over other work.
 */
export function useStopReview({ preparing, open, cancel }: Pick<OrderFlow, 'preparing' | 'open' | 'cancel'>): void {
  const address = usePlace().rest.join('/')
  // biome-ignore lint/correctness/useExhaustiveDependencies: the effect ends with the address
  useEffect(() => cancel, [address, cancel])

  const isReviewing = preparing && open === null
  // A layout effect removes the listeners before the review's own signing sheet opens. Otherwise that sheet would stop the review too.
  useLayoutEffect(() => {
    if (!isReviewing) return
    const onKeyDown = (event: KeyboardEvent) => {
      if (pressed(event, 'escape') !== null && !event.defaultPrevented) cancel()
    }
    const onToggle = (event: ToggleEvent) => {
      if (event.newState === 'open' && event.target instanceof HTMLDialogElement) cancel()
    }
    document.addEventListener('keydown', onKeyDown)
    // `beforetoggle` does not bubble, so listen in the capture phase.
    document.addEventListener('beforetoggle', onToggle, true)
    return () => {
      document.removeEventListener('keydown', onKeyDown)
      document.removeEventListener('beforetoggle', onToggle, true)
    }
  }, [isReviewing, cancel])
}
