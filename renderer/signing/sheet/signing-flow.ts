import type { Failure } from '../../../shared/ipc/failure.ts'
import type { Intent } from '../../../shared/ipc/intents/orders.ts'
import type { SignRequest } from '../../../shared/ipc/intents/signing.ts'
import type { Result } from '../../../shared/result.ts'
import type { Clock } from '../../../shared/time.ts'
import type { IpcCall } from '../../ipc/use-ipc.ts'
import type { HandConfirmation } from '../parts/signing-message.ts'
import { isTerminal, type SigningTimes } from '../progress/intent-path.ts'
import type { Sign, SignFailure } from '../wallet/sign.ts'
import type { SigningStop } from './signing-stop.ts'

/** What the user can try after the signing stopped. `send`: send the same message again. `prepare`: prepare a new message. null: nothing. */
export type Again = 'send' | 'prepare' | null

export type SigningPhase =
  | { readonly kind: 'review'; readonly busy: boolean; readonly failure: Failure | null }
  /** `onPhone`: whether the request has been sent to the phone. */
  | { readonly kind: 'waiting'; readonly onPhone: boolean }
  | { readonly kind: 'stopped'; readonly stop: SigningStop; readonly again: Again }
  | { readonly kind: 'followed'; readonly intent: Intent }

export interface SigningFlow {
  readonly phase: SigningPhase
  readonly times: SigningTimes
}

export type SigningEvent =
  | { readonly type: 'start'; readonly preparedAtMs: number }
  /** The user pressed "Send to wallet"; the app now asks main whether the request may go to the wallet. */
  | { readonly type: 'sending' }
  /** Main refused the request, or requires a typed confirmation first. */
  | { readonly type: 'ask_failed'; readonly failure: Failure }
  /** Main agreed that the request may go to the wallet. `onPhone`: whether the request has been sent to the phone. */
  | { readonly type: 'asked'; readonly atMs: number; readonly onPhone: boolean }
  | { readonly type: 'signed'; readonly atMs: number }
  /** The signing stopped. `again`: what the user can try next. */
  | { readonly type: 'stopped'; readonly stop: SigningStop; readonly again: Again }
  /** Main accepted the signature, or a later poll returned the intent. */
  | { readonly type: 'followed'; readonly intent: Intent }

/** Returns the state of the sheet for a message that was just prepared. `after`: number of steps after the signature. */
export const startFlow = (preparedAtMs: number, after: number): SigningFlow => ({
  phase: { kind: 'review', busy: false, failure: null },
  times: { preparedAtMs, askedAtMs: null, signedAtMs: null, afterMs: Array.from({ length: after }, () => null) },
})

const relayed = new Set<Intent['state']>(['SUBMITTED', 'CONFIRMING', 'FINAL', 'REVERTED'])

function followedTimes(times: SigningTimes, intent: Intent): SigningTimes {
  const [sentMs = null, finalMs = null] = times.afterMs
  return {
    ...times,
    signedAtMs: times.signedAtMs ?? intent.updatedAtMs,
    // The exact time at which the relay accepted the signature is unknown. Use the time of the first poll that shows the acceptance, and keep it in
    // later polls.
    afterMs: [sentMs ?? (relayed.has(intent.state) ? intent.updatedAtMs : null), intent.state === 'FINAL' ? (finalMs ?? intent.updatedAtMs) : null],
  }
}

function askFailed(phase: SigningPhase, failure: Failure): SigningPhase {
  if (failure.kind === 'expired') return { kind: 'stopped', stop: { kind: 'too_late' }, again: 'prepare' }
  if (phase.kind !== 'review') return { kind: 'stopped', stop: { kind: 'refused', failure, signed: false }, again: null }
  return { kind: 'review', busy: false, failure }
}

/** Returns the sheet's next state. An event that arrives too late, such as an answer after the request was withdrawn, changes nothing. */
export function nextFlow(flow: SigningFlow, event: SigningEvent): SigningFlow {
  const { phase, times } = flow
  if (event.type === 'start') return startFlow(event.preparedAtMs, times.afterMs.length)
  if (event.type === 'followed') {
    // An end state stays on screen. Only a final intent may change again, because the chain can revert it.
    if (phase.kind === 'followed' && isTerminal(phase.intent.state) && phase.intent.state !== 'FINAL' && !isTerminal(event.intent.state)) return flow
    return { phase: { kind: 'followed', intent: event.intent }, times: followedTimes(times, event.intent) }
  }
  if (phase.kind === 'followed') return flow
  switch (event.type) {
    case 'sending':
      return phase.kind === 'review' ? { ...flow, phase: { ...phase, busy: true, failure: null } } : flow
    case 'ask_failed':
      return { ...flow, phase: askFailed(phase, event.failure) }
    case 'asked':
      return { phase: { kind: 'waiting', onPhone: event.onPhone }, times: { ...times, askedAtMs: event.atMs, signedAtMs: null } }
    case 'signed':
      return phase.kind === 'review' ? flow : { phase: { kind: 'waiting', onPhone: true }, times: { ...times, signedAtMs: event.atMs } }
    case 'stopped':
      return { ...flow, phase: { kind: 'stopped', stop: event.stop, again: event.again } }
  }
}

/** Why the wallet did not sign, in the words that the `intents.declined` call uses. */
export type DeclineReason = 'rejected' | 'expired' | 'cancelled' | 'unreachable' | 'failed'

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
  /**
   * Reports to main that the wallet did not sign. Returns what the user can try next, or an intent that may still execute although the wallet did
   * not sign; the sheet then shows the progress of this intent. Without this callback, the same request may be sent again until it expires.
   */
  readonly declined?: (call: IpcCall, subject: S, why: DeclineReason, detail: string | null) => Promise<Again | Intent>
  /** Returns the intent to follow after success. Without this function, the sheet closes. */
  readonly follows?: (value: T) => Intent
}

