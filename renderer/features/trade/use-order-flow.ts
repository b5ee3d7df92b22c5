import { useCallback, useEffect, useMemo, useReducer, useRef, useState } from 'react'
import type { Failure } from '../../../shared/ipc/failure.ts'
import type { Intent, PreparedOrder } from '../../../shared/ipc/orders.ts'
import type { OrderTicket } from '../../../shared/ipc/tickets.ts'
import type { Result } from '../../../shared/result.ts'
import { ok } from '../../../shared/result.ts'
import { repriced } from '../../../shared/ticket/repriced.ts'
import { useDeskCall, useDeskQuery } from '../../ipc/use-desk.ts'
import { useClock } from '../../ui/now.tsx'
import { type Asking, createAsking } from '../../ui/signing/asking.ts'
import { isTerminal } from '../../ui/signing/intent-way.ts'
import { nextFlow, type SigningEvent, type SigningFlow, startFlow } from '../../ui/signing/signing-flow.ts'
import type { HandConfirmation } from '../../ui/signing/signing-message.ts'
import { useSign } from '../../wallet/wallet-provider.tsx'

/** What the ticket shows beside its button. */
export type TicketOutcome =
  | { readonly kind: 'failed'; readonly failure: Failure; readonly ticket: OrderTicket }
  /** HTTP 200 and not executable (orders/prepare): an outcome, not an error. */
  | { readonly kind: 'not_executable'; readonly prepared: PreparedOrder }

export interface OrderFlow {
  readonly preparing: boolean
  readonly outcome: TicketOutcome | null
  /** The order on the sheet; null while the sheet is closed. */
  readonly open: { readonly prepared: PreparedOrder; readonly ticket: OrderTicket; readonly flow: SigningFlow } | null
  /** Prepares; executes nothing. */
  readonly review: (ticket: OrderTicket) => Promise<void>
  /** Closes the prepared one and prepares a new one, what goes at market at this price. */
  readonly reprice: (referencePrice: string) => Promise<void>
  readonly send: (confirmation: HandConfirmation) => void
  readonly sendAgain: () => void
  readonly cancel: () => void
  readonly close: () => void
  readonly clearOutcome: () => void
}

type FlowAction = SigningEvent | { readonly type: 'start'; readonly preparedAtMs: number }

/** Two steps follow the signature: relayed, confirmed. */
const stepsAfter = 2

const reduce = (flow: SigningFlow, action: FlowAction): SigningFlow =>
  action.type === 'start' ? startFlow(action.preparedAtMs, stepsAfter) : nextFlow(flow, action)

const mayBeAskedAgain: ReadonlySet<Intent['state']> = new Set(['PREPARED', 'ASKED'])

/** From the ticket's button to a final intent: prepare, compare, ask the wallet, relay, follow. */
export function useOrderFlow(): OrderFlow {
  const call = useDeskCall()
  const sign = useSign()
  const clock = useClock()
  const [preparing, setPreparing] = useState(false)
  const [outcome, setOutcome] = useState<TicketOutcome | null>(null)
  const [order, setOrder] = useState<{ readonly prepared: PreparedOrder; readonly ticket: OrderTicket } | null>(null)
  const [flow, dispatch] = useReducer(reduce, startFlow(0, stepsAfter))
  const asking = useRef<Asking | null>(null)
  /** A second press before the answer must not prepare a second order. */
  const repricing = useRef(false)
  /** The sheet was closed meanwhile. */
  const left = useRef(false)
  const confirmation = useRef<HandConfirmation>({ typedPhrase: null, typedRouter: null })

  const begin = useCallback(
    (prepared: PreparedOrder, ticket: OrderTicket) => {
      const { ref } = prepared.intent
      dispatch({ type: 'start', preparedAtMs: prepared.preparedAtMs })
      setOutcome(null)
      setOrder({ prepared, ticket })
      asking.current = createAsking<Intent>({
        ask: (hand) => call('orders.ask', { ref, ...hand }),
        sign,
        asked: (topic, requestId) => void call('orders.asked', { ref, topic, requestId }),
        signed: async (signature) => {
          const sent = await call('orders.signed', { ref, signature })
          if (sent.ok || sent.failure.kind !== 'outcome_unknown') return sent
          // The relay's answer was lost: the intent itself says so, and it is followed like any other.
          const known = await call('orders.get', { ref })
          return known.ok ? ok(known.value.intent) : sent
        },
        declined: async (why, detail) => {
          const told = await call('orders.declined', { ref, why, detail })
          return told.ok && mayBeAskedAgain.has(told.value.state) ? 'send' : 'prepare'
        },
        onDone: (intent) => dispatch({ type: 'followed', intent }),
        dispatch,
        clock,
      })
    },
    [call, clock, sign],
  )

  const take = useCallback(
    (answer: Result<PreparedOrder, Failure>, ticket: OrderTicket) => {
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
      take(await call('orders.prepare', ticket), ticket)
    },
    [call, take],
  )

  const ref = order?.prepared.intent.ref ?? null
  const reprice = useCallback(
    async (referencePrice: string) => {
      if (order === null || ref === null || repricing.current) return
      repricing.current = true
      setPreparing(true)
      // Main closes the earlier one itself, and says by what it was replaced.
      asking.current?.replace()
      left.current = false
      const answer = await call('orders.reprice', { ref, referencePrice })
      repricing.current = false
      if (!left.current) {
        take(answer, repriced(order.ticket, referencePrice))
        return
      }
      setPreparing(false)
      if (answer.ok) void call('orders.declined', { ref: answer.value.intent.ref, why: 'cancelled', detail: null })
    },
    [call, order, ref, take],
  )

  const following = flow.phase.kind === 'followed' && !isTerminal(flow.phase.intent.state)
  const followed = useDeskQuery('orders.get', { ref: ref ?? '' }, { enabled: ref !== null && flow.phase.kind === 'followed', every: following ? 1_000 : false })
  const newest = followed.data?.intent
  useEffect(() => {
    if (newest !== undefined && newest.ref === ref) dispatch({ type: 'followed', intent: newest })
  }, [newest, ref])

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
  const cancel = useCallback(() => {
    void asking.current?.cancel()
    close()
  }, [close])
  const clearOutcome = useCallback(() => setOutcome(null), [])

  return useMemo(
    () => ({ preparing, outcome, open: order === null ? null : { ...order, flow }, review, reprice, send, sendAgain, cancel, close, clearOutcome }),
    [preparing, outcome, order, flow, review, reprice, send, sendAgain, cancel, close, clearOutcome],
  )
}
