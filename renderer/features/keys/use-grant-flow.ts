import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useReducer, useRef, useState } from 'react'
import type { KeyDraft, KeySummary } from '../../../shared/ipc/keys.ts'
import { invalidate } from '../../ipc/query-client.ts'
import { useDeskCall } from '../../ipc/use-desk.ts'
import { useClock } from '../../ui/now.tsx'
import { type Asking, createAsking } from '../../ui/signing/asking.ts'
import { nextFlow, type SigningEvent, type SigningFlow, startFlow } from '../../ui/signing/signing-flow.ts'
import type { HandConfirmation } from '../../ui/signing/signing-message.ts'
import { useSign } from '../../wallet/wallet-provider.tsx'

/** One step follows the signature: the key is made and its secret stored. */
const stepsAfter = 1

type FlowAction = SigningEvent | { readonly type: 'start'; readonly preparedAtMs: number }

const reduce = (flow: SigningFlow, action: FlowAction): SigningFlow =>
  action.type === 'start' ? startFlow(action.preparedAtMs, stepsAfter) : nextFlow(flow, action)

export interface GrantFlow {
  /** The draft on the sheet; null while it is closed. */
  readonly open: { readonly draft: KeyDraft; readonly flow: SigningFlow } | null
  readonly start: (draft: KeyDraft) => void
  readonly send: (confirmation: HandConfirmation) => void
  readonly sendAgain: () => void
  readonly close: () => void
}

/** From a prepared draft to a key whose secret is stored. `onCreated` gets the key, never its secret. */
export function useGrantFlow(onCreated: (key: KeySummary) => void): GrantFlow {
  const call = useDeskCall()
  const client = useQueryClient()
  const sign = useSign()
  const clock = useClock()
  const [draft, setDraft] = useState<KeyDraft | null>(null)
  const [flow, dispatch] = useReducer(reduce, startFlow(0, stepsAfter))
  const asking = useRef<Asking | null>(null)
  const last = useRef<HandConfirmation>({ typedPhrase: null, typedRouter: null })

  const close = useCallback(() => {
    void asking.current?.cancel()
    asking.current = null
    setDraft(null)
  }, [])

  const start = useCallback(
    (next: KeyDraft) => {
      dispatch({ type: 'start', preparedAtMs: next.preparedAtMs })
      setDraft(next)
      asking.current = createAsking<KeySummary>({
        ask: async (hand) => {
          const request = await call('keys.ask', { draftId: next.id, ...hand })
          // A router that was confirmed is pinned in the profile.
          if (hand.typedRouter !== null) invalidate(client, ['profiles.list'])
          return request
        },
        sign,
        // A late answer to a grant is not used: the draft is signed again or left.
        asked: () => undefined,
        signed: (signature) => call('keys.create', { draftId: next.id, signature }),
        declined: async () => (clock.now() < next.expiresAtMs ? 'send' : 'prepare'),
        onDone: (key) => {
          asking.current = null
          setDraft(null)
          onCreated(key)
        },
        dispatch,
        clock,
      })
    },
    [call, client, clock, onCreated, sign],
  )

  const send = useCallback((hand: HandConfirmation) => {
    last.current = hand
    void asking.current?.send(hand)
  }, [])
  const sendAgain = useCallback(() => void asking.current?.send(last.current), [])
  return { open: draft === null ? null : { draft, flow }, start, send, sendAgain, close }
}
