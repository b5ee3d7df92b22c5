import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { Failure } from '../../../shared/ipc/failure.ts'
import type { PreparedOrder } from '../../../shared/ipc/intents/orders.ts'
import type { OrderTicket } from '../../../shared/ipc/intents/tickets.ts'
import { ok, type Result } from '../../../shared/result.ts'
import { repriced } from '../../../shared/ticket/actions/replace-ticket.ts'
import { useIpcCall, useIpcQuery } from '../../ipc/use-ipc.ts'
import { isTerminal } from '../../signing/progress/intent-way.ts'
import type { SigningFlow } from '../../signing/sheet/signing-flow.ts'
import { intentSigning, type Signing, useIntentSigning } from '../../signing/sheet/use-signing.ts'
import { hasMore, isUnderWay, offersNext, type StepsAt, stepIntent, stepsAt } from './order-steps.ts'

/** What the ticket shows beside its button. */
export type TicketOutcome =
  | { readonly kind: 'failed'; readonly failure: Failure; readonly ticket: OrderTicket | null }
  /** HTTP 200 and not executable (orders/prepare): an outcome, not an error. */
  | { readonly kind: 'not_executable'; readonly prepared: PreparedOrder }

interface Opened {
  /** As it was when its signature, or the transaction that the sheet is about, was shown. */
  readonly prepared: PreparedOrder
  /** null: it was taken up again, from Activity. */
  readonly ticket: OrderTicket | null
  readonly steps: StepsAt
}

export interface OrderFlow {
  readonly preparing: boolean
  readonly outcome: TicketOutcome | null
  /** The order on the sheet; null while the sheet is closed. */
  readonly open: (Opened & { readonly flow: SigningFlow }) | null
  /** The conversation with the wallet about it. */
  readonly signing: Signing<Opened>
  /** Prepares; executes nothing. */
  readonly review: (ticket: OrderTicket) => Promise<void>
  /** Takes up one that was prepared earlier and waits for its signature or its next transaction. */
  readonly resume: (ref: string) => Promise<void>
  /** Opens one that main prepared by itself. */
  readonly show: (prepared: PreparedOrder, ticket: OrderTicket) => void
  /** Closes the prepared one and prepares a new one, what goes at market at this price. */
  readonly reprice: (referencePrice: string) => Promise<void>
  readonly clearOutcome: () => void
  /** Set where an executor may carry it out too: the choice of who does, and whether it is one. */
  readonly way?: { readonly choice: ReactNode; readonly byExecutor: boolean }
}

/** It is about one transaction of the intent, and others come after it. */
const goesOn = ({ prepared }: Opened): boolean => hasMore(stepsAt(prepared))
const orderSigning = intentSigning(goesOn)
const isApart = ({ steps }: Opened): boolean => hasMore(steps)

/** From the ticket's button to a final intent: prepare, compare, ask the wallet, relay or see it broadcast, follow; one press for each transaction. */
export function useOrderFlow(): OrderFlow {
  const call = useIpcCall()
  const conversation = useIntentSigning(orderSigning, isApart)
  const { open, start, show: showMore, follow, replace, leave, close } = conversation
  const [preparing, setPreparing] = useState(false)
  const [outcome, setOutcome] = useState<TicketOutcome | null>(null)
  /** A second press before the answer must not prepare a second order. */
  const repricing = useRef(false)
  /** The sheet was closed meanwhile. */
  const left = useRef(false)
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
      // A refused comparison comes with `ready` false or true alike: it is shown, and cannot be sent.
      if (answer.ok && answer.value.comparison !== null && (answer.value.ready || answer.value.comparison.verdict === 'block')) {
        begin(answer.value, ticket)
        return
      }
      leave()
      setOutcome(answer.ok ? { kind: 'not_executable', prepared: answer.value } : { kind: 'failed', failure: answer.failure, ticket })
    },
    [begin, leave],
  )

  const review = useCallback(
    async (ticket: OrderTicket) => {
      setPreparing(true)
      setOutcome(null)
      take(await call('intents.prepare', ticket), ticket)
    },
    [call, take],
  )

  const resume = useCallback(
    async (earlier: string) => {
      setPreparing(true)
      setOutcome(null)
      take(await call('intents.prepared', { ref: earlier }), null)
    },
    [call, take],
  )
  const show = useCallback((prepared: PreparedOrder, ticket: OrderTicket) => take(ok(prepared), ticket), [take])

  const ref = order?.prepared.intent.ref ?? null
  const reprice = useCallback(
    async (referencePrice: string) => {
      if (order === null || ref === null || repricing.current) return
      repricing.current = true
      setPreparing(true)
      // Main closes the earlier one itself, and says by what it was replaced.
      replace()
      left.current = false
      const answer = await call('intents.reprice', { ref, referencePrice })
      repricing.current = false
      if (!left.current) {
        take(answer, order.ticket === null ? null : repriced(order.ticket, referencePrice))
        return
      }
      setPreparing(false)
      if (answer.ok) void call('intents.declined', { ref: answer.value.intent.ref, why: 'cancelled', detail: null })
    },
    [call, order, ref, replace, take],
  )

  const followed = open?.flow.phase.kind === 'followed' ? open.flow.phase.intent : null
  const more = order !== null && isApart(order)
  const isFollowing = followed !== null && !isTerminal(followed.state)
  // Until another one can be sent, the one that was sent is followed.
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

  // What stands on the chain already stays useful: the rest waits to be continued until its deadline. What is followed goes on without the sheet.
  const stays = open !== null && (followed !== null || (isUnderWay(open.subject.steps) && open.flow.phase.kind !== 'waiting'))
  const away = useCallback(() => {
    left.current = true
    leave()
  }, [leave])
  const shut = useCallback(() => {
    if (!stays) close()
    away()
  }, [away, close, stays])
  const signing = useMemo(() => ({ ...conversation, close: shut, leave: away }), [conversation, shut, away])
  const clearOutcome = useCallback(() => setOutcome(null), [])

  return useMemo(
    () => ({
      ...{ preparing, outcome, open: open === null ? null : { ...open.subject, flow: open.flow } },
      ...{ signing, review, resume, show, reprice, clearOutcome },
    }),
    [preparing, outcome, open, signing, review, resume, show, reprice, clearOutcome],
  )
}
