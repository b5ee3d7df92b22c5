import { type ReactNode, useCallback, useEffect, useMemo, useReducer, useRef, useState } from 'react'
import type { Failure } from '../../../shared/ipc/failure.ts'
import { leavesUnknown } from '../../../shared/ipc/intents/leaves-unknown.ts'
import type { Intent, PreparedOrder } from '../../../shared/ipc/intents/orders.ts'
import type { OrderTicket } from '../../../shared/ipc/intents/tickets.ts'
import { ok, type Result } from '../../../shared/result.ts'
import { repriced } from '../../../shared/ticket/actions/replace-ticket.ts'
import type { Clock } from '../../../shared/time.ts'
import { type DeskCall, useDeskCall, useDeskQuery } from '../../ipc/use-desk.ts'
import { useClock } from '../../kit/time/time.tsx'
import type { HandConfirmation } from '../../signing/parts/signing-message.ts'
import { isTerminal } from '../../signing/progress/intent-way.ts'
import { type Asking, createAsking } from '../../signing/sheet/asking.ts'
import { nextFlow, type SigningEvent, type SigningFlow, startFlow } from '../../signing/sheet/signing-flow.ts'
import type { Sign } from '../../signing/wallet/sign.ts'
import { useSign } from '../../signing/wallet/wallet-provider.tsx'
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
  /** Prepares; executes nothing. */
  readonly review: (ticket: OrderTicket) => Promise<void>
  /** Takes up one that was prepared earlier and waits for its signature or its next transaction. */
  readonly resume: (ref: string) => Promise<void>
  /** Opens one that main prepared by itself. */
  readonly show: (prepared: PreparedOrder, ticket: OrderTicket) => void
  /** Closes the prepared one and prepares a new one, what goes at market at this price. */
  readonly reprice: (referencePrice: string) => Promise<void>
  readonly send: (confirmation: HandConfirmation) => void
  readonly sendAgain: () => void
  readonly cancel: () => void
  readonly close: () => void
  readonly clearOutcome: () => void
  /** Set where an executor may carry it out too: the choice of who does, and whether it is one. */
  readonly way?: { readonly choice: ReactNode; readonly byExecutor: boolean }
}

type FlowAction = SigningEvent | { readonly type: 'start'; readonly preparedAtMs: number }

/** Two steps follow the signature: relayed, confirmed. */
const stepsAfter = 2

const reduce = (flow: SigningFlow, action: FlowAction): SigningFlow =>
  action.type === 'start' ? startFlow(action.preparedAtMs, stepsAfter) : nextFlow(flow, action)

