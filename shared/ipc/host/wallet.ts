import { z } from 'zod'
import { command, query } from '../define.ts'

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

/** Whose data the screens show (AUTH-03). */
export const ShownWallet = z.object({
  /** null: nobody's. */
  address: z.string().nullable(),
  /** False: no wallet is connected, and it is the one that was used last on this computer. */
  connected: z.boolean(),
})
export type ShownWallet = z.infer<typeof ShownWallet>

/** How main took a report. */
export const WalletTaken = z.object({
  /** refused: this profile works with `expected` only. Nothing is read, shown or signed for the other account. */
  state: z.enum(['none', 'taken', 'refused']),
  expected: z.string().nullable(),
  /** What the screens showed until now belongs to another wallet than the one that they show from now on, or that is refused. */
  changed: z.boolean(),
})
export type WalletTaken = z.infer<typeof WalletTaken>

export const wallet = {
  /** Fails with `no_profile` before a profile is chosen. */
  'wallet.bootstrap': query(z.object({}), WalletBootstrap, 'app'),
  /** WalletConnect's own store: main keeps it encrypted with a key from the keychain. */
  'wallet.storage': query(z.object({}), z.array(z.tuple([z.string(), z.string()])), 'app'),
  'wallet.storageSet': command(z.object({ key: z.string().max(512), value: z.string().max(1_048_576).nullable() }), z.object({})),
  'wallet.shown': query(z.object({}), ShownWallet, 'wallet'),
  /** What the wallet library says; main decides nothing on it alone but refuses to sign without it. */
  'wallet.report': command(ConnectedWallet.nullable(), WalletTaken, {
    // The window itself drops or reads again all that belongs to a wallet. The markets: with a key of the wallet they are read by their versioned routes.
    invalidates: ['wallet.shown', 'serviceCheck.state', 'serviceCheck.detail', 'markets.list', 'markets.status', 'markets.meta'],
  }),
  /** Base JSON-RPC, reading methods by allowlist only. The result is the RPC's own, as JSON text. */
  'chain.rpc': query(z.object({ method: z.string().max(64), params: z.string().max(65_536) }), z.object({ result: z.string() }), 'app'),
} as const
