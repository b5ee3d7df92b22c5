import { z } from 'zod'
import { TimeInForce } from './tickets.ts'
import { Title } from './titles.ts'

/** The value that a remark compares another value with. */
const Against = z.enum([
  ...['order', 'size', 'position', 'leverage', 'slippage', 'margin', 'close', 'asked', 'deposit'],
  ...['referencePrice', 'limitPrice', 'triggerPrice', 'takeProfit', 'stopLoss'],
] as const)
export type Against = z.infer<typeof Against>

/**
 * Why the app accepted a comparison line, refused it or left it undecided. Set if the verdict alone is not clear enough. `remarkText` has the texts.
 */
export const Remark = z.discriminatedUnion('code', [
  z.object({
    code: z.enum([
      // Remarks on a value that the user did not request: why the app accepts the value or leaves it undecided.
      ...['unasked', 'unasked_empty', 'own_wallet', 'trusted_contract', 'as_agreed', 'chain_id', 'empty', 'time_of_now', 'by_chance'],
      // Remarks on how the app interprets a value.
      ...['two_scales', 'not_this_number', 'number_unknown', 'decimals_unknown', 'nothing_known', 'not_shown', 'no_limit', 'unreadable'],
      ...['router_not_pinned', 'token_not_known', 'not_pinned', 'signed_before', 'never_ends', 'over', 'too_long', 'not_the_tokens_name'],
      // Remarks on the agent or the rights of a grant.
      ...['agent_is_wallet', 'agent_is_zero', 'agent_not_named', 'more_than_trading', 'more_than_collateral'],
      // Remarks on a payload that the service returned, or on a contract call.
      ...['left_out', 'added', 'changed', 'unread_amount', 'unread_call', 'unread_token_call', 'never_unread', 'by_arguments', 'other_call'],
    ] as const),
  }),
  /**
   * How a value compares with the value that `of` names. times: exactly `by` times as much. part: that value divided by `by`. more_times: more than
   * `by` times as much. more: `by` percent more. less: `by` percent less.
   */
  z.object({ code: z.literal('ratio'), is: z.enum(['times', 'part', 'more_times', 'more', 'less']), by: z.string(), of: Against }),
  /** The number matches the request at one scale, but would mean `value` at another scale. */
  z.object({ code: z.literal('also'), value: z.string(), unit: z.string().nullable() }),
  z.object({ code: z.literal('other_amount'), endless: z.boolean() }),
  /** The contract differs from the contract that the user trusts for this purpose (`pin`), or that the service publishes for it. */
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
 * Why a comparison line got its verdict.
 * unasked: the user did not request the value. unasked_empty: the same, but the value is empty.
 * new_field: the agreed signing format does not contain the field.
 * foreign_address: an address that is neither the user's nor trusted.
 * moved: the agreed signing format has the value in another place, or no longer contains it.
 * unsaid: requested, but missing from the message, and the user never agreed to that.
 * needed: missing from the message, which is unreadable without the value.
 * number: a number that represents a word; its meaning is not known yet.
 * ambiguous: matches the request at one scale, but means something else at another scale. ambiguous_more: means something larger at another scale.
 * two_scales: ambiguous in a dangerous way.
 * not_pinned: names a contract that the user must confirm separately.
 * agreed: not requested now, but part of the agreed signing format.
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

/** Words for one side of a comparison line, shown instead of a value. */
const LineWord = z.enum([
  ...['yes', 'no', 'empty', 'none', 'nothing', 'as_it_is', 'no_limit', 'unreadable', 'no_end', 'without_end', 'an_end', 'time_to_come'],
  ...['long', 'short', 'market', 'limit', 'stop', 'cross', 'isolated', ...TimeInForce.options, 'whole_position'],
  ...['never_used', 'new_agent', 'nothing_named', 'payment', 'router', 'router_or_token', 'router_or_collateral', 'collateral'],
  ...['no_router_pinned', 'no_router_known', 'no_contract_known', 'token_unknown'],
] as const)
export type LineWord = z.infer<typeof LineWord>

/**
 * One side of a comparison line: the requested or the signed value. Plain text looks the same in every language: numbers, addresses, ids, and words
 * from the message itself. For codes, `lineValueText` (`shared/text/comparison-text.ts`) has the texts.
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
    /** A router, and why the app expects it. pin: the user trusts it. service: the service publishes it. */
    z.object({ code: z.literal('vouched'), by: z.enum(['pin', 'service']), address: z.string() }),
    /** A time in Unix ms. `leftMs`: milliseconds left until then; null if the time has passed. */
    z.object({ code: z.enum(['until_time', 'until_date']), atMs: z.number(), leftMs: z.number().nullable() }),
    /** The rights that a grant gives to an agent. `shown`: these rights in the message's own words; null for the requested value. */
    z.object({ code: z.literal('gives'), gives: z.enum(['trading', 'trading_and_collateral']), shown: z.string().nullable() }),
    z.object({ code: z.literal('action'), title: Title }),
  ]),
])
export type LineValue = z.infer<typeof LineValue>

/** One line of the comparison between the request and what the wallet would sign. `lineName` has the line's title. */
export const ComparisonLine = z.object({
  /**
   * What the line compares, for example `orderValue`. `wallet.2`: a second line about the wallet. `payload.size`: a field of the request's payload.
   */
  id: z.string(),
  /** The value that the user requested; null if the user did not request this value. */
  asked: LineValue.nullable(),
  /** The value in the message; null if the message does not contain it. */
  signed: LineValue.nullable(),
  unit: z.string().nullable(),
  /** The path of the field in the message, for example `orderValue` or `domain.verifyingContract`. */
  field: z.string().nullable(),
  /**
   * The result of the comparison. match: recognised and equal. differ: recognised and different, or readable at two scales; always blocks the
   * signing. unmatched: the app does not recognise the value on one side. absent: requested, but the message neither contains nor needs the value.
   */
  verdict: z.enum(['match', 'differ', 'unmatched', 'absent']),
  remark: Remark.nullable(),
  group: z.enum(['order', 'envelope']),
  code: LineCode.optional(),
})
export type ComparisonLine = z.infer<typeof ComparisonLine>

/** What the app compares with the request: a message to sign, a transaction, the permit of a deposit, or the grant of a trading agent. */
export const Compares = z.enum(['message', 'transaction', 'permit', 'grant'])
export type Compares = z.infer<typeof Compares>

/** The purpose for which the user trusts a contract. */
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

/** Why the app does not let the user sign a message or transaction. The journal stores this. `blockedText` has the texts. */
export const BlockReason = z.discriminatedUnion('code', [
  /** The comparison found a difference. `line`: the first line that differs. */
  z.object({ code: z.literal('line'), of: Compares, line: ComparisonLine }),
  /** The message is for another order or position than the requested one, or the service returned no grant. */
  z.object({ code: z.enum(['not_the_order', 'not_the_position', 'no_grant']) }),
  z.object({ code: z.literal('no_permit'), primaryType: z.string() }),
  /** The name of a struct in the message states another action than the requested one, for example `InvertPosition` for a close. */
  z.object({ code: z.literal('other_action'), struct: z.string() }),
  z.object({ code: z.literal('contract'), by: ContractConcern }),
  /** The list of transactions is wrong: it has no transaction for the action, only an approval, or an approval after the action. */
  z.object({ code: z.enum(['no_transaction', 'approval_alone', 'approval_after']) }),
  z.object({ code: z.enum(['several_transactions', 'several_approvals']), count: z.number().int() }),
])
export type BlockReason = z.infer<typeof BlockReason>
