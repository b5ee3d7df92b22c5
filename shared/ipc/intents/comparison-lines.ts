import { z } from 'zod'
import { TimeInForce } from './tickets.ts'
import { Title } from './titles.ts'

/** What a remark compares a value with. */
const Against = z.enum([
  ...['order', 'size', 'position', 'leverage', 'slippage', 'margin', 'close', 'asked', 'deposit'],
  ...['referencePrice', 'limitPrice', 'triggerPrice', 'takeProfit', 'stopLoss'],
] as const)
export type Against = z.infer<typeof Against>

/** Why the app accepted a line of a comparison, refused it or left it open, if the verdict is not enough. `remarkText` has the words. */
export const Remark = z.discriminatedUnion('code', [
  z.object({
    code: z.enum([
      // Remarks on a value that the user did not ask for: why the app leaves it open or accepts it.
      ...['unasked', 'unasked_empty', 'own_wallet', 'trusted_contract', 'as_agreed', 'chain_id', 'empty', 'time_of_now', 'by_chance'],
      // Remarks on how the app reads a value.
      ...['two_scales', 'not_this_number', 'number_unknown', 'decimals_unknown', 'nothing_known', 'not_shown', 'no_limit', 'unreadable'],
      // Remarks on contracts, nonces and expiries.
      ...['router_not_pinned', 'token_not_known', 'not_pinned', 'signed_before', 'never_ends', 'over', 'too_long', 'not_the_tokens_name'],
      // Agents.
      ...['agent_is_wallet', 'agent_is_zero', 'agent_not_named', 'more_than_trading', 'more_than_collateral'],
      // Payloads and calls.
      ...['left_out', 'added', 'changed', 'unread_amount', 'unread_call', 'unread_token_call', 'never_unread', 'by_arguments', 'other_call'],
    ] as const),
  }),
  /**
   * How a value compares with `of`. times: exactly n times as much. part: one nth of it. more_times: more than n times as much. more, less: by
   * n percent.
   */
  z.object({ code: z.literal('ratio'), is: z.enum(['times', 'part', 'more_times', 'more', 'less']), by: z.string(), of: Against }),
  /** The value matches the request at one scale, but means `value` at another scale. */
  z.object({ code: z.literal('also'), value: z.string(), unit: z.string().nullable() }),
  z.object({ code: z.literal('other_amount'), endless: z.boolean() }),
  /** A different contract than the one that the user (`pin`) or the service named for this purpose. */
  z.object({ code: z.literal('other_contract'), by: z.enum(['pin', 'service']), expected: z.string() }),
  z.object({ code: z.literal('unknown_contract'), address: z.string() }),
  z.object({ code: z.literal('not_the_pinned'), pinned: z.string() }),
  z.object({ code: z.literal('not_the_next'), nonce: z.string(), next: z.string() }),
  z.object({ code: z.literal('outlives_key'), endsAtMs: z.number() }),
  /** The service labels a transaction with this kind, but the transaction does something else. */
  z.object({ code: z.literal('called'), kind: z.enum(['approval', 'action']) }),
])
export type Remark = z.infer<typeof Remark>

/**
 * The reason for the verdict of a line that affects a decision.
 * unasked: a value that the user did not ask for. unasked_empty: such a value without information.
 * new_field: a field that is not in the agreed signing format.
 * foreign_address: an address that is neither the user's nor trusted.
 * moved: a value that the agreed format has elsewhere, or no longer has.
 * unsaid: requested, but missing from the message, and the user did not agree to its absence.
 * needed: missing from the message, which is unreadable without it.
 * number: a number that represents a word and is not known yet.
 * ambiguous: matches the request at one scale, means something else at another. ambiguous_more: means something larger at another.
 * two_scales: ambiguous and dangerous.
 * not_pinned: names a contract that the user must confirm separately.
 * agreed: not requested now, but part of the agreed format.
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

/** Words that the app shows instead of a value on one side of a comparison line. */
const LineWord = z.enum([
  ...['yes', 'no', 'empty', 'none', 'nothing', 'as_it_is', 'no_limit', 'unreadable', 'no_end', 'without_end', 'an_end', 'time_to_come'],
  ...['long', 'short', 'market', 'limit', 'stop', 'cross', 'isolated', ...TimeInForce.options, 'whole_position'],
  ...['never_used', 'new_agent', 'nothing_named', 'payment', 'router', 'router_or_token', 'router_or_collateral', 'collateral'],
  ...['no_router_pinned', 'no_router_known', 'no_contract_known', 'token_unknown'],
] as const)
export type LineWord = z.infer<typeof LineWord>

/**
 * One side of a comparison line: the requested or the signed value. Text looks the same in every language: numbers, addresses, ids, and
 * words of the message itself. `lineValueText` (`shared/text/comparison-text.ts`) has the words of the codes.
 */
