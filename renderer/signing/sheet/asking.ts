import type { Failure } from '../../../shared/ipc/failure.ts'
import type { SignRequest } from '../../../shared/ipc/intents/signing.ts'
import type { Result } from '../../../shared/result.ts'
import type { Clock } from '../../../shared/time.ts'
import type { HandConfirmation } from '../parts/signing-message.ts'
import type { SigningEvent } from './signing-flow.ts'
import type { SigningStop } from './signing-stop.ts'

/** Why the wallet gave nothing, as the journal takes it (`intents.declined`). */
export type DeclineReason = 'rejected' | 'expired' | 'cancelled' | 'unreachable' | 'failed'

interface WalletRefusal {
  readonly kind: 'rejected' | 'expired' | 'unreachable' | 'wrong_chain' | 'wrong_account' | 'disconnected' | 'failed'
  readonly detail: string
}

export interface AskingParts<T> {
  /** Main agrees that the wallet may be asked, and gives the message. */
  readonly ask: (confirmation: HandConfirmation) => Promise<Result<SignRequest, Failure>>
  readonly sign: (
    request: SignRequest,
    choices: {
      readonly onAsked: (topic: string, requestId: string) => void
      readonly signal: AbortSignal
      readonly onLate: (signature: string) => void
    },
  ) => Promise<Result<{ readonly signature: string }, WalletRefusal>>
  /** The request left for the phone. */
  readonly asked: (topic: string, requestId: string) => void
  /** Main checks the signature and sends it on. */
  readonly signed: (signature: string) => Promise<Result<T, Failure>>
  /** Tells main, and answers what may be tried next. */
  readonly declined: (why: DeclineReason, detail: string | null) => Promise<'send' | 'prepare' | null>
  readonly onDone: (value: T) => void
  readonly dispatch: (event: SigningEvent) => void
  readonly clock: Clock
}

export interface Asking {
  /** Asks the wallet; pressed again, asks once more while an answer to the earlier request still counts. */
  readonly send: (confirmation: HandConfirmation) => Promise<void>
  /** Takes the request back: a later answer is not used. Does nothing once a signature came. */
  readonly cancel: () => Promise<void>
  /** As `cancel`, where main is told by what takes its place. */
  readonly replace: () => void
}

function stopOf(refusal: WalletRefusal, late: boolean): SigningStop {
  switch (refusal.kind) {
    case 'rejected':
    case 'unreachable':
      return { kind: refusal.kind }
    case 'expired':
      return { kind: late ? 'too_late' : 'request_expired' }
    case 'wrong_chain':
      return { kind: 'wrong_chain', detail: refusal.detail }
    case 'wrong_account':
      return { kind: 'wrong_wallet', detail: refusal.detail }
    case 'disconnected':
      return { kind: 'no_wallet' }
    case 'failed':
      return { kind: 'wallet_failed', detail: refusal.detail }
  }
}

const reasons: Readonly<Record<WalletRefusal['kind'], DeclineReason>> = {
  rejected: 'rejected',
  expired: 'expired',
  unreachable: 'unreachable',
  wrong_chain: 'failed',
  wrong_account: 'failed',
  disconnected: 'failed',
  failed: 'failed',
}

/** Leads one message from the button to its signature. At most one signature is ever sent on. */
export function createAsking<T>({ ask, sign, asked, signed, declined, onDone, dispatch, clock }: AskingParts<T>): Asking {
  let latest = 0
  let settled = false
  const stop = new AbortController()

  const take = async (signature: string): Promise<void> => {
    settled = true
    dispatch({ type: 'signed', atMs: clock.now() })
    const sent = await signed(signature)
    if (sent.ok) {
      onDone(sent.value)
      return
    }
    // A signature by another account was not used, so the right one may still come.
    const again = sent.failure.kind === 'signature_invalid' ? 'send' : null
    settled = again === null
    dispatch({ type: 'stopped', stop: { kind: 'refused', failure: sent.failure, signed: true }, again })
  }

  /** What came when nobody waited for it. Main drops a signature after its deadline, and follows what was broadcast whenever it hears of it. */
  const takeLate = async (signature: string, { method, expiresAtMs }: SignRequest): Promise<void> => {
    if (settled || (method !== 'eth_sendTransaction' && clock.now() < expiresAtMs)) return
    settled = true
    const atMs = clock.now()
    const sent = await signed(signature)
    // The sheet is about something else by now, or gone.
    if (stop.signal.aborted) return
    if (sent.ok) onDone(sent.value)
    else if (sent.failure.kind === 'expired') dispatch({ type: 'stopped', stop: { kind: 'late_answer', atMs, answer: signature }, again: 'prepare' })
    else dispatch({ type: 'stopped', stop: { kind: 'refused', failure: sent.failure, signed: true }, again: null })
  }

  return {
    send: async (confirmation) => {
      latest += 1
      const mine = latest
      const current = () => mine === latest && !settled && !stop.signal.aborted
      dispatch({ type: 'sending' })
      const request = await ask(confirmation)
      if (!current()) return
      if (!request.ok) {
        dispatch({ type: 'ask_failed', failure: request.failure })
        return
      }
      dispatch({ type: 'asked', atMs: clock.now() })
      const onAsked = (topic: string, requestId: string) => {
        asked(topic, requestId)
        if (current()) dispatch({ type: 'asked', atMs: clock.now() })
      }
      const onLate = (signature: string) => void takeLate(signature, request.value)
      const answer = await sign(request.value, { onAsked, signal: stop.signal, onLate })
      if (answer.ok) {
        if (!settled && !stop.signal.aborted) await take(answer.value.signature)
        return
      }
      if (!current()) return
      const again = await declined(reasons[answer.failure.kind], answer.failure.detail)
      const late = clock.now() >= request.value.expiresAtMs
      if (current()) dispatch({ type: 'stopped', stop: stopOf(answer.failure, late), again: late ? 'prepare' : again })
    },
    cancel: async () => {
      if (settled || stop.signal.aborted) return
      stop.abort()
      await declined('cancelled', null)
    },
    replace: () => {
      if (!settled) stop.abort()
    },
  }
}
