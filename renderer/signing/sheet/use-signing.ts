import { useCallback, useEffect, useMemo, useReducer, useRef, useState } from 'react'
import type { Failure } from '../../../shared/ipc/failure.ts'
import { isAsked, leavesUnknown } from '../../../shared/ipc/intents/intent-states.ts'
import type { Intent } from '../../../shared/ipc/intents/orders.ts'
import type { SignRequest } from '../../../shared/ipc/intents/signing.ts'
import { ok, type Result } from '../../../shared/result.ts'
import { type IpcCall, useIpcCall, useIpcQuery } from '../../ipc/use-ipc.ts'
import { useClock } from '../../kit/time/time.tsx'
import type { HandConfirmation } from '../parts/signing-message.ts'
import { isTerminal } from '../progress/intent-path.ts'
import { useSign } from '../wallet/wallet-provider.tsx'
import { type Again, type Asking, type AskingParts, createAsking, type DeclineReason, nextFlow, type SigningFlow, startFlow } from './signing-flow.ts'

/**
 * The calls and settings that differ between orders, grants, payments and sign-ins. `S`: what the sheet shows. `T`: main's result after the wallet
 * answered. `H`: what the user confirmed by hand.
 */
export interface SigningKind<S, T, H = HandConfirmation> {
  /** Number of steps after the signature. */
  readonly stepsAfter: number
  readonly preparedAtMs: (subject: S) => number
  readonly ask: (call: IpcCall, subject: S, hand: H) => Promise<Result<SignRequest, Failure>>
  /** Called when the request has been sent to the phone. Without this callback, the app does not track late answers. */
  readonly asked?: (call: IpcCall, subject: S, topic: string, requestId: string) => void
  /** Passes the wallet's answer to main, which verifies and submits it. */
  readonly answered: (call: IpcCall, subject: S, answer: string) => Promise<Result<T, Failure>>
  /** Reports to main that the wallet did not sign. Without this callback, the same request may be sent again until it expires. */
  readonly declined?: (call: IpcCall, subject: S, why: DeclineReason, detail: string | null) => Promise<Declined>
  /** Returns the intent to follow after success. Without this function, the sheet closes. */
  readonly follows?: (value: T) => Intent
}

export interface Declined {
  readonly again: Again
  /** An intent that may still execute although the wallet did not sign. If set, the sheet shows the progress of this intent. */
  readonly intent?: Intent
}

export interface Signing<S, H = HandConfirmation> {
  /** What the open sheet shows; null while the sheet is closed. */
  readonly open: { readonly subject: S; readonly flow: SigningFlow } | null
  /** Opens the sheet and withdraws any earlier wallet request. */
  readonly start: (subject: S) => void
  /** Shows an updated version of the same subject, for example a new price, without restarting the signing. */
  readonly show: (subject: S) => void
  readonly follow: (intent: Intent) => void
  readonly send: (confirmation: H) => void
  readonly sendAgain: () => void
  /** Withdraws the wallet request without reporting to main, because the new request reports that it replaces this one. */
  readonly replace: () => void
  /** Withdraws the request and closes the sheet. */
  readonly close: () => void
  /** Closes the sheet without withdrawing the request. */
  readonly leave: () => void
}

type Parts<T> = Pick<AskingParts<T>, 'sign' | 'clock' | 'dispatch' | 'onDone'> & { readonly call: IpcCall }

/**
 * Creates the signing of one subject, such as an order. `kind` provides the calls to main: request permission, submit the answer, report a
 * rejection.
 */
export const converse = <S, T, H>(kind: SigningKind<S, T, H>, subject: S, { call, onDone, ...parts }: Parts<T>): Asking<H> =>
  createAsking<T, H>({
    ...parts,
    ask: (hand) => kind.ask(call, subject, hand),
    asked: (topic, requestId) => kind.asked?.(call, subject, topic, requestId),
    signed: (answer) => kind.answered(call, subject, answer),
    declined: async (why, detail) => {
      if (kind.declined === undefined) return 'send'
      const { again, intent } = await kind.declined(call, subject, why, detail)
      if (intent !== undefined) parts.dispatch({ type: 'followed', intent })
      return again
    },
    onDone: (value) => {
      if (kind.follows !== undefined) parts.dispatch({ type: 'followed', intent: kind.follows(value) })
      onDone(value)
    },
  })

/**
 * The only code path that asks the wallet to sign, used for sign-ins, grants, payments and orders. Covers everything from the prepared message to
 * the result of the wallet's answer.
 */
export function useSigning<S, T, H = HandConfirmation>(kind: SigningKind<S, T, H>, onDone?: (value: T) => void): Signing<S, H> {
  const call = useIpcCall()
  const sign = useSign()
  const clock = useClock()
  const [subject, show] = useState<S | null>(null)
  const [flow, dispatch] = useReducer(nextFlow, startFlow(0, kind.stepsAfter))
  const asking = useRef<Asking<H> | null>(null)
  const last = useRef<H | null>(null)

  const leave = useCallback(() => {
    asking.current = null
    show(null)
  }, [])
  const start = useCallback(
    (next: S) => {
      asking.current?.replace()
      dispatch({ type: 'start', preparedAtMs: kind.preparedAtMs(next) })
      show(next)
      const done = (value: T) => {
        if (kind.follows === undefined) leave()
        onDone?.(value)
      }
      asking.current = converse(kind, next, { call, sign, clock, dispatch, onDone: done })
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
  const replace = useCallback(() => asking.current?.replace(), [])
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

/**
 * How the sheet signs intents. Passes the signature to main or, if the wallet broadcasts the transaction itself, the transaction hash. `more`:
 * whether another transaction follows.
 */
export const intentSigning = <S extends OfIntent>(more: (subject: S) => boolean): SigningKind<S, Intent> => ({
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
    if (!told.ok) return { again: null }
    if (told.value.state === 'PREPARED') return { again: 'send' }
    // If the intent has not ended, the phone may still broadcast the transaction. So the sheet follows the intent as if the transaction were sent.
    return isTerminal(told.value.state) ? { again: 'prepare' } : { again: 'prepare', intent: told.value }
  },
  follows: (intent) => intent,
})

/**
 * Like `useSigning`, but also polls the intent until it is final. If `apart` returns true, the sheet shows each transaction separately, so the
 * polled state of the whole intent does not replace what the sheet shows.
 */
export function useIntentSigning<S extends OfIntent>(kind: SigningKind<S, Intent>, apart: (subject: S) => boolean = () => false): Signing<S> {
  const signing = useSigning(kind)
  const { open, follow } = signing
  const ref = open?.subject.prepared.intent.ref ?? ''
  const shown = open?.flow.phase.kind === 'followed' ? open.flow.phase.intent : null
  const every = shown !== null && !isTerminal(shown.state) ? 1_000 : false
  const newest = useIpcQuery('intents.get', { ref }, { enabled: shown !== null, every }).data?.intent
  const isWhole = open !== null && !apart(open.subject)
  useEffect(() => {
    // Ignores a polled intent that is older than main's last answer.
    if (shown !== null && isWhole && newest !== shown && newest?.ref === ref && newest.updatedAtMs >= shown.updatedAtMs) follow(newest)
  }, [follow, isWhole, newest, ref, shown])
  return signing
}
