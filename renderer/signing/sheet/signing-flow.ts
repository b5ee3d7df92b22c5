import type { Failure } from '../../../shared/ipc/failure.ts'
import type { Intent } from '../../../shared/ipc/intents/orders.ts'
import { isTerminal, type SigningTimes } from '../progress/intent-way.ts'
import type { SigningPhase } from './signing-sheet.tsx'
import type { SigningStop } from './signing-stop.ts'

export interface SigningFlow {
  readonly phase: SigningPhase
  readonly times: SigningTimes
}

export type SigningEvent =
  /** The button was pressed: main is asked whether the wallet may be. */
  | { readonly type: 'sending' }
  /** Main said no, or wants something typed first. */
  | { readonly type: 'ask_failed'; readonly failure: Failure }
  | { readonly type: 'asked'; readonly atMs: number }
  | { readonly type: 'relay'; readonly relay: 'reached' | 'lost' }
  | { readonly type: 'signed'; readonly atMs: number }
  /** `again`: what may be tried after it. */
  | { readonly type: 'stopped'; readonly stop: SigningStop; readonly again: 'send' | 'prepare' | null }
  /** Main took the signature, or a later look at the intent. */
  | { readonly type: 'followed'; readonly intent: Intent }

/** `after` is how many steps follow the signature. */
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
    // The first look after the relay took it is the nearest time there is; later looks must not move it.
    afterMs: [sentMs ?? (relayed.has(intent.state) ? intent.updatedAtMs : null), intent.state === 'FINAL' ? (finalMs ?? intent.updatedAtMs) : null],
  }
}

function askFailed(phase: SigningPhase, failure: Failure): SigningPhase {
  if (failure.kind === 'expired') return { kind: 'stopped', stop: { kind: 'too_late' }, again: 'prepare' }
  if (phase.kind !== 'review') return { kind: 'stopped', stop: { kind: 'refused', failure, signed: false }, again: null }
  return { kind: 'review', busy: false, failure }
}

/** What the sheet shows next. Events that come too late, such as an answer after the request was taken back, change nothing. */
export function nextFlow(flow: SigningFlow, event: SigningEvent): SigningFlow {
  const { phase, times } = flow
  switch (event.type) {
    case 'sending':
      return phase.kind === 'review' ? { ...flow, phase: { ...phase, busy: true, failure: null } } : flow
    case 'ask_failed':
      return phase.kind === 'followed' ? flow : { ...flow, phase: askFailed(phase, event.failure) }
    case 'asked':
      return phase.kind === 'followed' ? flow : { phase: { kind: 'waiting', relay: 'reached' }, times: { ...times, askedAtMs: event.atMs, signedAtMs: null } }
    case 'relay':
      return phase.kind === 'waiting' ? { ...flow, phase: { ...phase, relay: event.relay } } : flow
    case 'signed':
      return phase.kind === 'waiting' || phase.kind === 'stopped'
        ? { phase: { kind: 'waiting', relay: 'reached' }, times: { ...times, signedAtMs: event.atMs } }
        : flow
    case 'stopped':
      return phase.kind === 'followed' ? flow : { ...flow, phase: { kind: 'stopped', stop: event.stop, again: event.again } }
    case 'followed':
      // An end that was shown stays, unless the chain itself takes a final one back.
      if (phase.kind === 'followed' && isTerminal(phase.intent.state) && phase.intent.state !== 'FINAL' && !isTerminal(event.intent.state)) return flow
      return { phase: { kind: 'followed', intent: event.intent }, times: followedTimes(times, event.intent) }
  }
}
