import { z } from 'zod'
import { command, query } from './define.ts'

export const WalletBootstrap = z.object({
  relayUrl: z.string(),
  projectId: z.string(),
  chainId: z.number(),
  appUrl: z.string(),
  /** Prefix of WalletConnect's store, one per profile. */
  storagePrefix: z.string(),
  practice: z.boolean(),
})
export type WalletBootstrap = z.infer<typeof WalletBootstrap>

export const ConnectedWallet = z.object({ address: z.string(), chainId: z.number(), peerName: z.string(), topic: z.string() })
export type ConnectedWallet = z.infer<typeof ConnectedWallet>

export const wallet = {
  /** Fails with `no_profile` before a profile is chosen. */
  'wallet.bootstrap': query(z.object({}), WalletBootstrap),
  /** WalletConnect's own store: main keeps it encrypted with a key from the keychain. */
  'wallet.storage': query(z.object({}), z.array(z.tuple([z.string(), z.string()]))),
  'wallet.storageSet': command(z.object({ key: z.string().max(512), value: z.string().max(1_048_576).nullable() }), z.object({})),
  'wallet.current': query(z.object({}), ConnectedWallet.nullable()),
  /** What the wallet library says; main decides nothing on it alone but refuses to sign without it. */
  'wallet.report': command(ConnectedWallet.nullable(), z.object({}), {
    // `markets.list`: with a key of the wallet it is read by its versioned route.
    invalidates: [
      'wallet.current',
      'session.status',
      'keys.list',
      'account.summary',
      'account.positions',
      'account.orders',
      'markets.list',
      'app.attention',
      'orders.list',
    ],
  }),
  /** Base JSON-RPC, reading methods by allowlist only. The result is the RPC's own, as JSON text. */
  'chain.rpc': query(z.object({ method: z.string().max(64), params: z.string().max(65_536) }), z.object({ result: z.string() })),
} as const
