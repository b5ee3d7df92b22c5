import { z } from 'zod'
import { command, query } from '../define.ts'
import { Remark } from './reasons.ts'
import { TokenSymbol } from './token-symbol.ts'

/**
 * Why a line stands as it does, where something is decided by it.
 * unasked: a value that nobody asked for. unasked_empty: the same, and it says nothing. new_field: a field that the agreed signing format does not have.
 * foreign_address: an address that is neither yours nor trusted. moved: a value that the agreed format has elsewhere, or not at all any more.
 * unsaid: asked for, not in the message, and not what was agreed to without being said. needed: not in the message, which cannot be read without it.
 * number: a number that stands for a word, and is not known yet. ambiguous: as asked for at one scale, something else at another; ambiguous_more: something larger. two_scales: the same,
 * and dangerous. not_pinned: names a contract that is asked about by itself. agreed: nobody asked for it now; agreed to with the format.
 */
export const LineCode = z.enum([
  'unasked',
  'unasked_empty',
  'new_field',
  'foreign_address',
  'moved',
  'unsaid',
  'needed',
  'number',
  'ambiguous',
  'ambiguous_more',
  'two_scales',
  'not_pinned',
  'agreed',
])
export type LineCode = z.infer<typeof LineCode>

/** One line of the comparison between what was asked for and what the wallet would sign. */
export const ComparisonLine = z.object({
  /** Stable name for tests and for the renderer's labels, for example `orderValue`. */
  id: z.string(),
  label: z.string(),
  /** What the user asked for, ready to be shown; null where the message holds something nobody asked for. */
  asked: z.string().nullable(),
  /** What the message says, ready to be shown; null where the message does not say it. */
  signed: z.string().nullable(),
  unit: z.string().nullable(),
  /** The path of the field in the message, for example `orderValue` or `domain.verifyingContract`. */
  field: z.string().nullable(),
  /**
   * match: recognised and equal. differ: recognised and different, or readable at two scales (blocks always).
   * unmatched: not recognised on one side. absent: asked for, nothing in the message says it, and nothing needs to.
   */
  verdict: z.enum(['match', 'differ', 'unmatched', 'absent']),
  remark: Remark.nullable(),
  group: z.enum(['order', 'envelope']),
  code: LineCode.optional(),
})
export type ComparisonLine = z.infer<typeof ComparisonLine>

/**
 * What the user must say by hand before a message goes to the wallet; `phraseOf` has the words.
 * format: a signing format never agreed to. `complete`: each value is recognised and as asked for, so that a tick is enough.
 * unknown_field: a value that nobody asked for in a message that opens risk. exit_extra: the same in one that ends it; the only thing an exit asks.
 */
export const Asks = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('format'), complete: z.boolean() }),
  z.object({ kind: z.literal('unknown_field'), field: z.string(), value: z.string() }),
  z.object({ kind: z.literal('unreadable_call'), selector: z.string() }),
  z.object({ kind: z.literal('exit_extra'), field: z.string(), value: z.string().nullable() }),
])
export type Asks = z.infer<typeof Asks>

export const Comparison = z.object({
  title: z.string(),
  primaryType: z.string(),
  lines: z.array(ComparisonLine),
  matched: z.number(),
  total: z.number(),
  /** pass: may be sent. confirm: once `asks` is answered and its contracts are confirmed. block: never sent. */
  verdict: z.enum(['pass', 'confirm', 'block']),
  /** null: nothing must be typed or ticked for the message itself. */
  asks: Asks.nullable(),
  /** For `block`: one sentence that names the line. */
  sentence: z.string().nullable(),
  /** keccak256 of the encoded types: the layout that is pinned. */
  layoutHash: z.string(),
  layoutKnown: z.boolean(),
  /** Old and new layout names where a pinned one changed. */
  unmatched: z.array(z.string()),
  digest: z.string(),
  raw: z.string(),
})
export type Comparison = z.infer<typeof Comparison>

/** A right to take tokens out of the wallet, as a message or a transaction gives it. `spendingText` has the words. */
export const Spending = z.object({
  /** null: the protocol's own token, which nobody asked about and whose symbol is not known here. */
  token: TokenSymbol.nullable(),
  spender: z.string(),
  /** Token units as decimal; null: without a limit. */
  amount: z.string().nullable(),
  /** When the right ends if it is not used; null: never by itself. */
  untilMs: z.number().nullable(),
})
export type Spending = z.infer<typeof Spending>

