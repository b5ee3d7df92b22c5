import type { Failure } from '../../shared/ipc/failure.ts'
import type { RouterCheck } from '../../shared/ipc/signing.ts'
import { fail, ok, type Result } from '../../shared/result.ts'
import type { Compared } from '../../shared/signing/comparison.ts'
import { confirmationPhrase, isConfirmed } from '../../shared/signing/confirmation-phrase.ts'
import type { ExpectedRouter, RouterDecision } from '../../shared/signing/pins.ts'
import type { Pins } from './pins.ts'

/** The router that a message is held against: a change that the user may confirm is confirmed by itself, and must not block here. */
export function expectedRouter(decision: RouterDecision | null, pinned: string | null): ExpectedRouter | null {
  if (decision?.state === 'changed' && decision.confirmable) return { by: 'service', address: decision.candidate, instead: decision.pinned }
  if (pinned !== null) return { by: 'pin', address: pinned }
  const published = decision?.publishedByConfig ?? decision?.publishedByMeta ?? null
  return published === null ? null : { by: 'service', address: published, instead: null }
}

/** What the window shows of a decision. */
export const shownRouter = (decision: RouterDecision | null): RouterCheck | null => {
  if (decision === null) return null
  const { concerns: _, confirmable: __, ...check } = decision
  return check
}

/** A router that nobody may confirm blocks the whole message, whatever its lines say. */
export function holdAgainst(compared: Compared, router: RouterDecision | null): Compared {
  const { comparison } = compared
  const concern = router === null || router.state === 'pinned' || router.confirmable ? undefined : router.concerns[0]
  if (concern === undefined) return compared
  return { ...compared, comparison: { ...comparison, verdict: 'block', sentence: comparison.verdict === 'block' ? (comparison.sentence ?? concern) : concern } }
}

/** Why a message must not be signed; null where nothing speaks against it. */
export const blockOf = ({ comparison }: Compared): string | null =>
  comparison.verdict === 'block' ? (comparison.sentence ?? 'The message does not say what you asked for.') : null

/**
 * The user's word for what is new in a message: `typedPhrase` for its layout, `typedRouter` for its contract. Both are pinned once both are
 * agreed to. Fails with `confirmation_required` or `signing_refused`.
 */
export function agree(
  pins: Pins,
  kind: string,
  message: { readonly compared: Compared; readonly router: RouterDecision },
  typed: { readonly phrase: string | null; readonly router: string | null },
): Result<void, Failure> {
  const blocked = blockOf(message.compared)
  if (blocked !== null) return fail({ kind: 'signing_refused', sentence: blocked })
  if (message.compared.comparison.verdict === 'confirm' && !isConfirmed(typed.phrase))
    return fail({ kind: 'confirmation_required', what: 'layout', expected: confirmationPhrase })
  const confirmed = pins.confirmRouter(message.router, typed.router)
  if (!confirmed.ok) return confirmed
  pins.addLayout(kind, message.compared.pin)
  return ok(undefined)
}
