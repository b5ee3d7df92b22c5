import { z } from 'zod'
import { command, query } from '../define.ts'

export const WatchedWallet = z.object({
  /** Checksummed. */
  address: z.string(),
  name: z.string(),
})
export type WatchedWallet = z.infer<typeof WatchedWallet>

const changes = { invalidates: ['account.watched'] } as const

/** Wallets that this profile looks at and can do nothing with (Unversioned public routes). */
export const watchedWallets = {
  'account.watched': query(z.object({}), z.object({ wallets: z.array(WatchedWallet) }), 'wallet'),
  /** Adds it, or gives it another name. Fails with `bad_input`. */
  'account.watch': command(z.object({ address: z.string().max(200), name: z.string().max(200) }), WatchedWallet, changes),
  'account.unwatch': command(z.object({ address: z.string() }), z.object({}), changes),
} as const
