import { useCallback, useEffect, useMemo, useReducer, useRef, useState } from 'react'
import { isAsked, leavesUnknown } from '../../../shared/ipc/intents/intent-states.ts'
import type { Intent } from '../../../shared/ipc/intents/orders.ts'
import { ok } from '../../../shared/result.ts'
import { useIpcCall, useIpcQuery } from '../../ipc/use-ipc.ts'
import { useClock } from '../../kit/time/time.tsx'
import type { HandConfirmation } from '../parts/signing-message.ts'
import { isTerminal } from '../progress/intent-path.ts'
import { useSign } from '../wallet/wallet-provider.tsx'
import { type Asking, createAsking, nextFlow, type SigningKind, startFlow } from './signing-flow.ts'

export type Signing<S, H = HandConfirmation> = ReturnType<typeof useSigning<S, never, H>>

/**
 * The only code path that asks the wallet to sign, used for sign-ins, grants, payments and orders. Covers everything from the prepared message to
 * the result of the wallet's answer.
 */
export function useSigning<S, T, H = HandConfirmation>(kind: SigningKind<S, T, H>, onDone?: (value: T) => void) {
  const call = useIpcCall()
  const sign = useSign()
  const clock = useClock()
  /** `show` shows an updated version of the same subject, for example a new price, without restarting the signing. */
  const [subject, show] = useState<S | null>(null)
  const [flow, dispatch] = useReducer(nextFlow, startFlow(0, kind.stepsAfter))
  const asking = useRef<Asking<H> | null>(null)
  const last = useRef<H | null>(null)

  /** Closes the sheet without withdrawing the request. */
  const leave = useCallback(() => {
    asking.current = null
    show(null)
  }, [])
  /** Opens the sheet and withdraws any earlier wallet request. */
  const start = useCallback(
    (next: S) => {
      asking.current?.replace()
      dispatch({ type: 'start', preparedAtMs: kind.preparedAtMs(next) })
      show(next)
      const done = (value: T) => {
        if (kind.follows === undefined) leave()
        else dispatch({ type: 'followed', intent: kind.follows(value) })
        onDone?.(value)
      }
      asking.current = createAsking(kind, next, { call, sign, clock, dispatch, onDone: done })
    },
    [call, clock, kind, leave, onDone, sign],
  )
  const follow = useCallback((intent: Intent) => dispatch({ type: 'followed', intent }), [])
  const send = useCallback((hand: H) => {
    last.current = hand
    void asking.current?.send(hand)
  }, [])
  const sendAgain = useCallback(() => {
    if (last.current !== null) void asking.current?.send(last.current)
  }, [])
  /** Withdraws the wallet request without reporting to main, because the new request reports that it replaces this one. */
  const replace = useCallback(() => asking.current?.replace(), [])
  /** Withdraws the request and closes the sheet. */
  const close = useCallback(() => {
    void asking.current?.cancel()
    leave()
  }, [leave])

  return useMemo(
    () => ({ open: subject === null ? null : { subject, flow }, start, show, follow, send, sendAgain, replace, close, leave }),
    [subject, flow, start, follow, send, sendAgain, replace, close, leave],
  )
}

interface OfIntent {
  readonly prepared: { readonly intent: Intent; readonly preparedAtMs: number }
}

/** How the sheet signs intents. Passes the signature to main or, if the wallet broadcasts the transaction itself, the transaction hash. */
const intentSigning = <S extends OfIntent>(more: (subject: S) => boolean): SigningKind<S, Intent> => ({
  // Two steps follow the signature: relayed or broadcast, then confirmed.
  stepsAfter: 2,
  preparedAtMs: ({ prepared }) => prepared.preparedAtMs,
  ask: (call, { prepared }, hand) => call('intents.ask', { ref: prepared.intent.ref, ...hand }),
  asked: (call, { prepared }, topic, requestId) => void call('intents.asked', { ref: prepared.intent.ref, topic, requestId }),
  answered: async (call, subject, answer) => {
    const { ref } = subject.prepared.intent
    const taken = await call('intents.answered', { ref, answer })
    // If another transaction follows, main already returns the intent as waiting for the next transaction. Show the transaction that the wallet just
    // broadcast instead.
    if (taken.ok) return more(subject) && isAsked(taken.value) ? ok({ ...taken.value, state: 'SUBMITTED', txHash: answer }) : taken
    if (!leavesUnknown(taken.failure)) return taken
    // Main's own response was lost. Read the intent's stored state, and follow the intent as usual.
    const known = await call('intents.get', { ref })
    return known.ok ? ok(known.value.intent) : taken
  },
  declined: async (call, { prepared }, why, detail) => {
    const told = await call('intents.declined', { ref: prepared.intent.ref, why, detail })
    if (!told.ok) return null
    if (told.value.state === 'PREPARED') return 'send'
    // If the intent has not ended, the phone may still broadcast the transaction. So the sheet follows the intent as if the transaction were sent.
    return isTerminal(told.value.state) ? 'prepare' : told.value
  },
  follows: (intent) => intent,
})

/** The newest state of an intent, read every second until the intent has ended; undefined until it was read. */
export function useNewest(intent: Pick<Intent, 'ref' | 'state'> | null): Intent | undefined {
  const every = intent !== null && !isTerminal(intent.state) ? 1_000 : false
  return useIpcQuery('intents.get', { ref: intent?.ref ?? '' }, { enabled: intent !== null, every }).data?.intent
}

/**
 * Like `useSigning`, but for intents: also polls the intent until it is final. `more`, which must always be the same function, returns whether another
 * transaction follows the one on the sheet. The sheet then shows each transaction separately, so the polled state of the whole intent does not replace
 * what the sheet shows.
 */
export function useIntentSigning<S extends OfIntent>(more: (subject: S) => boolean): Signing<S> {
  const signing = useSigning(useMemo(() => intentSigning(more), [more]))
  const { open, follow } = signing
  const ref = open?.subject.prepared.intent.ref ?? ''
  const shown = open?.flow.phase.kind === 'followed' ? open.flow.phase.intent : null
  const newest = useNewest(shown === null ? null : { ...shown, ref })
  const isWhole = open !== null && !more(open.subject)
  useEffect(() => {
    // Ignores a polled intent that is older than main's last answer.
    if (shown !== null && isWhole && newest !== shown && newest?.ref === ref && newest.updatedAtMs >= shown.updatedAtMs) follow(newest)
  }, [follow, isWhole, newest, ref, shown])
  return signing
}
