import type { WebhookRecord } from '../../../shared/api/schemas/keys/webhook-resources.ts'
import { minute } from '../../../shared/time.ts'
import type { WebhookParts } from './webhook-parts.ts'

/**
 * Finds signing secrets of listed webhooks that are in the keychain but not in the app's index. A crash between the two writes, or a lost journal,
 * can cause this.
 * Searches once per journal for each webhook, and only in the keychain entries of its ID. A webhook never has a second secret.
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
        // If the keychain has failed, wait a minute before asking it again.
        notBefore = clock.monotonic() + minute
        break
      }
      const [first] = found.value
      if (first !== undefined && stored.whereIs(id) === 'elsewhere') {
        stored.promote({ wallet, keyId: id, label: url ?? id, ...first })
        // The windows may have read webhook lists during the search, which lack the found secret. Let them read the lists again.
        emit({ type: 'invalidate', queries: ['webhooks.list', 'webhooks.unmatched', 'app.attention'] })
      }
      soughtWebhooks.write({ profile: profile.id, id }, 'yes')
    }
  }
}