/** From the ticket's button to a final intent: prepare, compare, ask the wallet, relay or see it broadcast, follow; one press for each transaction. */
export function useOrderFlow(): OrderFlow {
  const call = useDeskCall()
  const sign = useSign()
  const clock = useClock()
  const [preparing, setPreparing] = useState(false)
  const [outcome, setOutcome] = useState<TicketOutcome | null>(null)
  const [order, setOrder] = useState<Opened | null>(null)
  const [flow, dispatch] = useReducer(reduce, startFlow(0, stepsAfter))
  const asking = useRef<Asking | null>(null)
  /** A second press before the answer must not prepare a second order. */
  const repricing = useRef(false)
  /** The sheet was closed meanwhile. */
  const left = useRef(false)
  const confirmation = useRef<HandConfirmation>({ typedPhrase: null, typedRouter: null })

  const begin = useCallback(
    (prepared: PreparedOrder, ticket: OrderTicket | null) => {
      dispatch({ type: 'start', preparedAtMs: prepared.preparedAtMs })
      setOutcome(null)
      setOrder({ prepared, ticket, steps: stepsAt(prepared) })
      asking.current = askForOrder({ call, sign, clock, dispatch }, prepared)
    },
    [call, clock, sign],
  )

  const take = useCallback(
    (answer: Result<PreparedOrder, Failure>, ticket: OrderTicket | null) => {
      setPreparing(false)
      if (!answer.ok) {
        setOrder(null)
        setOutcome({ kind: 'failed', failure: answer.failure, ticket })
        return
      }
      if (answer.value.ready && answer.value.comparison !== null) {
        begin(answer.value, ticket)
        return
      }
      // A refused comparison comes with `ready` false or true alike: it is shown, and cannot be sent.
      if (answer.value.comparison?.verdict === 'block') {
        begin(answer.value, ticket)
        return
      }
      setOrder(null)
      setOutcome({ kind: 'not_executable', prepared: answer.value })
    },
    [begin],
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
      asking.current?.replace()
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
    [call, order, ref, take],
  )

  const following = flow.phase.kind === 'followed' && !isTerminal(flow.phase.intent.state)
  const followed = useDeskQuery(
    'intents.get',
    { ref: ref ?? '' },
    { enabled: ref !== null && flow.phase.kind === 'followed', every: following ? 1_000 : false },
  )
  const newest = followed.data?.intent
  const more = order !== null && hasMore(order.steps)
  const shown = flow.phase.kind === 'followed' ? flow.phase.intent : null
  useEffect(() => {
    // What was read before the last answer of main says less than that.
    if (shown !== null && !more && newest !== shown && newest?.ref === ref && newest.updatedAtMs >= shown.updatedAtMs)
      dispatch({ type: 'followed', intent: newest })
  }, [more, newest, ref, shown])

  // Until another one can be sent, the one that was sent is followed.
  const progressed = useDeskQuery('intents.prepared', { ref: ref ?? '' }, { enabled: following && more, every: 1_000 }).data
  useEffect(() => {
    if (progressed === undefined || order === null || progressed.intent.ref !== ref || !more) return
    if (offersNext(progressed, order.steps)) begin(progressed, order.ticket)
    else if (progressed.transactions !== order.steps.transactions) {
      const steps = { ...order.steps, transactions: progressed.transactions }
      setOrder({ ...order, steps })
      const intent = stepIntent(progressed.intent, steps)
      if (intent !== null) dispatch({ type: 'followed', intent })
    }
  }, [begin, more, order, progressed, ref])

  const send = useCallback((hand: HandConfirmation) => {
    confirmation.current = hand
    void asking.current?.send(hand)
  }, [])
  const sendAgain = useCallback(() => void asking.current?.send(confirmation.current), [])
  const close = useCallback(() => {
    left.current = true
    setOrder(null)
    asking.current = null
  }, [])
  // What stands on the chain already stays useful: the rest waits to be continued until its deadline.
  const keeps = order !== null && isUnderWay(order.steps) && flow.phase.kind !== 'waiting'
  const cancel = useCallback(() => {
    if (!keeps) void asking.current?.cancel()
    close()
  }, [close, keeps])
  const clearOutcome = useCallback(() => setOutcome(null), [])

  return useMemo(
    () => ({
      ...{ preparing, outcome, open: order === null ? null : { ...order, flow } },
      ...{ review, resume, show, reprice, send, sendAgain, cancel, close, clearOutcome },
    }),
    [preparing, outcome, order, flow, review, resume, show, reprice, send, sendAgain, cancel, close, clearOutcome],
  )
}

interface Parts {
  readonly call: DeskCall
  readonly sign: Sign
  readonly clock: Clock
  readonly dispatch: (event: SigningEvent) => void
}

const mayBeAskedAgain: ReadonlySet<Intent['state']> = new Set(['PREPARED', 'ASKED'])

/** Leads what is next of a prepared order to the wallet: its signature goes to main, or the hash of the transaction that the wallet broadcast. */
function askForOrder({ call, sign, clock, dispatch }: Parts, prepared: PreparedOrder): Asking {
  const { transactions } = prepared
  const { ref } = prepared.intent
  const followed = (intent: Intent) => dispatch({ type: 'followed', intent })
  const common = {
    ask: (hand: { readonly typedPhrase: string | null; readonly typedRouter: string | null }) => call('intents.ask', { ref, ...hand }),
    sign,
    asked: (topic: string, requestId: string) => void call('intents.asked', { ref, topic, requestId }),
    onDone: followed,
    dispatch,
    clock,
  }
  if (transactions.length > 0)
    return createAsking<Intent>({
      ...common,
      signed: async (txHash) => {
        const sent = await call('intents.answered', { ref, answer: txHash })
        // The intent goes on; what is followed here is the one that was just broadcast.
        return sent.ok && hasMore(stepsAt(prepared)) && sent.value.state === 'ASKED' ? ok({ ...sent.value, state: 'SUBMITTED', txHash }) : sent
      },
      declined: async (why, detail) => {
        const told = await call('intents.declined', { ref, why, detail })
        if (!told.ok) return null
        if (told.value.state === 'PREPARED') return 'send'
        // The phone may still broadcast it: it is followed like one that was sent, and never asked for again.
        if (!isTerminal(told.value.state)) followed(told.value)
        return 'prepare'
      },
    })
  return createAsking<Intent>({
    ...common,
    signed: async (signature) => {
      const sent = await call('intents.answered', { ref, answer: signature })
      if (sent.ok || !leavesUnknown(sent.failure)) return sent
      // What the relay answered is not known: the intent itself says so, and it is followed like any other.
      const known = await call('intents.get', { ref })
      return known.ok ? ok(known.value.intent) : sent
    },
    declined: async (why, detail) => {
      const told = await call('intents.declined', { ref, why, detail })
      return told.ok && mayBeAskedAgain.has(told.value.state) ? 'send' : 'prepare'
    },
  })
}
