import { useCallback, useEffect, useReducer, useRef, useState } from 'react'
import type { Intent } from '../../../../shared/ipc/intents/orders.ts'
import type { PreparedPayment } from '../../../../shared/ipc/keys/agents.ts'
import { useDeskCall, useDeskQuery } from '../../../ipc/use-desk.ts'
import { useClock } from '../../../kit/time/time.tsx'
import type { HandConfirmation } from '../../../signing/parts/signing-message.ts'
import { isTerminal } from '../../../signing/progress/intent-way.ts'
import { type Asking, createAsking } from '../../../signing/sheet/asking.ts'
import { nextFlow, type SigningEvent, type SigningFlow, startFlow } from '../../../signing/sheet/signing-flow.ts'
import { useSign } from '../../../signing/wallet/wallet-provider.tsx'

type FlowAction = SigningEvent | { readonly type: 'start'; readonly preparedAtMs: number }

/** Two steps follow the approval: broadcast, confirmed. */
const stepsAfter = 2

const reduce = (flow: SigningFlow, action: FlowAction): SigningFlow =>
  action.type === 'start' ? startFlow(action.preparedAtMs, stepsAfter) : nextFlow(flow, action)

export interface PaymentFlow {
  /** The payment on the sheet; null while it is closed. */
  readonly open: { readonly prepared: PreparedPayment; readonly flow: SigningFlow } | null
  readonly start: (prepared: PreparedPayment) => void
  readonly send: (confirmation: HandConfirmation) => void
  readonly sendAgain: () => void
  /** Closes the sheet. Where the phone was asked, the payment is looked for on the chain from then on. */
  readonly close: () => void
}

/** From a prepared payment to its end on the chain: ask the wallet, which broadcasts it, then follow (FLOW-03, FLOW-06). */
export function usePaymentFlow(keyId: string): PaymentFlow {
  const call = useDeskCall()
  const sign = useSign()
  const clock = useClock()
  const [prepared, setPrepared] = useState<PreparedPayment | null>(null)
  const [flow, dispatch] = useReducer(reduce, startFlow(0, stepsAfter))
  const asking = useRef<Asking | null>(null)
  const last = useRef<HandConfirmation>({ typedPhrase: null, typedRouter: null })

  const start = useCallback(
    (next: PreparedPayment) => {
      const { ref } = next.intent
      dispatch({ type: 'start', preparedAtMs: next.preparedAtMs })
      setPrepared(next)
      asking.current = createAsking<Intent>({
        ask: (hand) => call('intents.ask', { ref, ...hand }),
        sign,
        asked: (topic, requestId) => void call('intents.asked', { ref, topic, requestId }),
        // For a transaction the wallet's answer is the hash under which it broadcast it.
        signed: (txHash) => call('intents.answered', { ref, answer: txHash }),
        declined: async (why, detail) => {
          const told = await call('intents.declined', { ref, why, detail })
          if (!told.ok) return null
          if (told.value.state === 'PREPARED') return 'send'
          // The phone may still broadcast it: it is followed like one that was sent, and never asked for again.
          if (!isTerminal(told.value.state)) dispatch({ type: 'followed', intent: told.value })
          return 'prepare'
        },
        onDone: (intent) => dispatch({ type: 'followed', intent }),
        dispatch,
        clock,
      })
    },
    [call, clock, sign],
  )

  const ref = prepared?.intent.ref ?? null
  const followed = flow.phase.kind === 'followed' ? flow.phase.intent : null
  const payments = useDeskQuery(
    'agents.payments',
    { keyId },
    { enabled: ref !== null && followed !== null, every: followed !== null && !isTerminal(followed.state) ? 1_000 : false },
  )
  const newest = payments.data?.find((intent) => intent.ref === ref)
  const isFollowed = followed !== null
  useEffect(() => {
    if (isFollowed && newest !== undefined) dispatch({ type: 'followed', intent: newest })
  }, [isFollowed, newest])

  const send = useCallback((hand: HandConfirmation) => {
    last.current = hand
    void asking.current?.send(hand)
  }, [])
  const sendAgain = useCallback(() => void asking.current?.send(last.current), [])
  const close = useCallback(() => {
    void asking.current?.cancel()
    asking.current = null
    setPrepared(null)
  }, [])
  return { open: prepared === null ? null : { prepared, flow }, start, send, sendAgain, close }
}
