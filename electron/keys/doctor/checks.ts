import type { DoctorCheck, DoctorCheckId, DoctorFound, DoctorPlain } from '../../../shared/ipc/keys/doctor.ts'
import type { CallFinding } from './call-verdict.ts'

type Verdict = DoctorCheck['verdict']

/** A code alone where there are no facts to it. */
export type Found = DoctorFound | DoctorPlain

export const check = (id: DoctorCheckId, verdict: Verdict, found: Found, call: Pick<CallFinding, 'ms' | 'requestId'> | null = null): DoctorCheck => ({
  id,
  verdict,
  found: typeof found === 'string' ? { code: found } : found,
  ms: call?.ms ?? null,
  requestId: call?.requestId ?? null,
})

export interface ScopeEvidence {
  readonly scope: string
  /** Whether the key's list names it; null: the list is not known. */
  readonly claimed: boolean | null
  readonly finding: CallFinding
  /** Whether another call showed that this service looks at the scope before the body. */
  readonly scopeFirst: boolean
}

/** What a call tells about a scope. A refused body tells that the scope was passed only where scopes are looked at first. */
export function scopeCheck({ scope, claimed, finding, scopeFirst }: ScopeEvidence): DoctorCheck {
  const id = `scope:${scope}` as DoctorCheckId
  const say = (verdict: Verdict, found: Found) => check(id, verdict, found, finding)
  const said = finding.code
  const passed = (how: 'answered' | 'executor_missing' | 'body_refused') =>
    say(claimed === false ? 'warn' : 'pass', { code: 'scope_passed', how, said, unlisted: claimed === false })
  switch (finding.verdict) {
    case 'works':
      return passed('answered')
    case 'executor':
      return passed('executor_missing')
    case 'body':
      if (scopeFirst) return passed('body_refused')
      return claimed === true ? say('pass', { code: 'scope_listed_body_refused', said }) : say('warn', { code: 'scope_body_refused', said })
    case 'scope':
      return claimed === true ? say('fail', { code: 'scope_listed_refused', said }) : say('skipped', 'scope_not_made_with')
    case 'limited':
      return say('warn', 'scope_at_rate_limit')
    case 'down':
      return say('warn', 'scope_no_answer')
    default:
      return say('warn', { code: 'scope_unclear', said })
  }
}
