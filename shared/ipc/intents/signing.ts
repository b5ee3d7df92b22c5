import { z } from 'zod'
import { command, query } from '../define.ts'
import { Decimal } from '../reads/markets.ts'
import { BlockReason, Compares, ComparisonLine, LineValue } from './comparison-lines.ts'
import { TokenSymbol } from './tickets.ts'
import { Title } from './titles.ts'

/**
 * What the user must confirm before a message goes to the wallet. `phraseOf` has the phrase that the user must type.
 * format: a new signing format. `complete`: the app recognises every value, and each value is as requested, so the user need not type the phrase.
 * unknown_field: a message that adds risk contains a value that the user did not request.
 * exit_extra: a message that ends risk contains a value that the user did not request. Messages that end risk need no other confirmation.
 */
export const Asks = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('format'), complete: z.boolean() }),
  z.object({ kind: z.literal('unknown_field'), field: z.string(), value: LineValue }),
  z.object({ kind: z.literal('unreadable_call'), selector: z.string() }),
  z.object({ kind: z.literal('exit_extra'), field: z.string(), value: LineValue.nullable() }),
])
export type Asks = z.infer<typeof Asks>

export const Comparison = z.object({
  compares: Compares,
  primaryType: z.string(),
  lines: z.array(ComparisonLine),
  matched: z.number(),
  total: z.number(),
  /**
   * The verdict on the message. pass: the app may send it to the wallet. confirm: the user must first confirm `asks` and every contract that is not
   * trusted yet. block: the app never sends it.
   */
  verdict: z.enum(['pass', 'confirm', 'block']),
  /** What the user must confirm about the message itself; null if nothing. */
  asks: Asks.nullable(),
  /** Why the app blocks the message; null unless the verdict is `block`. */
  blocked: BlockReason.nullable(),
  /** keccak256 hash of the message's encoded types. It identifies the signing format. */
  formatHash: z.string(),
  formatKnown: z.boolean(),
  /** Hashes of the formats that the user accepted before, if this signing format is new. */
  earlierFormats: z.array(z.string()),
  digest: z.string(),
  raw: z.string(),
})
export type Comparison = z.infer<typeof Comparison>

/** An allowance to take tokens out of the wallet, granted by a message or a transaction. `spendingText` has the texts. */
export const Spending = z.object({
  /** The symbol of the token. null: the protocol's own token, whose symbol is unknown here because the user did not request this token. */
  token: TokenSymbol.nullable(),
  spender: z.string(),
  /** Amount in units of the token, as decimal text; null: unlimited. */
  amount: z.string().nullable(),
  /** When an unused allowance expires; null if it never expires. */
  untilMs: z.number().nullable(),
})
export type Spending = z.infer<typeof Spending>

/** A router contract in a message, and the evidence that it is genuine (FLOW-01). The user must confirm a router that is not trusted yet. */
export const RouterCheck = z.object({
  state: z.enum(['pinned', 'new', 'changed']),
  candidate: z.string(),
  pinned: z.string().nullable(),
  /**
   * The router address that `GET /api/dex/config` publishes; null if it publishes none, or if the response was unreadable. `publishedByMeta` is the
   * same for `GET /meta`.
   */
  publishedByConfig: z.string().nullable(),
  publishedByMeta: z.string().nullable(),
  /**
   * Which of the responses of `/api/dex/config` and `/meta` the app could not read. Either the service did not answer, or no API key can read
   * `/meta`.
   */
  unread: z.array(z.enum(['config', 'meta'])),
  /** Whether there is a contract at the address; null: unknown, because the RPC server did not answer. */
  hasCode: z.boolean().nullable(),
  /** Host of the RPC server that was asked whether there is a contract at the address; null if the app did not ask. */
  rpcHost: z.string().nullable(),
})
export type RouterCheck = z.infer<typeof RouterCheck>

/** What sending a transaction now would do. */
export const trial = {
  /**
   * The result of simulating the transaction. skipped: not simulated, because the RPC server did not answer, the app blocks the transaction, or an
   * earlier transaction must be on the chain first.
   */
  simulation: z.object({ outcome: z.enum(['works', 'reverts', 'skipped']), reason: z.string().nullable() }),
  /**
   * The highest network fee at current gas prices, and the wallet's balance, in ETH; null if the RPC server did not provide them. `enough`: the
   * balance covers the fee.
   */
  gas: z.object({ costEth: Decimal, balanceEth: Decimal, enough: z.boolean() }).nullable(),
}

/** A transaction that the app asks a wallet to send. `data` and `value` are hexadecimal. */
export const WalletTransaction = z.object({ from: z.string(), to: z.string(), data: z.string(), value: z.string() })
export type WalletTransaction = z.infer<typeof WalletTransaction>

