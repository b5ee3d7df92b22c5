import type { WebhookRecord } from '../../../shared/api/schemas/keys/webhook-resources.ts'
import { minute } from '../../../shared/time.ts'
import type { WebhookParts } from './webhook-parts.ts'

/**
 * Finds the signing secrets of listed webhooks that the keychain holds and the index does not name: the app stopped between the two, or the journal
 * was lost. Each is looked for once in a journal's life, under its own names only; a webhook never has a second secret.
 */
export type FindStanding = (wallet: string, webhooks: readonly WebhookRecord[]) => Promise<void>

export function createFindStanding({
  profile,
  journal,
  held,
  clock,
  emit,
}: Pick<WebhookParts, 'profile' | 'journal' | 'held' | 'clock' | 'emit'>): FindStanding {
  const { soughtWebhooks } = journal.records
  let notBefore = Number.NEGATIVE_INFINITY

  return async (wallet, webhooks) => {
    if (clock.monotonic() < notBefore) return
    for (const { id, url, status } of webhooks) {
      if (status === 'disabled' || held.whereIs(id) !== 'elsewhere' || soughtWebhooks.read({ profile: profile.id, id }) !== null) continue
      const standing = await held.standing(id)
      if (!standing.ok) {
        // A keychain that failed is left alone for a while.
        notBefore = clock.monotonic() + minute
        break
      }
      const [first] = standing.value
      if (first !== undefined && held.whereIs(id) === 'elsewhere') {
        held.promote({ wallet, keyId: id, label: url ?? id, ...first })
        // Whatever was answered meanwhile does not know it yet.
        emit({ type: 'invalidate', queries: ['webhooks.list', 'webhooks.orphans', 'app.attention'] })
      }
      soughtWebhooks.write({ profile: profile.id, id }, 'yes')
    }
  }
}
