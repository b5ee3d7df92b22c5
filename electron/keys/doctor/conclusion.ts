import type { DoctorCheck, DoctorCheckId, DoctorReport } from '../../../shared/ipc/keys/doctor.ts'

type Cause = DoctorReport['cause']
type Conclusion = Pick<DoctorReport, 'cause' | 'sentence' | 'action'>

/** What each cause comes down to, and what helps. */
const words: Readonly<Record<Cause, { readonly sentence: string; readonly action: ((keyId: string) => DoctorReport['action']) | null }>> = {
  healthy: { sentence: 'The key works for everything that it was made for.', action: null },
  secret_missing: {
    sentence: 'The secret of this key is not on this computer, so nothing here can use it.',
    action: (keyId) => ({ label: 'Give it a fresh secret', to: `/keys/${keyId}/rotate` }),
  },
  keychain: { sentence: 'The keychain does not give the secret out.', action: () => ({ label: 'Show', to: '/settings' }) },
  revoked: { sentence: 'The key was revoked. It works never again.', action: () => ({ label: 'New key', to: '/keys/new' }) },
  missing_or_revoked: {
    sentence: 'The service does not know this secret: it was rotated or revoked elsewhere.',
    action: (keyId) => ({ label: 'Give it a fresh secret', to: `/keys/${keyId}/rotate` }),
  },
  expired: { sentence: 'The key has expired.', action: (keyId) => ({ label: 'Extend', to: `/keys/${keyId}/extend` }) },
  service_down: { sentence: 'The service does not answer. That says nothing about the key.', action: null },
  clock_skew: {
    sentence: 'This computer’s clock and the service’s are apart. Deadlines and signatures of other programs here will be off.',
    action: null,
  },
  ip_not_allowed: {
    sentence: 'The key is good, but not from this address: its allowlist does not name it.',
    action: (keyId) => ({ label: 'Show the allowlist', to: `/keys/${keyId}` }),
  },
  other_wallet: { sentence: 'The key belongs to another wallet.', action: null },
  scope_missing: { sentence: 'The service refuses a scope that the key’s list names.', action: () => ({ label: 'New key', to: '/keys/new' }) },
  executor_not_bound: {
    sentence: 'The key works. Delegated execution does not: no executor is bound to it.',
    action: (keyId) => ({ label: 'Bind an executor', to: `/keys/${keyId}/executor` }),
  },
  agent_not_granted: {
    sentence: 'The key works. Its trading agent does not: its grant is missing or over.',
    action: (keyId) => ({ label: 'Sign the grant', to: `/keys/${keyId}/grant` }),
  },
  rate_limited: { sentence: 'The key’s own rate limit is used up. Wait a moment and examine it again.', action: null },
  unclear: { sentence: 'Something keeps the key from working, and the answers do not say what.', action: null },
}

export const concluded = (cause: Cause, keyId: string): Conclusion => {
  const { sentence, action } = words[cause]
  return { cause, sentence, action: action === null ? null : action(keyId) }
}

/** The cause that a failed check means by itself. */
const causes: Readonly<Partial<Record<DoctorCheckId, Cause>>> = {
  secret: 'secret_missing',
  status: 'revoked',
  expiry: 'expired',
  service: 'service_down',
  clock: 'clock_skew',
  accepted: 'missing_or_revoked',
  address: 'ip_not_allowed',
  wallet: 'other_wallet',
  executor: 'executor_not_bound',
  agent: 'agent_not_granted',
}

const causeOf = (id: DoctorCheckId): Cause => (id.startsWith('scope:') ? 'scope_missing' : (causes[id] ?? 'unclear'))

/**
 * What it comes down to: the first thing that fails, though clocks that are apart keep no call of this app from working and come after all
 * else. `known` is a cause that a check named more exactly than its verdict can.
 */
export function conclude(keyId: string, checks: readonly DoctorCheck[], known: Cause | null): Conclusion {
  if (known !== null) return concluded(known, keyId)
  const failed = checks.filter(({ verdict }) => verdict === 'fail')
  const first = failed.find(({ id }) => id !== 'clock') ?? failed[0]
  if (first !== undefined) return concluded(causeOf(first.id), keyId)
  const lacking = checks.find(({ id, verdict }) => verdict === 'warn' && (id === 'executor' || id === 'agent'))
  return concluded(lacking === undefined ? 'healthy' : causeOf(lacking.id), keyId)
}