/** What the signing of one message uses besides its kind. `T`: main's result after the wallet answered. */
interface AskingParts<T> {
  readonly call: IpcCall
  readonly sign: Sign
  readonly onDone: (value: T) => void
  readonly dispatch: (event: SigningEvent) => void
  readonly clock: Clock
}

export type Asking<H = HandConfirmation> = ReturnType<typeof createAsking<never, never, H>>

/** What each failure of the wallet means: the reason for main, and the stop that the sheet shows. */
const failures: Readonly<Record<SignFailure['kind'], { readonly why: DeclineReason; readonly stop: (detail: string) => SigningStop }>> = {
  rejected: { why: 'rejected', stop: () => ({ kind: 'rejected' }) },
  expired: { why: 'expired', stop: () => ({ kind: 'request_expired' }) },
  unreachable: { why: 'unreachable', stop: () => ({ kind: 'unreachable' }) },
  wrong_chain: { why: 'failed', stop: (detail) => ({ kind: 'wrong_chain', detail }) },
  wrong_account: { why: 'failed', stop: (detail) => ({ kind: 'wrong_wallet', detail }) },
  disconnected: { why: 'failed', stop: () => ({ kind: 'no_wallet' }) },
  failed: { why: 'failed', stop: (detail) => ({ kind: 'wallet_failed', detail }) },
}

/**
 * Runs the signing of one subject, such as an order, from pressing "Send to wallet" to the signature. Submits at most one signature. `kind` provides
 * the calls to main: request permission, submit the answer, report a rejection.
 */
export function createAsking<S, T, H = HandConfirmation>(kind: SigningKind<S, T, H>, subject: S, parts: AskingParts<T>) {
  const { call, sign, onDone, dispatch, clock } = parts
  let latest = 0
  let settled = false
  const stop = new AbortController()

  /** Reports to main why the wallet did not sign. Resolves to what the user can try next. */
  const declined = async (why: DeclineReason, detail: string | null): Promise<Again> => {
    const next = kind.declined === undefined ? 'send' : await kind.declined(call, subject, why, detail)
    if (next === null || typeof next === 'string') return next
    dispatch({ type: 'followed', intent: next })
    return 'prepare'
  }

  /**
   * Passes the wallet's answer to main. `isLate`: the app had stopped waiting. Main drops a signature past its deadline. But main always follows a
   * broadcast transaction, however late its hash arrives.
   */
  const take = async (answer: string, isLate: boolean): Promise<void> => {
    settled = true
    const atMs = clock.now()
    if (!isLate) dispatch({ type: 'signed', atMs })
    const sent = await kind.answered(call, subject, answer)
    // Show no result: the sheet is closed, or already shows another message.
    if (isLate && stop.signal.aborted) return
    if (sent.ok) return onDone(sent.value)
    const { failure } = sent
    // The signature was invalid because another account made it. The right account may still sign, so allow sending the same message again.
    const again = !isLate && failure.kind === 'signature_invalid' ? 'send' : null
    settled = again === null
    if (isLate && failure.kind === 'expired') dispatch({ type: 'stopped', stop: { kind: 'late_answer', atMs, answer }, again: 'prepare' })
    else dispatch({ type: 'stopped', stop: { kind: 'refused', failure, signed: true }, again })
  }

  return {
    /** Sends the request to the wallet. If called again, sends another request; an answer to the earlier request still counts. */
    send: async (confirmation: H): Promise<void> => {
      latest += 1
      const mine = latest
      const current = () => mine === latest && !settled && !stop.signal.aborted
      dispatch({ type: 'sending' })
      const request = await kind.ask(call, subject, confirmation)
      if (!current()) return
      if (!request.ok) {
        dispatch({ type: 'ask_failed', failure: request.failure })
        return
      }
      dispatch({ type: 'asked', atMs: clock.now(), onPhone: false })
      const onAsked = (topic: string, requestId: string) => {
        kind.asked?.(call, subject, topic, requestId)
        if (current()) dispatch({ type: 'asked', atMs: clock.now(), onPhone: true })
      }
      const onLate = (signature: string): void => {
        const isUsed = request.value.method === 'eth_sendTransaction' || clock.now() >= request.value.expiresAtMs
        if (isUsed && !settled) void take(signature, true)
      }
      const answer = await sign(request.value, { onAsked, signal: stop.signal, onLate })
      if (answer.ok) return settled || stop.signal.aborted ? undefined : take(answer.value.signature, false)
      if (!current()) return
      const { kind: failed, detail } = answer.failure
      const { why, stop: shown } = failures[failed]
      const again = await declined(why, detail)
      const late = clock.now() >= request.value.expiresAtMs
      if (current()) dispatch({ type: 'stopped', stop: late && failed === 'expired' ? { kind: 'too_late' } : shown(detail), again: late ? 'prepare' : again })
    },
    /** Withdraws the request and ignores any later answer. Does nothing once a signature has arrived. */
    cancel: async (): Promise<void> => {
      if (settled || stop.signal.aborted) return
      stop.abort()
      await declined('cancelled', null)
    },
    /** Like `cancel`, but does not report the withdrawal to main, because the new request reports that it replaces this one. */
    replace: (): void => {
      if (!settled) stop.abort()
    },
  }
}
