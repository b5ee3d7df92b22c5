import type { Failure } from '../../../shared/ipc/failure.ts'
import type { ContractConcern } from '../../../shared/ipc/intents/comparison-lines.ts'
import { blockedBy, type IntentReason, signingRefused } from '../../../shared/ipc/intents/reasons.ts'
import type { RouterCheck } from '../../../shared/ipc/intents/signing.ts'
import { isPhrase, phraseOf } from '../../../shared/phrases.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import type { Compared } from '../../../shared/signing/comparison.ts'
import { acceptsRouter, type ExpectedRouter, type RouterDecision, sameAddress } from '../../../shared/signing/trust.ts'
import type { Trust } from './trust.ts'

/**
 * Returns the router that a message must name. Normally this is the trusted router. If the service changed its router and the user may confirm the
 * new one, it is the new router. The user confirms it in a later step; with the old router, the comparison would block the message before that
 * step.
 */
export function expectedRouter(decision: RouterDecision | null, pinned: string | null): ExpectedRouter | null {
  if (decision?.state === 'changed' && decision.confirmable) return { by: 'service', address: decision.candidate, instead: decision.pinned }
  if (pinned !== null) return { by: 'pin', address: pinned }
  const published = decision?.publishedByConfig ?? decision?.publishedByMeta ?? null
  return published === null ? null : { by: 'service', address: published, instead: null }
}

/**
 * Returns the contract that a message must name: a trusted contract, a contract that the user may confirm, or else the result of `expectedRouter`.
 */
export function expectedContract(decision: RouterDecision | null, pinned: string | null): ExpectedRouter | null {
  if (decision?.state === 'pinned') return { by: 'pin', address: decision.candidate }
  if (decision?.isOther === true && decision.confirmable) return { by: 'service', address: decision.candidate, instead: null }
  return expectedRouter(decision, pinned)
}

/** The part of a decision about a router that the window shows. */
export const shownRouter = (decision: RouterDecision | null): RouterCheck | null => {
  if (decision === null) return null
  const { concerns: _, confirmable: __, isOther: ___, ...check } = decision
  return check
}

/** Returns why the user can't confirm a contract; null if the contract is trusted or the user may confirm it. */
export const concernOf = (decision: RouterDecision | null): ContractConcern | null =>
  decision === null || decision.state === 'pinned' || decision.confirmable ? null : (decision.concerns[0] ?? null)

/** Blocks the whole message if it names a contract that the user can't confirm, even if every field matches. */
export function holdAgainst(compared: Compared, router: RouterDecision | null): Compared {
  const { comparison } = compared
  const concern = concernOf(router)
  if (concern === null) return compared
  return { ...compared, comparison: { ...comparison, verdict: 'block', blocked: comparison.blocked ?? { code: 'contract', by: concern } } }
}

/** Returns why the wallet must not sign a message; null if nothing is wrong. */
export const blockOf = ({ comparison }: Compared): IntentReason | null => (comparison.verdict === 'block' ? blockedBy(comparison.blocked) : null)

/** A contract that a message or transaction names. `confirm` makes it trusted once the user confirmed it. */
export interface NamedContract {
  readonly decision: RouterDecision
  confirm(decision: RouterDecision, typed: string | null): Result<void, Failure>
}

/** The confirmations that the user typed: for a signing format, and for contracts. */
export interface Typed {
  readonly phrase: string | null
  /** What the user typed to confirm contracts: "yes", or full addresses separated by spaces. */
  readonly router: string | null
}

/**
 * Checks that the user confirmed every contract that is not trusted yet. Trusts all of them or none. Fails with `confirmation_required` or
 * `signing_refused`.
 */
export function confirmContracts(contracts: readonly NamedContract[], typedRouter: string | null): Result<void, Failure> {
  const words = (typedRouter ?? '').trim().split(/\s+/)
  // If the message names several contracts, the user types several addresses. Each address confirms its own contract.
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
 * Checks that the user confirmed the signing format, by typing the required phrase, and all contracts that are not trusted yet. Stores format and
 * contracts only if the user confirmed all of them. Fails with `confirmation_required` or `signing_refused`.
 */
export function agreeTo(
  trust: Pick<Trust, 'addFormat'>,
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
  trust.addFormat(kind, compared.pin)
  return ok(undefined)
}
