import { z } from 'zod'
import { command, query } from '../define.ts'

export const WalletBootstrap = z.object({
  relayUrl: z.string(),
  projectId: z.string(),
  chainId: z.number(),
  appUrl: z.string(),
  /** Prefix of the keys in the WalletConnect store. Each profile has its own. */
  storagePrefix: z.string(),
  practice: z.boolean(),
})
export type WalletBootstrap = z.infer<typeof WalletBootstrap>

export const ConnectedWallet = z.object({ address: z.string(), chainId: z.number(), peerName: z.string(), topic: z.string() })
export type ConnectedWallet = z.infer<typeof ConnectedWallet>

/** The wallet whose data the screens show (AUTH-03). */
export const ShownWallet = z.object({
  /** The address of the wallet whose data the screens show; null: none. */
  address: z.string().nullable(),
  /** Whether this wallet is connected. false: no wallet is connected, and the screens show the data of the last wallet used on this computer. */
  connected: z.boolean(),
})
export type ShownWallet = z.infer<typeof ShownWallet>

export const WalletTaken = z.object({
  /**
   * What main does with the reported wallet. none: the window reported that no wallet is connected. taken: main accepts the wallet. refused: this
   * profile accepts only the account `expected`, so the app reads, shows and signs nothing for the reported account.
   */
  state: z.enum(['none', 'taken', 'refused']),
  expected: z.string().nullable(),
  /** true if the screens showed another wallet until now, so the window must drop its data. */
  changed: z.boolean(),
})
export type WalletTaken = z.infer<typeof WalletTaken>

export const wallet = {
  /** Returns what the window needs to load WalletConnect. Fails with `no_profile` if no profile is selected. */
  'wallet.bootstrap': query(z.object({}), WalletBootstrap, 'app'),
  /** Returns the content of WalletConnect's store, which main keeps encrypted with a key from the keychain. */
  'wallet.storage': query(z.object({}), z.array(z.tuple([z.string(), z.string()])), 'app'),
  'wallet.storageSet': command(z.object({ key: z.string().max(512), value: z.string().max(1_048_576).nullable() }), z.object({})),
  'wallet.shown': query(z.object({}), ShownWallet, 'wallet'),
  /** Reports the connected wallet to main. Main never relies on this report alone for a decision, but refuses to sign without it. */
  'wallet.report': command(ConnectedWallet.nullable(), WalletTaken, {
    // The window drops or reloads all other wallet data. Market queries use versioned routes if the wallet has a key. So after a change of wallet,
    // market data may come from other routes.
    invalidates: ['wallet.shown', 'serviceCheck.state', 'serviceCheck.detail', 'markets.list', 'markets.status', 'markets.meta'],
  }),
  /** Sends a JSON-RPC read to Base; only methods on an allowlist are possible. Returns the RPC server's result as JSON text. */
  'chain.rpc': query(z.object({ method: z.string().max(64), params: z.string().max(65_536) }), z.object({ result: z.string() }), 'app'),
} as const

/** A request as the practice phone shows it. Main sends it only to the practice phone's window. */
export const PhoneRequest = z.object({
  id: z.string(),
  kind: z.enum(['pairing', 'message', 'typed_data', 'transaction', 'switch_chain']),
  peerName: z.string(),
  peerUrl: z.string(),
  /** The first lines of the request, for example "Long BTC-PERP" and "25,000.00 USDC". */
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
  /** The current time of the practice exchange. All times in this object use its clock, which may run ahead of this computer's clock. */
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
