import { z } from 'zod'
import { canonicalId } from '../../shared/same-id.ts'
import type { Journal } from '../journal/journal.ts'
import type { ProfileFacts } from '../session/profile-facts.ts'

/** Tells the orders of a wallet that the app cancelled. */
export type OwnCancels = (wallet: string) => ReadonlySet<string>

/** Cancels that are looked through, of the wallet's own and of executors each. */
const most = 500
const Cancel = z.object({ order: z.object({ orderId: z.string() }) })

/** The canonical ids of orders whose cancel is FINAL, by the wallet or by an executor. */
export function createOwnCancels({ profile, journal }: { readonly profile: ProfileFacts; readonly journal: Pick<Journal, 'intents'> }): OwnCancels {
  return (wallet) => {
    const rows = ['cancel_order', 'cancel'].flatMap((action) => journal.intents.list(profile.id, { wallet, beforeMs: null, limit: most, action }).intents)
    return new Set(rows.flatMap(({ state, ticket }) => (state === 'FINAL' ? [canonicalId(Cancel.parse(JSON.parse(ticket)).order.orderId)] : [])))
  }
}
