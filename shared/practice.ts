import { z } from 'zod'
import { PhoneState } from './ipc/host/wallet.ts'

/** Where the services of the practice process listen, all on loopback. The process reports this to the main process. */
export const PracticeDescriptor = z.object({
  /** `{host_url}` of the practice exchange, for example `http://127.0.0.1:8787`. */
  hostUrl: z.string(),
  /** The second host of the practice exchange (GEN-02): the same IP address, but another port. */
  secondHostUrl: z.string(),
  rpcUrl: z.string(),
  /** URL of the practice WalletConnect relay: `ws://127.0.0.1:port`. */
  relayUrl: z.string(),
  /** HTTP address for controlling the practice phone (a simulated wallet), with `Authorization: Bearer <token>`. */
  phoneUrl: z.string(),
  token: z.string(),
  walletAddress: z.string().refine((address) => !isKnownWallet(address), 'a wallet of everybody'),
  /** Addresses of the practice exchange's own contracts: the router, the collateral token and the protocol token. */
  router: z.string(),
  usdc: z.string(),
  svc: z.string(),
  /** URL for controlling the practice exchange in tests; null in product builds. */
  hooksUrl: z.string().nullable(),
})
export type PracticeDescriptor = z.infer<typeof PracticeDescriptor>

export const PracticeMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready'), descriptor: PracticeDescriptor }),
  z.object({ type: z.literal('failed'), part: z.enum(['chain', 'exchange', 'relay', 'wallet', 'process']), detail: z.string() }),
])
export type PracticeMessage = z.infer<typeof PracticeMessage>

/**
 * The practice phone's HTTP interface at `phoneUrl`. `GET /state?since=<revision>` returns `PhoneAnswer` at once if the state has a newer revision;
 * otherwise it waits for a change, 25 s at most. `POST /pair {uri}`, `POST /requests/<id>/approve` and `POST /requests/<id>/reject` return `{}`.
 */
export const PhoneAnswer = z.object({ revision: z.number(), state: PhoneState })
export type PhoneAnswer = z.infer<typeof PhoneAnswer>

/** The options that the parent process passes to the practice process, as one JSON argument. */
export const PracticeOptions = z.object({
  /** Folder for data that survives a restart; null keeps everything in memory. */
  dataDir: z.string().nullable(),
  /** Seed for the movement of the markets. */
  seed: z.number().int(),
  /** Port of the exchange; 0 lets the system choose one. */
  port: z.number().int(),
})
export type PracticeOptions = z.infer<typeof PracticeOptions>

/**
 * Wallets that must not be used for practice. Either their private keys are public (accounts of the mnemonic that local test chains use), or they
 * have no private key (burn addresses).
 */
const known: ReadonlySet<string> = new Set(
  [
    '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
    '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
    '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
    '0x90F79bf6EB2c4f870365E785982E1f101E93b906',
    '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65',
    '0x9965507D1a55bcC2695C58ba16FB37d819B0A4dc',
    '0x976EA74026E726554dB657fA54763abd0C3a0aa9',
    '0x14dC79964da2C08b23698B3D3cc7Ca32193d9955',
    '0x23618e81E3f5cdF7f54C3d65f7FBc0aBf5B21E8f',
    '0xa0Ee7A142d267C1f36714E4a8F75612F20a79720',
    '0x0000000000000000000000000000000000000000',
    '0x000000000000000000000000000000000000dEaD',
  ].map((address) => address.toLowerCase()),
)

/**
 * Whether the private key of a wallet is publicly known, as for the example wallets of development tools. Also true for the zero address, which has
 * no key. Practice mode must not use such a wallet: others could sign for a publicly known one on Base, too.
 */
export const isKnownWallet = (address: string): boolean => known.has(address.toLowerCase())
