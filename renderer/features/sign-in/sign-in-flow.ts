import type { Output } from '../../../shared/ipc/contract.ts'
import type { Failure } from '../../../shared/ipc/failure.ts'
import type { ChallengeView } from '../../../shared/ipc/keys/session.ts'
import type { DeskCall } from '../../ipc/use-desk.ts'
import type { Sign, SignFailure } from '../../signing/wallet/sign.ts'

/** Where a sign-in stands. The challenge stays on screen until it is done or replaced. */
export type Stage =
  | { readonly kind: 'reading' }
  | { readonly kind: 'review'; readonly challenge: ChallengeView }
  /** `asked`: the request has left for the phone. */
  | { readonly kind: 'waiting'; readonly challenge: ChallengeView; readonly asked: boolean }
  | { readonly kind: 'finishing'; readonly challenge: ChallengeView }
  /** The wallet gave no signature; it can be asked again while the challenge lives. */
  | { readonly kind: 'unsigned'; readonly challenge: ChallengeView; readonly why: SignFailure }
  | { readonly kind: 'failed'; readonly challenge: ChallengeView | null; readonly failure: Failure }
  | { readonly kind: 'done'; readonly status: Output<'session.status'> }

interface FlowParts {
  readonly call: DeskCall
  readonly sign: Sign
  readonly show: (stage: Stage) => void
}

/** Asks the service for a text to sign. Main reads and checks it; nothing of it has reached the wallet. */
export async function readChallenge({ call, show }: Omit<FlowParts, 'sign'>, signal: AbortSignal): Promise<void> {
  show({ kind: 'reading' })
  const challenge = await call('session.challenge', {})
  if (signal.aborted) return
  show(challenge.ok ? { kind: 'review', challenge: challenge.value } : { kind: 'failed', challenge: null, failure: challenge.failure })
}

/** Has main agree, asks the phone, and brings the signature to the service. */
export async function signIn({ call, sign, show }: FlowParts, challenge: ChallengeView, acceptLayout: boolean, signal: AbortSignal): Promise<void> {
  show({ kind: 'waiting', challenge, asked: false })
  const request = await call('session.ask', { id: challenge.id, acceptLayout })
  if (signal.aborted) return
  if (!request.ok) {
    show({ kind: 'failed', challenge, failure: request.failure })
    return
  }
  const signed = await sign(request.value, { signal, onAsked: () => show({ kind: 'waiting', challenge, asked: true }) })
  if (signal.aborted) return
  if (!signed.ok) {
    show({ kind: 'unsigned', challenge, why: signed.failure })
    return
  }
  show({ kind: 'finishing', challenge })
  const status = await call('session.complete', { id: challenge.id, signature: signed.value.signature })
  if (signal.aborted) return
  show(status.ok ? { kind: 'done', status: status.value } : { kind: 'failed', challenge, failure: status.failure })
}
