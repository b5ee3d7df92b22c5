import { z } from 'zod'
import { PhoneState } from './ipc/host/phone.ts'
import { isKnownWallet } from './known-wallets.ts'

/** How the practice process tells its parent where everything listens. All of it on loopback. */
export const PracticeDescriptor = z.object({
  /** `{host_url}` of the practice exchange, for example `http://127.0.0.1:8787`. */
  hostUrl: z.string(),
  /** The second host name (GEN-02), as a second port. */
  secondHostUrl: z.string(),
  rpcUrl: z.string(),
  /** WalletConnect relay, `ws://127.0.0.1:port`. */
  relayUrl: z.string(),
  /** Control of the phone: HTTP, `Authorization: Bearer <token>`. */
  phoneUrl: z.string(),
  token: z.string(),
  walletAddress: z.string().refine((address) => !isKnownWallet(address), 'a wallet of everybody'),
  router: z.string(),
  usdc: z.string(),
  /** Test hooks; absent from the product's build. */
  hooksUrl: z.string().nullable(),
})
export type PracticeDescriptor = z.infer<typeof PracticeDescriptor>

/** Messages from the practice process to its parent. */
export const PracticeMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready'), descriptor: PracticeDescriptor }),
  z.object({ type: z.literal('failed'), part: z.enum(['chain', 'exchange', 'relay', 'wallet', 'process']), detail: z.string() }),
])
export type PracticeMessage = z.infer<typeof PracticeMessage>

/**
 * The phone's HTTP interface at `phoneUrl`:
 * `GET /state?since=<revision>` answers `PhoneAnswer` at once, or after a change (25 s at most) when `since` is the current revision;
 * `POST /pair {uri}`, `POST /requests/<id>/approve`, `POST /requests/<id>/reject` answer `{}`.
 */
export const PhoneAnswer = z.object({ revision: z.number(), state: PhoneState })
export type PhoneAnswer = z.infer<typeof PhoneAnswer>

/** What the parent passes to the practice process, as one JSON argument. */
export const PracticeOptions = z.object({
  /** Folder for what survives a restart; null keeps everything in memory. */
  dataDir: z.string().nullable(),
  /** Seed of the markets' movement. */
  seed: z.number().int(),
  /** 0 lets the system choose. */
  port: z.number().int(),
})
export type PracticeOptions = z.infer<typeof PracticeOptions>