export const LineValue = z.union([
  z.string(),
  z.discriminatedUnion('code', [
    z.object({
      code: LineWord,
    }),
    z.object({ code: z.literal('about'), value: z.string() }),
    z.object({ code: z.literal('at_most'), value: z.string() }),
    z.object({ code: z.literal('at_most_ms'), ms: z.number() }),
    /** A market by the exchange's id. `symbol` is null if unknown. */
    z.object({ code: z.literal('pair'), pairId: z.string(), symbol: z.string().nullable() }),
    /** A chain that is not Base. */
    z.object({ code: z.literal('chain'), chainId: z.string() }),
    /** The name and version of an EIP-712 domain. */
    z.object({ code: z.literal('domain'), name: z.string().nullable(), version: z.string() }),
    z.object({ code: z.enum(['nonce', 'next_nonce']), nonce: z.string() }),
    z.object({ code: z.literal('calldata'), selector: z.string() }),
    z.object({ code: z.literal('contract'), is: z.enum(['router', 'USDC', 'own', 'collateral', 'no_token', 'no_collateral']), address: z.string() }),
    /** A router, and who vouches for it: the user who trusts it, or the service that publishes it. */
    z.object({ code: z.literal('vouched'), by: z.enum(['pin', 'service']), address: z.string() }),
    /** A time in Unix ms. `leftMs`: milliseconds left until then; null if the time has passed. */
    z.object({ code: z.enum(['until_time', 'until_date']), atMs: z.number(), leftMs: z.number().nullable() }),
    /** The rights that a grant gives an agent. `shown`: those rights in the message's own words; null on the side of the request. */
    z.object({ code: z.literal('gives'), gives: z.enum(['trading', 'trading_and_collateral']), shown: z.string().nullable() }),
    z.object({ code: z.literal('action'), title: Title }),
  ]),
])
export type LineValue = z.infer<typeof LineValue>

/** One line of the comparison between the request and what the wallet would sign. `lineName` has its name. */
export const ComparisonLine = z.object({
  /**
   * What the line is about, for example `orderValue`; `wallet.2` for a second line about the wallet, `payload.size` for a field of the normalised
   * payload.
   */
  id: z.string(),
  /** The value that the user requested; null if the message contains something that the user did not request. */
  asked: LineValue.nullable(),
  /** The value in the message; null if the message does not contain it. */
  signed: LineValue.nullable(),
  unit: z.string().nullable(),
  /** The path of the field in the message, for example `orderValue` or `domain.verifyingContract`. */
  field: z.string().nullable(),
  /**
   * match: recognised and equal. differ: recognised and different, or readable at two scales; always blocks. unmatched: not recognised on one
   * side. absent: the user asked for the value, but the message does not contain or need it.
   */
  verdict: z.enum(['match', 'differ', 'unmatched', 'absent']),
  remark: Remark.nullable(),
  group: z.enum(['order', 'envelope']),
  code: LineCode.optional(),
})
export type ComparisonLine = z.infer<typeof ComparisonLine>

/** What is compared: a signed intent, a transaction, the permit of a deposit, the grant of a trading agent. */
export const Compares = z.enum(['message', 'transaction', 'permit', 'grant'])
export type Compares = z.infer<typeof Compares>

/** The purpose of a trusted contract. */
export const ContractKind = z.enum(['router', 'collateral_token', 'protocol_token'])
export type ContractKind = z.infer<typeof ContractKind>

/** A reason not to trust a contract. */
export const ContractConcern = z.discriminatedUnion('code', [
  z.object({ code: z.enum(['zero_address']) }),
  z.object({ code: z.literal('no_contract'), address: z.string() }),
  z.object({ code: z.literal('publishes_another'), what: ContractKind, address: z.string(), at: z.enum(['config', 'meta']) }),
  z.object({ code: z.literal('publishes_none'), what: ContractKind }),
])
export type ContractConcern = z.infer<typeof ContractConcern>

/** Why the user must not sign a message or transaction. Stored in the journal. `blockedText` has the sentences. */
export const BlockReason = z.discriminatedUnion('code', [
  /** The first line of the comparison that differs. */
  z.object({ code: z.literal('line'), of: Compares, line: ComparisonLine }),
  /** The message does not refer to the order or position that it is meant for, or the service returned no grant. */
  z.object({ code: z.enum(['not_the_order', 'not_the_position', 'no_grant']) }),
  z.object({ code: z.literal('no_permit'), primaryType: z.string() }),
  z.object({ code: z.literal('contract'), by: ContractConcern }),
  /** Problems with the list of transactions. `count`: number of transactions of that kind in the list. */
  z.object({ code: z.enum(['no_transaction', 'approval_alone', 'approval_after']) }),
  z.object({ code: z.enum(['several_transactions', 'several_approvals']), count: z.number().int() }),
])
export type BlockReason = z.infer<typeof BlockReason>
