import type { Clock } from '../../../shared/time.ts'
import type { ProfileFacts } from '../../kernel/profile-facts.ts'
import type { Secret } from '../../kernel/secret.ts'
import type { Journal, Vault } from '../../store/journal/journal.ts'
import type { GrantDraft } from '../../store/records/key-records.ts'

export type { GrantDraft }

export interface GrantDrafts {
  /** The key's draft, while its signature may still be sent. */
  current(keyId: string, wallet: string): GrantDraft | null
  /** As `current`, also when its time is over. */
  stored(keyId: string, wallet: string): GrantDraft | null
  save(draft: GrantDraft): GrantDraft
  /** Forgets the draft and erases its signature. */
  drop(keyId: string): Promise<void>
  keepSignature(keyId: string, signature: Secret): Promise<void>
  signatureOf(keyId: string): Promise<Secret | null>
}

interface Deps {
  readonly profile: ProfileFacts
  readonly journal: Pick<Journal, 'records'>
  readonly vault: Vault
  readonly clock: Clock
}

export function createGrantDrafts({ profile, journal, vault, clock }: Deps): GrantDrafts {
  const { grantDrafts } = journal.records
  const { agentGrantSignatures } = vault
  const of = (keyId: string) => ({ profile: profile.id, keyId })

  const stored: GrantDrafts['stored'] = (keyId, wallet) => {
    const draft = grantDrafts.read(of(keyId))
    return draft?.wallet === wallet ? draft : null
  }

  return {
    stored,
    current: (keyId, wallet) => {
      const draft = stored(keyId, wallet)
      return draft === null || draft.expiresAtMs <= clock.now() ? null : draft
    },
    save: (draft) => {
      grantDrafts.write(of(draft.keyId), draft)
      return draft
    },
    drop: async (keyId) => {
      grantDrafts.delete(of(keyId))
      await agentGrantSignatures.delete(of(keyId))
    },
    keepSignature: (keyId, signature) => agentGrantSignatures.write(of(keyId), signature),
    signatureOf: (keyId) => agentGrantSignatures.read(of(keyId)),
  }
}
