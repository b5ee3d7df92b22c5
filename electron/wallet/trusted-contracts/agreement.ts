import type { Failure } from '../../../shared/ipc/failure.ts'
import { blockedBy, type IntentReason, signingRefused } from '../../../shared/ipc/intents/reasons.ts'
import type { RouterCheck } from '../../../shared/ipc/intents/signing.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import type { Compared } from '../../../shared/signing/comparison.ts'
import { isPhrase, phraseOf } from '../../../shared/signing/confirmation-phrase.ts'
import { acceptsRouter, type ExpectedRouter, type RouterDecision, sameAddress } from '../../../shared/signing/pins.ts'
import type { Pins } from './pins.ts'

/** The router that a message is held against: a change that the user may confirm is confirmed by itself, and must not block here. */
export function expectedRouter(decision: RouterDecision | null, pinned: string | null): ExpectedRouter | null {
  if (decision?.state === 'changed' && decision.confirmable) return { by: 'service', address: decision.candidate, instead: decision.pinned }
  if (pinned !== null) return { by: 'pin', address: pinned }
  const published = decision?.publishedByConfig ?? decision?.publishedByMeta ?? null
  return published === null ? null : { by: 'service', address: published, instead: null }
}

/** As `expectedRouter`, for what may be any of the trusted contracts. */
export function expectedContract(decision: RouterDecision | null, pinned: string | null): ExpectedRouter | null {
  if (decision?.state === 'pinned') return { by: 'pin', address: decision.candidate }
  if (decision?.isOther === true && decision.confirmable) return { by: 'service', address: decision.candidate, instead: null }
  return expectedRouter(decision, pinned)
}

/** What the window shows of a decision. */
export const shownRouter = (decision: RouterDecision | null): RouterCheck | null => {
  if (decision === null) return null
  const { concerns: _, confirmable: __, isOther: ___, ...check } = decision
  return check
}

/** What speaks against a contract that nobody may confirm; null where it is pinned, or may be. */
export const concernOf = (decision: RouterDecision | null): string | null =>
  decision === null || decision.state === 'pinned' || decision.confirmable ? null : (decision.concerns[0] ?? null)

/** A contract that nobody may confirm blocks the whole message, whatever its lines say. */
export function holdAgainst(compared: Compared, router: RouterDecision | null): Compared {
  const { comparison } = compared
  const concern = concernOf(router)
  if (concern === null) return compared
  return { ...compared, comparison: { ...comparison, verdict: 'block', sentence: comparison.verdict === 'block' ? (comparison.sentence ?? concern) : concern } }
}

/** Why a message must not be signed; null where nothing speaks against it. */
export const blockOf = ({ comparison }: Compared): IntentReason | null => (comparison.verdict === 'block' ? blockedBy(comparison.sentence) : null)

/** A contract that a message or a transaction names, and what pins it. */
export interface NamedContract {
  readonly decision: RouterDecision
  confirm(decision: RouterDecision, typed: string | null): Result<void, Failure>
}

/** What the user typed: for a layout, and for contracts. */
export interface Typed {
  readonly phrase: string | null
  /** "yes", or full addresses with a space between. */
  readonly router: string | null
}

/** The user's word for contracts that are not pinned yet: all are pinned, or none. Fails with `confirmation_required` or `signing_refused`. */
export function confirmContracts(contracts: readonly NamedContract[], typedRouter: string | null): Result<void, Failure> {
  const words = (typedRouter ?? '').trim().split(/\s+/)
  // With several to name, each address typed counts for its own.
  const typedFor = ({ candidate }: RouterDecision) => words.find((word) => sameAddress(word, candidate)) ?? typedRouter
  const open = contracts.find(({ decision }) => !acceptsRouter(decision, typedFor(decision)))
  if (open !== undefined) return open.confirm(open.decision, typedFor(open.decision))
  for (const { decision, confirm } of contracts) {
    const answer = confirm(decision, typedFor(decision))
    if (!answer.ok) return answer
  }
  return ok(undefined)
}

/**
 * The user's word for what is new: the phrase that `asks` names, and its contracts. All is pinned once all is agreed to. Fails with `confirmation_required`
 * or `signing_refused`.
 */
export function agreeTo(
  pins: Pick<Pins, 'addLayout'>,
  kind: string,
  { compared, contracts }: { readonly compared: Compared; readonly contracts: readonly NamedContract[] },
  typed: Typed,
): Result<void, Failure> {
  const blocked = blockOf(compared)
  if (blocked !== null) return fail(signingRefused(blocked))
  const { asks } = compared.comparison
  if (asks !== null && !isPhrase(typed.phrase, phraseOf(asks)))
    return fail({ kind: 'confirmation_required', what: asks.kind === 'unreadable_call' ? 'transaction' : 'layout', expected: phraseOf(asks) })
  const confirmed = confirmContracts(contracts, typed.router)
  if (!confirmed.ok) return confirmed
  pins.addLayout(kind, compared.pin)
  return ok(undefined)
}

/** As `agreeTo`, for a message that names the router alone. One that names no contract is never agreed to. */
export const agree = (
  pins: Pick<Pins, 'addLayout' | 'confirmRouter'>,
  kind: string,
  { compared, router }: { readonly compared: Compared; readonly router: RouterDecision | null },
  typed: Typed,
): Result<void, Failure> =>
  router === null
    ? fail(signingRefused(blockOf(compared) ?? blockedBy(null)))
    : agreeTo(pins, kind, { compared, contracts: [{ decision: router, confirm: pins.confirmRouter }] }, typed)
