import type { DoctorCheck, DoctorCheckId } from '../../../shared/ipc/keys/doctor.ts'
import type { CallFinding } from './call-verdict.ts'

const titles: Readonly<Record<DoctorCheckId, string>> = {
  secret: 'Secret on this computer',
  status: 'Listed by the service',
  expiry: 'Not expired',
  service: 'Service reachable',
  clock: 'Clocks agree',
  accepted: 'Key accepted',
  address: 'Address allowed',
  wallet: 'Belongs to this wallet',
  'scope:market:read': 'market:read',
  'scope:account:read': 'account:read',
  'scope:trade:prepare': 'trade:prepare',
  'scope:orders:manage': 'orders:manage',
  'scope:collateral:manage': 'collateral:manage',
  'scope:trade:execute': 'trade:execute',
  executor: 'Executor bound',
  agent: 'Trading agent',
  payment: 'Execution payment',
}

type Verdict = DoctorCheck['verdict']

export const check = (id: DoctorCheckId, verdict: Verdict, words: string, call: Pick<CallFinding, 'ms' | 'requestId'> | null = null): DoctorCheck => ({
  id,
  title: titles[id],
  verdict,
  words,
  ms: call?.ms ?? null,
  requestId: call?.requestId ?? null,
})

const inCode = (code: string | null): string => (code === null ? '' : ` (${code})`)

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
  const say = (verdict: Verdict, words: string) => check(id, verdict, words, finding)
  const granted = (how: string) =>
    claimed === false ? say('warn', `${how} The key’s list does not name this scope, yet the service lets it through.`) : say('pass', how)
  switch (finding.verdict) {
    case 'works':
      return granted('A call that needs it was answered.')
    case 'executor':
      return granted('The call got past the scope; what it lacks is an executor.')
    case 'body':
      if (scopeFirst) return granted(`The call got past the scope: its body was refused${inCode(finding.code)}, as it should be.`)
      return claimed === true
        ? say('pass', `The key’s list names it. The service refused the made-up body${inCode(finding.code)}, not the scope.`)
        : say('warn', `It cannot be told: the service refused the made-up body${inCode(finding.code)} and may not have looked at the scope.`)
    case 'scope':
      return claimed === true
        ? say('fail', `The key’s list names it, and the service refuses it${inCode(finding.code)}. Make a key that has it.`)
        : say('skipped', 'The key was made without it, and the service refuses it, as it should.')
    case 'limited':
      return say('warn', 'It cannot be told: the key’s own rate limit is used up for now.')
    case 'down':
      return say('warn', 'It cannot be told: the service did not answer this call.')
    default:
      return say('warn', `It cannot be told: the service refused the call${inCode(finding.code)}.`)
  }
}
