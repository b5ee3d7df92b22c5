import { z } from 'zod'
import { command, query } from '../define.ts'

export const WalletBootstrap = z.object({
  relayUrl: z.string(),
  projectId: z.string(),
  chainId: z.number(),
  appUrl: z.string(),
  /** Prefix of the WalletConnect store, one per profile. */
  storagePrefix: z.string(),
  practice: z.boolean(),
})
export type WalletBootstrap = z.infer<typeof WalletBootstrap>

export const ConnectedWallet = z.object({ address: z.string(), chainId: z.number(), peerName: z.string(), topic: z.string() })
export type ConnectedWallet = z.infer<typeof ConnectedWallet>

/** The wallet whose data the screens show (AUTH-03). */
export const ShownWallet = z.object({
  /** null: no wallet. */
  address: z.string().nullable(),
  /** false: no wallet is connected, and this is the last one used on this computer. */
  connected: z.boolean(),
})
export type ShownWallet = z.infer<typeof ShownWallet>

/** Main's answer to a report about the wallet. */
export const WalletTaken = z.object({
  /** refused: this profile works only with the account `expected`. The app reads, shows and signs nothing for the reported account. */
  state: z.enum(['none', 'taken', 'refused']),
  expected: z.string().nullable(),
  /** true if the screens showed a different wallet until now, so that their data must be dropped. */
  changed: z.boolean(),
})
export type WalletTaken = z.infer<typeof WalletTaken>

export const wallet = {
  /** Fails with `no_profile` if no profile is selected. */
  'wallet.bootstrap': query(z.object({}), WalletBootstrap, 'app'),
  /** WalletConnect's store. Main encrypts it with a key from the keychain. */
  'wallet.storage': query(z.object({}), z.array(z.tuple([z.string(), z.string()])), 'app'),
  'wallet.storageSet': command(z.object({ key: z.string().max(512), value: z.string().max(1_048_576).nullable() }), z.object({})),
  'wallet.shown': query(z.object({}), ShownWallet, 'wallet'),
  /**
   * Reports the wallet that is connected in the wallet library. Main bases no decision on this report alone, but refuses to sign without it.
   */
  'wallet.report': command(ConnectedWallet.nullable(), WalletTaken, {
    // The window drops or reloads other wallet data itself. The market queries are listed because they use the versioned routes if the wallet has a
    // key, so a change of wallet may change their source.
    invalidates: ['wallet.shown', 'serviceCheck.state', 'serviceCheck.detail', 'markets.list', 'markets.status', 'markets.meta'],
  }),
  /** Base JSON-RPC, limited to an allowlist of read methods. Returns the RPC's result as JSON text. */
  'chain.rpc': query(z.object({ method: z.string().max(64), params: z.string().max(65_536) }), z.object({ result: z.string() }), 'app'),
} as const

/** A request as the practice phone shows it. Main serves it only to the window of the phone. */
export const PhoneRequest = z.object({
  id: z.string(),
  kind: z.enum(['pairing', 'message', 'typed_data', 'transaction', 'switch_chain']),
  peerName: z.string(),
  peerUrl: z.string(),
  /** First lines of the card that shows the request, for example "Long BTC-PERP" and "25,000.00 USDC". */
  headline: z.array(z.string()),
  fields: z.array(z.object({ name: z.string(), raw: z.string(), text: z.string() })),
  message: z.string().nullable(),
  raw: z.string(),
  digest: z.string().nullable(),
  atMs: z.number(),
  expiresAtMs: z.number(),
})
export type PhoneRequest = z.infer<typeof PhoneRequest>

export const PhoneState = z.object({
  /** The time of the practice clock, which all times here use. The practice clock may run ahead of this computer's clock, and then stays ahead. */
  nowMs: z.number(),
  address: z.string(),
  chainId: z.number(),
  usdc: z.string(),
  sessions: z.array(z.object({ topic: z.string(), peerName: z.string() })),
  requests: z.array(PhoneRequest),
  recent: z.array(z.object({ id: z.string(), title: z.string(), outcome: z.enum(['approved', 'rejected', 'expired', 'failed']), atMs: z.number() })),
  relay: z.enum(['up', 'down']),
})
export type PhoneState = z.infer<typeof PhoneState>

export const phone = {
  'phone.state': query(z.object({}), PhoneState, 'app'),
  'phone.approve': command(z.object({ id: z.string() }), z.object({}), { invalidates: ['phone.state'] }),
  'phone.reject': command(z.object({ id: z.string() }), z.object({}), { invalidates: ['phone.state'] }),
} as const
