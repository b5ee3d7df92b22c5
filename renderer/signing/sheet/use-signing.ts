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
  /** Called when the request has been sent to the phone. If not set, late answers are not tracked. */
  readonly asked?: (call: IpcCall, subject: S, topic: string, requestId: string) => void
  /** Main verifies the wallet's answer and submits it. */
  readonly answered: (call: IpcCall, subject: S, answer: string) => Promise<Result<T, Failure>>
  /** Reports to main that the wallet did not sign. If not set, the same request may be sent again until it expires. */
  readonly declined?: (call: IpcCall, subject: S, why: DeclineReason, detail: string | null) => Promise<Declined>
  /** The intent to follow after success. If not set, the sheet closes. */
  readonly follows?: (value: T) => Intent
}

export interface Declined {
  readonly again: Again
  /** An intent that may still execute although the wallet did not sign. If set, the sheet follows that intent. */
  readonly intent?: Intent
}

export interface Signing<S, H = HandConfirmation> {
  /** The open sheet; null while it is closed. */
  readonly open: { readonly subject: S; readonly flow: SigningFlow } | null
  /** Opens the sheet and withdraws any earlier wallet request. */
  readonly start: (subject: S) => void
  /** Shows an updated version of the same subject without restarting the flow. */
  readonly show: (subject: S) => void
  readonly follow: (intent: Intent) => void
  readonly send: (confirmation: H) => void
  readonly sendAgain: () => void
  /** Withdraws the wallet request without reporting to main: the request that replaces this one reports it. */
  readonly replace: () => void
  /** Withdraws the request and closes the sheet. */
  readonly close: () => void
  /** Closes alone. */
  readonly leave: () => void
}

type Parts<T> = Pick<AskingParts<T>, 'sign' | 'clock' | 'dispatch' | 'onDone'> & { readonly call: IpcCall }

/**
 * Creates the signing of one subject, such as an order. `kind` has the calls to main: asking for permission, submitting the answer, reporting a
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

/** The only flow that asks the wallet to sign, for sign-ins, grants, payments and orders: from preparation to the result of the wallet's answer. */
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

/** A subject of the signing sheet that has an intent, with the preparation from main. */
interface OfIntent {
  readonly prepared: { readonly intent: Intent; readonly preparedAtMs: number }
}

/**
 * How the sheet signs intents. Main receives the signature or, if the wallet broadcasts itself, the transaction hash. `more`: whether another
 * transaction follows.
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
    // If another transaction follows, the intent is already waiting for that one. Show the transaction that the wallet just broadcast instead.
    if (taken.ok) return more(subject) && isAsked(taken.value) ? ok({ ...taken.value, state: 'SUBMITTED', txHash: answer }) : taken
    if (!leavesUnknown(taken.failure)) return taken
    // The relay's answer was lost. Read the intent's stored state, and follow the intent like any other.
    const known = await call('intents.get', { ref })
    return known.ok ? ok(known.value.intent) : taken
  },
  declined: async (call, { prepared }, why, detail) => {
    const told = await call('intents.declined', { ref: prepared.intent.ref, why, detail })
    if (!told.ok) return { again: null }
    if (told.value.state === 'PREPARED') return { again: 'send' }
    // The phone may still broadcast the transaction. The app follows the intent as if it were sent, and never asks for the same transaction again.
    return isTerminal(told.value.state) ? { again: 'prepare' } : { again: 'prepare', intent: told.value }
  },
  follows: (intent) => intent,
})

/**
 * Like `useSigning`, for an intent: also polls the intent until it is final. If `apart` returns true, the sheet shows each transaction separately,
 * so polls do not update it.
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
    // Show the polled intent, unless it is older than main's last answer.
    if (shown !== null && isWhole && newest !== shown && newest?.ref === ref && newest.updatedAtMs >= shown.updatedAtMs) follow(newest)
  }, [follow, isWhole, newest, ref, shown])
  return signing
}
