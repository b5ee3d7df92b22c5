import { z } from 'zod'
import type { Clock } from '../../../shared/time.ts'
import type { ProfileFacts } from '../../kernel/profile-facts.ts'
import { Secret } from '../../kernel/secret.ts'
import type { Journal, Vault } from '../../store/journal/journal.ts'
import { readValue } from '../../store/journal/kept-record.ts'

/** A grant for the agent of a key that exists, from opening until it is stored; on disk, so that it can be taken up again. */
export const GrantDraft = z.object({
  keyId: z.string(),
  label: z.string(),
  wallet: z.string(),
  agent: z.string().nullable(),
  /** Whether the key had this agent before it was opened. */
  agentKnown: z.boolean(),
  /** Whether the service said before that a grant of this agent is stored. */
  grantedBefore: z.boolean(),
  keyEndsAtMs: z.number().nullable(),
  /** What the key may do, as the service says it or as this app asked for it. */
  keyScopes: z.array(z.string()).nullable().default(null),
  /** The grant as received, JSON text; null: the service offered none. */
  typedData: z.string().nullable(),
  openedAtMs: z.number(),
  expiresAtMs: z.number(),
  state: z.enum(['nothing_to_sign', 'to_sign', 'asked', 'signed']),
  /** The last sending of its signature. */
  operationId: z.string().nullable(),
})
export type GrantDraft = z.infer<typeof GrantDraft>

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
  readonly journal: Pick<Journal, 'values'>
  readonly vault: Vault
  readonly clock: Clock
}

export function createGrantDrafts({ profile, journal, vault, clock }: Deps): GrantDrafts {
  const draftName = (keyId: string) => `agent-grant/${profile.id}/${keyId}`
  const signatureName = (keyId: string) => `agent-grant-signature/${profile.id}/${keyId}`

  const stored: GrantDrafts['stored'] = (keyId, wallet) => {
    const draft = readValue(journal.values, draftName(keyId), GrantDraft)
    return draft?.wallet === wallet ? draft : null
  }

  return {
    stored,
    current: (keyId, wallet) => {
      const draft = stored(keyId, wallet)
      return draft === null || draft.expiresAtMs <= clock.now() ? null : draft
    },
    save: (draft) => {
      journal.values.set(draftName(draft.keyId), JSON.stringify(draft))
      return draft
    },
    drop: async (keyId) => {
      journal.values.set(draftName(keyId), null)
      await vault.set(signatureName(keyId), null)
    },
    keepSignature: (keyId, signature) => vault.set(signatureName(keyId), new Secret(signature.reveal())),
    signatureOf: (keyId) => vault.get(signatureName(keyId)),
  }
}
