import { z } from 'zod'
import { parseJson } from '../../../shared/foreign/parse-json.ts'
import { canonicalId } from '../../../shared/same-id.ts'
import type { ProfileFacts } from '../../kernel/profile-facts.ts'
import type { IntentRow, Journal } from '../../store/journal/journal.ts'

/** Tells the orders of a wallet that the app cancelled. */
export type OwnCancels = (wallet: string) => ReadonlySet<string>

/** Cancels that are looked through, of the wallet's own and of executors each. */
const most = 500
const Cancel = z.object({ order: z.object({ orderId: z.string() }) })

/**
 * The canonical ids of orders whose cancel is FINAL, by the wallet or by an executor. What of the journal cannot be read tells nothing: the list of open
 * orders, and with it every exit, does without.
 */
export function createOwnCancels({ profile, journal }: { readonly profile: ProfileFacts; readonly journal: Pick<Journal, 'intents'> }): OwnCancels {
  const finalCancels = (wallet: string): IntentRow[] => {
    try {
      const listed = (action: string) => journal.intents.list(profile.id, { wallet, beforeMs: null, limit: most, action }).intents
      return ['cancel_order', 'cancel'].flatMap(listed).filter(({ state }) => state === 'FINAL')
    } catch {
      return []
    }
  }
  return (wallet) => {
    const ids = finalCancels(wallet).flatMap(({ ticket }) => {
      const cancel = Cancel.safeParse(parseJson(ticket))
      return cancel.success ? [canonicalId(cancel.data.order.orderId)] : []
    })
    return new Set(ids)
  }
}