/** A router that a message names, and what speaks for it (FLOW-01). Nothing is asked about one that is pinned. */
export const RouterCheck = z.object({
  state: z.enum(['pinned', 'new', 'changed']),
  candidate: z.string(),
  pinned: z.string().nullable(),
  /** By `GET /api/dex/config` and `GET /meta`; null: it names none there, or that was not read. */
  publishedByConfig: z.string().nullable(),
  publishedByMeta: z.string().nullable(),
  /** Which of the two was not read: no answer, or no key for `/meta`. */
  unread: z.array(z.enum(['config', 'meta'])),
  /** Whether a contract stands there; null: the RPC did not answer. */
  hasCode: z.boolean().nullable(),
  /** The host of the RPC that was asked for the code; null where none was. */
  rpcHost: z.string().nullable(),
})
export type RouterCheck = z.infer<typeof RouterCheck>

/** What the renderer hands to the wallet, and nothing else. Given out only after main has agreed to it. */
export const SignRequest = z.discriminatedUnion('method', [
  z.object({ method: z.literal('personal_sign'), wallet: z.string(), chainId: z.number(), message: z.string(), expiresAtMs: z.number() }),
  z.object({ method: z.literal('eth_signTypedData_v4'), wallet: z.string(), chainId: z.number(), typedData: z.string(), expiresAtMs: z.number() }),
  /** The answer is the hash of a transaction that the wallet broadcast. `value` and `data` are hexadecimal. */
  z.object({
    method: z.literal('eth_sendTransaction'),
    wallet: z.string(),
    chainId: z.number(),
    transaction: z.object({ from: z.string(), to: z.string(), data: z.string(), value: z.string() }),
    expiresAtMs: z.number(),
  }),
])
export type SignRequest = z.infer<typeof SignRequest>

/** What is wrong with a sign-in message. Its words: `shared/text/signing-text.ts`. */
export const ChallengeProblem = z.discriminatedUnion('code', [
  z.object({ code: z.literal('other_host'), host: z.string(), expected: z.string() }),
  /** The message is for the right wallet, and what came beside it for another. */
  z.object({ code: z.literal('answered_for_another'), wallet: z.string(), expected: z.string() }),
  z.object({ code: z.literal('other_wallet'), wallet: z.string(), expected: z.string() }),
  /** `network`: as it was written. */
  z.object({ code: z.literal('other_network'), network: z.string() }),
  z.object({ code: z.literal('other_chain'), chainId: z.number() }),
  z.object({ code: z.literal('nonce_seen'), nonce: z.string() }),
  z.object({ code: z.literal('other_nonce'), nonce: z.string(), expected: z.string() }),
  z.object({ code: z.literal('no_time'), text: z.string() }),
  z.object({ code: z.literal('over'), atMs: z.number() }),
  z.object({ code: z.literal('too_far_off'), atMs: z.number(), forMs: z.number() }),
  z.object({ code: z.literal('other_expiry'), atMs: z.number(), expectedMs: z.number() }),
  /** For example `U+202E`. */
  z.object({ code: z.literal('hidden_character'), name: z.string() }),
  z.object({ code: z.literal('link_elsewhere'), link: z.string() }),
  /** `call`: the words that read like a transaction. */
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
  /** missing: the layout of the message is not documented and this was not found in it. */
  verdict: z.enum(['pass', 'fail', 'missing']),
  /** Where in the message the value stands: offset and length in UTF-16 code units. */
  at: z.object({ start: z.number(), length: z.number() }).nullable(),
})
export type Check = z.infer<typeof Check>

/**
 * Of the report of a transaction to the receipt route (FLOW-05). due: it is made again by itself. refused: the service said no. given_up: it was
 * not reached in all attempts, or only when the transaction was long past.
 */
export const ReceiptState = z.enum(['due', 'reported', 'refused', 'given_up'])
export type ReceiptState = z.infer<typeof ReceiptState>

/** A transaction that the wallet broadcast for this app, and whether the service was told its hash. */
export const Broadcast = z.object({
  ref: z.string(),
  /** Its place in the intent, from 0, of `of`. */
  index: z.number().int(),
  of: z.number().int(),
  /** As the service calls it, for example `approval`. */
  kind: z.string().nullable(),
  /** Of the intent. */
  title: z.string(),
  txHash: z.string(),
  receipt: ReceiptState,
  /** When the wallet was asked for it. */
  atMs: z.number(),
})
export type Broadcast = z.infer<typeof Broadcast>

export const receipts = {
  /** Of the wallet that is shown, newest first. `ref`: of one intent alone, in the order in which they are sent. */
  'receipts.list': query(z.object({ ref: z.string().nullable() }), z.object({ broadcasts: z.array(Broadcast) }), 'wallet'),
  /** Reports a hash that was refused or given up once more, the way the first report went (HOOK-09). Answers how it stands then. */
  'receipts.report': command(z.object({ ref: z.string(), index: z.number().int().min(0) }), z.object({ receipt: ReceiptState }), {
    invalidates: ['receipts.list', 'gaps.check'],
  }),
} as const
