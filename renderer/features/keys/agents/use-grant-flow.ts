import { useCallback, useReducer, useRef, useState } from 'react'
import type { Failure } from '../../../../shared/ipc/failure.ts'
import type { SignRequest } from '../../../../shared/ipc/intents/signing.ts'
import type { AgentDraft } from '../../../../shared/ipc/keys/agents.ts'
import type { KeyDraft, KeySummary } from '../../../../shared/ipc/keys/keys.ts'
import type { Result } from '../../../../shared/result.ts'
import { type DeskCall, useDeskCall } from '../../../ipc/use-desk.ts'
import { useClock } from '../../../kit/time/time.tsx'
import type { HandConfirmation } from '../../../signing/parts/signing-message.ts'
import { type Asking, createAsking } from '../../../signing/sheet/asking.ts'
import { nextFlow, type SigningEvent, type SigningFlow, startFlow } from '../../../signing/sheet/signing-flow.ts'
import { useSign } from '../../../signing/wallet/wallet-provider.tsx'

/** One step follows the signature: the key is made and its secret stored, or the grant is stored. */
const stepsAfter = 1

type FlowAction = SigningEvent | { readonly type: 'start'; readonly preparedAtMs: number }

const reduce = (flow: SigningFlow, action: FlowAction): SigningFlow =>
  action.type === 'start' ? startFlow(action.preparedAtMs, stepsAfter) : nextFlow(flow, action)

/** What differs between the grant of a key that is made and the grant of one that exists. */
export interface GrantKind<D> {
  readonly times: (draft: D) => { readonly preparedAtMs: number; readonly expiresAtMs: number }
  readonly ask: (call: DeskCall, draft: D, hand: HandConfirmation) => Promise<Result<SignRequest, Failure>>
  readonly signed: (call: DeskCall, draft: D, signature: string) => Promise<Result<KeySummary, Failure>>
}

export const newKeyGrant: GrantKind<KeyDraft> = {
  times: ({ preparedAtMs, expiresAtMs }) => ({ preparedAtMs, expiresAtMs }),
  ask: (call, { id }, hand) => call('keys.ask', { draftId: id, ...hand }),
  signed: (call, { id }, signature) => call('keys.create', { draftId: id, signature }),
}

export const agentGrant: GrantKind<AgentDraft> = {
  times: ({ openedAtMs, expiresAtMs }) => ({ preparedAtMs: openedAtMs, expiresAtMs }),
  ask: (call, { keyId }, hand) => call('agents.ask', { keyId, ...hand }),
  signed: (call, { keyId }, signature) => call('agents.store', { keyId, signature }),
}

export interface GrantFlow<D = KeyDraft> {
  /** The draft on the sheet; null while it is closed. */
  readonly open: { readonly draft: D; readonly flow: SigningFlow } | null
  readonly start: (draft: D) => void
  readonly send: (confirmation: HandConfirmation) => void
  readonly sendAgain: () => void
  readonly close: () => void
}

/** From a draft to what the signature brings about. `onDone` gets the key, never its secret. */
export function useGrantFlow<D>(kind: GrantKind<D>, onDone: (key: KeySummary) => void): GrantFlow<D> {
  const call = useDeskCall()
  const sign = useSign()
  const clock = useClock()
  const [draft, setDraft] = useState<D | null>(null)
  const [flow, dispatch] = useReducer(reduce, startFlow(0, stepsAfter))
  const asking = useRef<Asking | null>(null)
  const last = useRef<HandConfirmation>({ typedPhrase: null, typedRouter: null })

  const close = useCallback(() => {
    void asking.current?.cancel()
    asking.current = null
    setDraft(null)
  }, [])

  const start = useCallback(
    (next: D) => {
      const { preparedAtMs, expiresAtMs } = kind.times(next)
      dispatch({ type: 'start', preparedAtMs })
      setDraft(next)
      asking.current = createAsking<KeySummary>({
        ask: (hand) => kind.ask(call, next, hand),
        sign,
        // A late answer to a grant is not used: the draft is signed again or left.
        asked: () => undefined,
        signed: (signature) => kind.signed(call, next, signature),
        declined: async () => (clock.now() < expiresAtMs ? 'send' : 'prepare'),
        onDone: (key) => {
          asking.current = null
          setDraft(null)
          onDone(key)
        },
        dispatch,
        clock,
      })
    },
    [call, clock, kind, onDone, sign],
  )

  const send = useCallback((hand: HandConfirmation) => {
    last.current = hand
    void asking.current?.send(hand)
  }, [])
  const sendAgain = useCallback(() => void asking.current?.send(last.current), [])
  return { open: draft === null ? null : { draft, flow }, start, send, sendAgain, close }
}
