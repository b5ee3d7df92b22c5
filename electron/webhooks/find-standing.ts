import type { WebhookSummary } from '../../shared/ipc/webhooks.ts'
import { minute } from '../../shared/time.ts'
import type { WebhookParts } from './webhook-parts.ts'

/**
 * Finds the signing secrets of listed webhooks that the keychain holds and the index does not name: the app stopped between the two, or the journal
 * was lost. Each is looked for once in a journal's life, under its own names only; a webhook never has a second secret. Gives whether any was found.
 */
export type FindStanding = (wallet: string, webhooks: readonly WebhookSummary[]) => Promise<boolean>

export function createFindStanding({ profile, journal, held, clock }: WebhookParts): FindStanding {
  const soughtName = (webhookId: string) => `webhook/${profile.id}/sought/${webhookId}`
  let notBefore = Number.NEGATIVE_INFINITY

  return async (wallet, webhooks) => {
    let found = false
    if (clock.monotonic() < notBefore) return false
    for (const { id, url, status, secret } of webhooks) {
      if (status === 'disabled' || secret !== 'elsewhere' || journal.values.get(soughtName(id)) !== null) continue
      const standing = await held.standing(id)
      if (!standing.ok) {
        // A keychain that failed is left alone for a while.
        notBefore = clock.monotonic() + minute
        break
      }
      const [first] = standing.value
      if (first !== undefined && held.whereIs(id) === 'elsewhere') {
        held.promote({ wallet, keyId: id, label: url ?? id, ...first })
        found = true
      }
      journal.values.set(soughtName(id), 'yes')
    }
    return found
  }
}
