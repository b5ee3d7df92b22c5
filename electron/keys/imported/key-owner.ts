import type { ImportRead, KeySummary } from '../../../shared/ipc/keys/keys.ts'
import type { Secret } from '../../kernel/secret.ts'
import type { SessionCredential } from '../../service/transport/api-client.ts'
import type { KeyParts } from '../calls/key-deps.ts'
import type { KeyTrial, Trial } from './key-trial.ts'

type Read = Extract<ImportRead, { state: 'read' }>

export interface Belonging extends Pick<Read, 'verdict' | 'candidates' | 'evidence'> {
  readonly requestId: string | null
}

/**
 * Finds which listed key a secret belongs to: by the same secret held here, by the audit entry of the trial's own request, or by the one key whose
 * last use moved with two trials. Where none of them tells, every key without a secret here is a candidate: nothing is guessed.
 */
export function createKeyOwner({ credentials, calls, list }: KeyParts, trial: KeyTrial) {
  const held = async (keys: readonly KeySummary[], secret: Secret): Promise<KeySummary | null> => {
    for (const key of keys) {
      const kept = await credentials.secretOf(key.id)
      if (kept.ok && kept.value?.equals(secret) === true) return key
    }
    return null
  }

  const byAudit = async (keys: readonly KeySummary[], { requestIds }: Trial, session: SessionCredential): Promise<KeySummary | null> => {
    if (requestIds.length === 0) return null
    const log = await calls.audit(session)
    if (!log.ok) return null
    const named = new Set(
      log.value.filter(({ requestId, keyId }) => requestId !== null && keyId !== null && requestIds.includes(requestId)).map(({ keyId }) => keyId),
    )
    const [only, ...more] = keys.filter(({ id }) => named.has(id))
    return more.length === 0 ? (only ?? null) : null
  }

  const moved = (before: readonly KeySummary[], after: readonly KeySummary[]): KeySummary[] =>
    after.filter(({ id, lastUsedAtMs }) => lastUsedAtMs !== null && before.some((key) => key.id === id && key.lastUsedAtMs !== lastUsedAtMs))

  return async (secret: Secret, session: SessionCredential, wallet: string, before: readonly KeySummary[]): Promise<Belonging> => {
    const first = await trial.run(secret, wallet)
    const requestId = first.requestIds.at(-1) ?? null
    const found = (evidence: Read['evidence'], candidates: KeySummary[]): Belonging => ({ verdict: first.verdict, requestId, evidence, candidates })
    if (first.verdict === 'dead' || first.verdict === 'other_wallet') return found('none', [])

    const same = await held(before, secret)
    if (same !== null) return found('held', [same])
    // The log is this wallet's alone: an entry there proves the wallet, too.
    const named = await byAudit(before, first, session)
    if (named !== null) return found('audit', [named])

    const once = await list.read(session, wallet)
    const after = once.ok ? moved(before, once.value.keys) : []
    if (once.ok && after.length === 1) {
      await trial.run(secret, wallet)
      const twice = await list.read(session, wallet)
      const again = twice.ok ? moved(once.value.keys, twice.value.keys) : []
      const [only] = again
      if (only !== undefined && again.length === 1 && only.id === after[0]?.id) return found('last_used', [only])
    }
    const lacking = before.filter(({ secret: where, status }) => (where === 'elsewhere' || where === 'removed') && status !== 'revoked')
    // A call that worked without naming its wallet, and that no list of this wallet tells of, may be of another.
    const unproven = first.verdict === 'works' && first.wallet === null
    return { ...found('none', after.length > 1 ? after : lacking), ...(unproven ? { verdict: 'cannot_tell' as const } : {}) }
  }
}
