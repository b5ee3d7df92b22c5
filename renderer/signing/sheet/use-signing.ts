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
 * What differs between kinds of wallet requests. `S`: the sheet's subject. `T`: main's result of the wallet's answer. `H`: what is confirmed by hand.
 */
export interface SigningKind<S, T, H = HandConfirmation> {
  /** Steps after the signature. */
  readonly stepsAfter: number
  readonly preparedAtMs: (subject: S) => number
  readonly ask: (call: IpcCall, subject: S, hand: H) => Promise<Result<SignRequest, Failure>>
  /** The request left for the phone. Without it a late answer is not looked for. */
  readonly asked?: (call: IpcCall, subject: S, topic: string, requestId: string) => void
  /** Main checks what the wallet answered, and sends it on. */
  readonly answered: (call: IpcCall, subject: S, answer: string) => Promise<Result<T, Failure>>
  /** Tells main that the wallet gave nothing. Without it, the same may be asked for until its time is over. */
  readonly declined?: (call: IpcCall, subject: S, why: DeclineReason, detail: string | null) => Promise<Declined>
  /** What is followed then. Without it the sheet closes. */
  readonly follows?: (value: T) => Intent
}

export interface Declined {
  readonly again: Again
  /** It may still happen, and is followed. */
  readonly intent?: Intent
}

export interface Signing<S, H = HandConfirmation> {
  /** null: the sheet is closed. */
  readonly open: { readonly subject: S; readonly flow: SigningFlow } | null
  /** Opens the sheet. What the wallet was asked for before is taken back. */
  readonly start: (subject: S) => void
  /** Shows more of the same. */
  readonly show: (subject: S) => void
  readonly follow: (intent: Intent) => void
  readonly send: (confirmation: H) => void
  readonly sendAgain: () => void
  /** Withdraws the request, when the replacement itself informs main. */
  readonly replace: () => void
  /** Takes the request back, and closes. */
  readonly close: () => void
  /** Closes alone. */
  readonly leave: () => void
}

type Parts<T> = Pick<AskingParts<T>, 'sign' | 'clock' | 'dispatch' | 'onDone'> & { readonly call: IpcCall }

/** The conversation about one subject. */
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

/** From preparation to the result of the wallet's answer: the one conversation with the wallet for sign-ins, grants, payments and orders. */
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

/** An intent that was prepared, on the sheet. */
interface OfIntent {
  readonly prepared: { readonly intent: Intent; readonly preparedAtMs: number }
}

/** For intents: main gets the signature, or the hash of the wallet's broadcast. `more`: another transaction follows. */
export const intentSigning = <S extends OfIntent>(more: (subject: S) => boolean): SigningKind<S, Intent> => ({
  // Relayed or broadcast, then confirmed.
  stepsAfter: 2,
  preparedAtMs: ({ prepared }) => prepared.preparedAtMs,
  ask: (call, { prepared }, hand) => call('intents.ask', { ref: prepared.intent.ref, ...hand }),
  asked: (call, { prepared }, topic, requestId) => void call('intents.asked', { ref: prepared.intent.ref, topic, requestId }),
  answered: async (call, subject, answer) => {
    const { ref } = subject.prepared.intent
    const taken = await call('intents.answered', { ref, answer })
    // The intent continues; this follows the transaction just broadcast.
    if (taken.ok) return more(subject) && isAsked(taken.value) ? ok({ ...taken.value, state: 'SUBMITTED', txHash: answer }) : taken
    if (!leavesUnknown(taken.failure)) return taken
    // What the relay answered is not known: the intent itself says so, and it is followed like any other.
    const known = await call('intents.get', { ref })
    return known.ok ? ok(known.value.intent) : taken
  },
  declined: async (call, { prepared }, why, detail) => {
    const told = await call('intents.declined', { ref: prepared.intent.ref, why, detail })
    if (!told.ok) return { again: null }
    if (told.value.state === 'PREPARED') return { again: 'send' }
    // The phone may still broadcast it: it is followed like one that was sent, and never asked for again.
    return isTerminal(told.value.state) ? { again: 'prepare' } : { again: 'prepare', intent: told.value }
  },
  follows: (intent) => intent,
})

/** As `useSigning` of an intent, and followed to its end; not while `apart`, where its transactions are looked at one by one. */
export function useIntentSigning<S extends OfIntent>(kind: SigningKind<S, Intent>, apart: (subject: S) => boolean = () => false): Signing<S> {
  const signing = useSigning(kind)
  const { open, follow } = signing
  const ref = open?.subject.prepared.intent.ref ?? ''
  const shown = open?.flow.phase.kind === 'followed' ? open.flow.phase.intent : null
  const every = shown !== null && !isTerminal(shown.state) ? 1_000 : false
  const newest = useIpcQuery('intents.get', { ref }, { enabled: shown !== null, every }).data?.intent
  const isWhole = open !== null && !apart(open.subject)
  useEffect(() => {
    // What was read before the last answer of main says less than that.
    if (shown !== null && isWhole && newest !== shown && newest?.ref === ref && newest.updatedAtMs >= shown.updatedAtMs) follow(newest)
  }, [follow, isWhole, newest, ref, shown])
  return signing
}
