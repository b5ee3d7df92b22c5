import type { WebhookRecord } from '../../../shared/api/schemas/keys/webhook-resources.ts'
import { minute } from '../../../shared/time.ts'
import type { WebhookParts } from './webhook-parts.ts'

/**
 * Finds signing secrets of listed webhooks that are in the keychain but not in the index. This happens if the app stopped after it wrote the secret
 * and before it wrote the index, or if the journal was lost.
 * Searches only once per journal for each secret, and only under the secret's own names in the keychain. A webhook never has a second secret.
 */
export type FindUnindexed = (wallet: string, webhooks: readonly WebhookRecord[]) => Promise<void>

export function createFindUnindexed({
  profile,
  journal,
  stored,
  clock,
  emit,
}: Pick<WebhookParts, 'profile' | 'journal' | 'stored' | 'clock' | 'emit'>): FindUnindexed {
  const { soughtWebhooks } = journal.records
  let notBefore = Number.NEGATIVE_INFINITY

  return async (wallet, webhooks) => {
    if (clock.monotonic() < notBefore) return
    for (const { id, url, status } of webhooks) {
      if (status === 'disabled' || stored.whereIs(id) !== 'elsewhere' || soughtWebhooks.read({ profile: profile.id, id }) !== null) continue
      const found = await stored.inKeychain(id)
      if (!found.ok) {
        // After the keychain failed, wait a minute before asking it again.
        notBefore = clock.monotonic() + minute
        break
      }
      const [first] = found.value
      if (first !== undefined && stored.whereIs(id) === 'elsewhere') {
        stored.promote({ wallet, keyId: id, label: url ?? id, ...first })
        // Lists of webhooks that were read during the search do not contain the found secret yet. Have the windows read them again.
        emit({ type: 'invalidate', queries: ['webhooks.list', 'webhooks.unmatched', 'app.attention'] })
      }
      soughtWebhooks.write({ profile: profile.id, id }, 'yes')
    }
  }
}
