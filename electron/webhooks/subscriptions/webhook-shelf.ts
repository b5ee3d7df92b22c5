import type { Result } from '../../../shared/result.ts'
import type { Secret } from '../../kernel/secret.ts'
import type { HeldSecrets } from '../../store/secrets/held-secrets.ts'
import type { KeychainFailure } from '../../store/secrets/secret-store.ts'

/** A webhook whose signing secret is on this computer. */
export interface ShelfWebhook {
  readonly webhookId: string
  readonly url: string
  readonly wallet: string
  /** When its secret was stored; null: it is in memory. */
  readonly storedAtMs: number | null
}

/** The signing secrets of a profile, of whatever wallet. */
export interface WebhookShelf {
  list(): ShelfWebhook[]
  /** null: it is not here any more. */
  secretOf(webhookId: string): Promise<Result<Secret | null, KeychainFailure>>
}

export const createWebhookShelf = (held: Pick<HeldSecrets, 'entries' | 'secretOf'>): WebhookShelf => ({
  list: () => held.entries().map(({ keyId, label, wallet, storedAtMs }) => ({ webhookId: keyId, url: label, wallet, storedAtMs })),
  secretOf: held.secretOf,
})
