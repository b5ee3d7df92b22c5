import { z } from 'zod'
import { BotReadyRequest } from '../../../shared/ipc/keys/keys.ts'
import type { Clock } from '../../../shared/time.ts'
import type { ProfileFacts } from '../../kernel/profile-facts.ts'
import { Secret } from '../../kernel/secret.ts'
import type { Journal, Vault } from '../../store/journal/journal.ts'
import { readValue } from '../../store/journal/kept-record.ts'

/** A bot-ready key on its way, kept on disk so that it can be taken up again until the service forgets it (30 minutes). */
export const StoredDraft = z.object({
  id: z.string(),
  wallet: z.string(),
  request: BotReadyRequest,
  /** The label as the service gets it: the user's, and the marker by which a lost key is found again. */
  sentLabel: z.string(),
  marker: z.string(),
  preparationId: z.string(),
  agent: z.string().nullable(),
  /** The grant as received, JSON text. */
  typedData: z.string(),
  preparedAtMs: z.number(),
  expiresAtMs: z.number(),
  state: z.enum(['prepared', 'asked', 'signed', 'created', 'unknown']),
  operationId: z.string().nullable(),
  replacementId: z.string().nullable().default(null),
})
export type StoredDraft = z.infer<typeof StoredDraft>

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
  const draftName = (wallet: string) => `key-draft/${profile.id}/${wallet}`
  const signatureName = (draft: StoredDraft) => `grant-signature/${profile.id}/${draft.id}`

  const stored = (wallet: string): StoredDraft | null => {
    return readValue(journal.values, draftName(wallet), StoredDraft)
  }

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
      journal.values.set(draftName(draft.wallet), JSON.stringify(draft))
      return draft
    },
    drop: async (draft) => {
      journal.values.set(draftName(draft.wallet), null)
      await vault.set(signatureName(draft), null)
    },
    keepSignature: (draft, signature) => vault.set(signatureName(draft), new Secret(signature)),
    signatureOf: (draft) => vault.get(signatureName(draft)),
  }
}
