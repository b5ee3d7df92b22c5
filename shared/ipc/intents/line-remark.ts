import { z } from 'zod'

/** What a value is compared with in a remark. */
const Against = z.enum([
  ...['order', 'size', 'position', 'leverage', 'slippage', 'margin', 'close', 'asked', 'deposit'],
  ...['referencePrice', 'limitPrice', 'triggerPrice', 'takeProfit', 'stopLoss'],
] as const)
export type Against = z.infer<typeof Against>

/** Why a line of a comparison was accepted, refused or left open, where its verdict does not say it all. `shared/text/remark-text.ts` has the words. */
export const Remark = z.discriminatedUnion('code', [
  z.object({
    code: z.enum([
      // A value that nobody asked for: left open, or accepted.
      ...['unasked', 'unasked_empty', 'own_wallet', 'trusted_contract', 'as_agreed', 'chain_id', 'empty', 'time_of_now', 'by_chance'],
      // How a value reads.
      ...['two_scales', 'not_this_number', 'number_unknown', 'decimals_unknown', 'nothing_known', 'not_shown', 'no_limit', 'unreadable'],
      // Contracts, nonces and ends.
      ...['router_not_pinned', 'token_not_known', 'not_pinned', 'signed_before', 'never_ends', 'over', 'too_long', 'not_the_tokens_name'],
      // Agents.
      ...['agent_is_wallet', 'agent_is_zero', 'agent_not_named', 'more_than_trading', 'more_than_collateral'],
      // Payloads and calls.
      ...['left_out', 'added', 'changed', 'unread_amount', 'unread_call', 'unread_token_call', 'never_unread', 'by_arguments', 'other_call'],
    ] as const),
  }),
  /** times: exactly so many times as much; part: one of so many; more_times: more than so many times; more, less: by so many percent. */
  z.object({ code: z.literal('ratio'), is: z.enum(['times', 'part', 'more_times', 'more', 'less']), by: z.string(), of: Against }),
  /** As asked for at one scale, and this at another. */
  z.object({ code: z.literal('also'), value: z.string(), unit: z.string().nullable() }),
  z.object({ code: z.literal('other_amount'), endless: z.boolean() }),
  /** Another contract than the one that stands here by the user's word, or by the service's. */
  z.object({ code: z.literal('other_contract'), by: z.enum(['pin', 'service']), expected: z.string() }),
  z.object({ code: z.literal('unknown_contract'), address: z.string() }),
  z.object({ code: z.literal('not_the_pinned'), pinned: z.string() }),
  z.object({ code: z.literal('not_the_next'), nonce: z.string(), next: z.string() }),
  z.object({ code: z.literal('outlives_key'), endsAtMs: z.number() }),
  /** What the service calls a transaction that is another. */
  z.object({ code: z.literal('called'), kind: z.enum(['approval', 'action']) }),
])
export type Remark = z.infer<typeof Remark>