/** A request that the renderer passes to the wallet. Main returns such a request only after approving it. */
export const SignRequest = z.discriminatedUnion('method', [
  z.object({ method: z.literal('personal_sign'), wallet: z.string(), chainId: z.number(), message: z.string(), expiresAtMs: z.number() }),
  z.object({ method: z.literal('eth_signTypedData_v4'), wallet: z.string(), chainId: z.number(), typedData: z.string(), expiresAtMs: z.number() }),
  /** A transaction to send. The wallet answers with the hash of the transaction that it broadcast. */
  z.object({
    method: z.literal('eth_sendTransaction'),
    wallet: z.string(),
    chainId: z.number(),
    transaction: WalletTransaction,
    expiresAtMs: z.number(),
  }),
])
export type SignRequest = z.infer<typeof SignRequest>

/** A problem in a sign-in message. `shared/text/signing-text.ts` has the words. */
export const ChallengeProblem = z.discriminatedUnion('code', [
  z.object({ code: z.literal('other_host'), host: z.string(), expected: z.string() }),
  /** The sign-in message contains the right wallet, but another field of the same response contains a different wallet. */
  z.object({ code: z.literal('answered_for_another'), wallet: z.string(), expected: z.string() }),
  z.object({ code: z.literal('other_wallet'), wallet: z.string(), expected: z.string() }),
  /** The sign-in message is for another network. `network`: that network's name, as written in the message. */
  z.object({ code: z.literal('other_network'), network: z.string() }),
  z.object({ code: z.literal('other_chain'), chainId: z.number() }),
  z.object({ code: z.literal('nonce_seen'), nonce: z.string() }),
  z.object({ code: z.literal('other_nonce'), nonce: z.string(), expected: z.string() }),
  z.object({ code: z.literal('no_time'), text: z.string() }),
  z.object({ code: z.literal('over'), atMs: z.number() }),
  z.object({ code: z.literal('too_far_off'), atMs: z.number(), forMs: z.number() }),
  z.object({ code: z.literal('other_expiry'), atMs: z.number(), expectedMs: z.number() }),
  /** The sign-in message contains a hidden character. `name`: its code point, for example `U+202E`. */
  z.object({ code: z.literal('hidden_character'), name: z.string() }),
  z.object({ code: z.literal('link_elsewhere'), link: z.string() }),
  /** The sign-in message contains text that reads like a transaction. `call`: that text. */
  z.object({ code: z.literal('transaction'), call: z.string() }),
  z.object({ code: z.enum(['hex_text', 'hex_data', 'too_long']) }),
])
export type ChallengeProblem = z.infer<typeof ChallengeProblem>

const ChallengeFound = z.discriminatedUnion('code', [
  ...ChallengeProblem.options,
  z.object({ code: z.literal('missing') }),
  z.object({ code: z.literal('host'), host: z.string() }),
  z.object({ code: z.literal('wallet'), wallet: z.string() }),
  z.object({ code: z.literal('network') }),
  z.object({ code: z.literal('nonce'), nonce: z.string() }),
  z.object({ code: z.literal('expiry'), leftMs: z.number() }),
  z.object({ code: z.literal('nothing_else'), lines: z.number() }),
])

export const Check = z.object({
  id: z.enum(['host', 'wallet', 'network', 'nonce', 'expiry', 'rest']),
  found: ChallengeFound,
  /**
   * The result of the check. missing: the sign-in message does not contain the value to check. The message may still be correct, because the API
   * document does not define its format.
   */
  verdict: z.enum(['pass', 'fail', 'missing']),
  /** Position of the checked value in the sign-in message: offset and length in UTF-16 code units. null: the message does not contain the value. */
  at: z.object({ start: z.number(), length: z.number() }).nullable(),
})
export type Check = z.infer<typeof Check>

/**
 * Whether the app has reported a transaction's hash to the service's receipt route (FLOW-05). due: the app will report it automatically, or try
 * again. refused: the service rejected the report. given_up: all attempts failed, or the first successful report was far too late.
 */
export const ReceiptState = z.enum(['due', 'reported', 'refused', 'given_up'])
export type ReceiptState = z.infer<typeof ReceiptState>

/** A transaction that the wallet broadcast for this app, and whether its hash was reported to the service. */
export const Broadcast = z.object({
  ref: z.string(),
  /** Index of the transaction in its intent, starting at 0. `of`: number of transactions in the intent. */
  index: z.number().int(),
  of: z.number().int(),
  /** The transaction's kind in the service's words, for example `approval`. */
  kind: z.string().nullable(),
  title: Title,
  txHash: z.string(),
  receipt: ReceiptState,
  /** When the app sent the request to the wallet. */
  atMs: z.number(),
})
export type Broadcast = z.infer<typeof Broadcast>

export const receipts = {
  /** Returns the transactions that the wallet on display has broadcast, newest first. With `ref`: only those of one intent, in sending order. */
  'receipts.list': query(z.object({ ref: z.string().nullable() }), z.object({ broadcasts: z.array(Broadcast) }), 'wallet'),
  /**
   * Reports a hash again, after the service refused the report or the app gave up. Uses the same route as the first report (HOOK-09). Returns the
   * new state.
   */
  'receipts.report': command(z.object({ ref: z.string(), index: z.number().int().min(0) }), z.object({ receipt: ReceiptState }), {
    invalidates: ['receipts.list', 'gaps.check'],
  }),
} as const
