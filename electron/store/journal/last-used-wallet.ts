import type { Journal } from './journal.ts'

/** The wallet of the newest order or key operation in this profile's journal; null if there is none. */
export function lastUsedWallet(journal: Pick<Journal, 'intents' | 'secretOperations'>, profileId: string): string | null {
  const [intent] = journal.intents.list(profileId, { wallet: null, beforeMs: null, limit: 1 }).intents
  const [operation] = journal.secretOperations.list(profileId, 1)
  if (intent === undefined || operation === undefined) return intent?.wallet ?? operation?.wallet ?? null
  return intent.createdAtMs >= operation.atMs ? intent.wallet : operation.wallet
}
