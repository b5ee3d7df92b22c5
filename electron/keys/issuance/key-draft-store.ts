import type { Clock } from '../../../shared/time.ts'
import type { ProfileFacts } from '../../kernel/profile-facts.ts'
import { Secret } from '../../kernel/secret.ts'
import type { Journal, Vault } from '../../store/journal/journal.ts'
import type { StoredDraft } from '../../store/records/key-records.ts'

export type { StoredDraft }

export interface KeyDraftStore {
  /** The wallet's draft, while the service still knows it. */
  current(wallet: string): StoredDraft | null
  byId(draftId: string, wallet: string): StoredDraft | null
  save(draft: StoredDraft): StoredDraft
  /** Forgets the draft and erases its signature. */
  drop(draft: StoredDraft): Promise<void>
  keepSignature(draft: StoredDraft, signature: string): Promise<void>
  signatureOf(draft: StoredDraft): Promise<Secret | null>
}

export function createKeyDraftStore({
  profile,
  journal,
  vault,
  clock,
}: {
  profile: ProfileFacts
  journal: Journal
  vault: Vault
  clock: Clock
}): KeyDraftStore {
  const { keyDrafts } = journal.records
  const { keyGrantSignatures } = vault
  const of = (wallet: string) => ({ profile: profile.id, wallet })
  const signatureOf = ({ id }: StoredDraft) => ({ profile: profile.id, draftId: id })

  const stored = (wallet: string): StoredDraft | null => keyDrafts.read(of(wallet))

  return {
    current: (wallet) => {
      const draft = stored(wallet)
      return draft === null || draft.state === 'created' || draft.expiresAtMs <= clock.now() ? null : draft
    },
    byId: (draftId, wallet) => {
      const draft = stored(wallet)
      return draft?.id === draftId ? draft : null
    },
    save: (draft) => {
      keyDrafts.write(of(draft.wallet), draft)
      return draft
    },
    drop: async (draft) => {
      keyDrafts.delete(of(draft.wallet))
      await keyGrantSignatures.delete(signatureOf(draft))
    },
    keepSignature: (draft, signature) => keyGrantSignatures.write(signatureOf(draft), new Secret(signature)),
    signatureOf: (draft) => keyGrantSignatures.read(signatureOf(draft)),
  }
}
