import { z } from 'zod'

/** Reasons whose code says it all. Their sentences: `shared/text/intent-text.ts`. */
export const PlainReason = z.enum([
  // What the wallet answered, and what did not come in time.
  'rejected_on_phone',
  'rejected_after_approval',
  'cancelled_before_signing',
  'request_expired',
  'wallet_unreachable',
  'wallet_failed',
  'wallet_not_asked',
  'wallet_silent',
  'signature_too_late',
  'not_signed_in_time',
  'signature_not_sent_in_time',
  'not_relayed_in_time',
  'not_sent_in_time',
  'deposit_not_sent_in_time',
  'no_answer_in_time',
  'no_answer_searched',
  // The user's word.
  'signature_dropped',
  'replaced',
  'user_passed',
  'user_carried_out',
  'user_not_carried_out',
  // The last run ended in the middle of it.
  'stopped_before_prepared',
  'stopped_while_asked',
  'stopped_while_asked_searched',
  'stopped_before_relay',
  'stopped_before_relay_answer',
  'stopped_before_execution',
  'stopped_before_execution_answer',
  // The relay.
  'relay_disk_full',
  'relay_not_reached',
  'relay_asked_to_wait',
  'relay_without_hash',
  'relay_unreadable',
  'relay_lost',
  'relay_has_it',
  'relay_too_late',
  // What the service shows of it.
  'not_looked_up',
  'listed_as_reverted',
  'listed_as_done',
  'in_trades',
  'in_orders',
  'shown_nowhere',
  'lists_incomplete',
  'not_listed',
  // What the chain shows of it.
  'reverted',
  'payment_reverted',
  'gone_from_chain',
  'taken_back',
  'approval_taken_back',
  'other_transaction',
  'chain_silent',
  'transaction_awaited',
  'transaction_pending',
  'contract_awaited',
  'contract_undecided',
  'several_alike',
  'dropped',
  'never_sent',
  'approved',
  'approval_sent',
  // The executor of a key.
  'execution_disk_full',
  'execution_not_reached',
  'execution_unreadable',
  'execution_lost',
  'execution_asked_again',
  'execution_untraceable',
  'execution_listed',
  'execution_listed_final',
  'execution_awaited',
  'execution_over',
  'execution_unnamed_part',
  'no_executor',
  'execution_key_conflict',
  'execution_rate_limited',
  'no_key_to_read',
  // Its preparation.
  'prepare_key_conflict',
  'preparation_over',
  'contract_pending',
  // What was prepared is not what was asked for.
  'unasked_transactions',
  'unasked_permit',
  'unasked_signature',
  'token_units_unknown',
  'differs',
  'payment_not_answered',
  'several_prepared',
  'none_prepared',
])
export type PlainReason = z.infer<typeof PlainReason>

/** In what a preparation contradicts itself or the document. Its sentences: `shared/text/intent-text.ts`. */
export const Contradiction = z.discriminatedUnion('code', [
  z.object({
    code: z.enum([
      ...['readiness_unsaid', 'status_unsaid', 'nothing_to_sign', 'no_transactions'],
      // Both ways at once: it is said which one it was ready for.
      ...['signature_and_transactions', 'transactions_and_signature'],
    ] as const),
  }),
  z.object({ code: z.literal('intent_name'), intentId: z.string() }),
  z.object({ code: z.literal('ready_and_not'), status: z.string() }),
  z.object({ code: z.literal('status_unknown'), status: z.string() }),
  z.object({ code: z.literal('not_ready'), status: z.string() }),
  z.object({ code: z.literal('ready_with_reason'), reason: z.string() }),
  /** `mode` null: it has none. */
  z.object({ code: z.literal('signature_mode'), mode: z.string().nullable() }),
  z.object({ code: z.literal('transactions_mode'), mode: z.string() }),
])
export type Contradiction = z.infer<typeof Contradiction>

/** Why an object is not EIP-712 data that may be signed. Its sentences: `shared/text/intent-text.ts`. */
export const TypedDataProblem = z.discriminatedUnion('code', [
  z.object({
    code: z.enum([
      ...['unreadable', 'none', 'no_primary_type', 'own_domain', 'empty', 'too_many_values', 'too_deep', 'not_hashable'],
      ...['domain_no_object', 'domain_contradicts'],
    ] as const),
  }),
  z.object({ code: z.enum(['type_name', 'undeclared', 'domain_unknown']), name: z.string() }),
  z.object({ code: z.enum(['type_no_list', 'field_unnamed', 'type_in_itself', 'type_unknown']), type: z.string() }),
  z.object({ code: z.enum(['field_name', 'field_twice']), type: z.string(), name: z.string() }),
  /** `path` null: the message itself. */
  z.object({ code: z.literal('no_object'), path: z.string().nullable() }),
  z.object({ code: z.enum(['missing', 'no_list', 'no_integer', 'no_boolean', 'no_text', 'broken_text', 'no_address', 'no_hex']), path: z.string() }),
  z.object({ code: z.literal('out_of_range'), path: z.string(), type: z.string() }),
  z.object({ code: z.literal('text_too_long'), path: z.string(), most: z.number() }),
  z.object({ code: z.literal('wrong_length'), path: z.string(), bytes: z.number() }),
])
export type TypedDataProblem = z.infer<typeof TypedDataProblem>

/**
 * Why an intent ended or waits. The journal keeps it as JSON: rename no code, and change no fact of one. Words that others wrote (`by`, `raw`, `state`,
 * `status`) are kept as they came.
 */
export const IntentReason = z.discriminatedUnion('code', [
  z.object({ code: PlainReason }),
  /** `by`: the relay's own code; null: it gave none. */
  z.object({ code: z.literal('relay_refused'), by: z.string().nullable() }),
  /** `state`: the service's word for one that was never sent. */
  z.object({ code: z.literal('listed_unsent'), state: z.string() }),
  z.object({ code: z.literal('listed_without_transaction'), state: z.string() }),
  /** `alike`: transactions with the same effect that the chain showed up to the block. */
  z.object({ code: z.literal('user_not_sent'), upToBlock: z.number(), alike: z.number() }),
  /** The hash came when the intent was over. */
  z.object({ code: z.literal('late_transaction'), txHash: z.string() }),
  /** `raw`: the exchange's own reason; null: it gave none. */
  z.object({ code: z.literal('nothing_executed'), raw: z.string().nullable() }),
  z.object({ code: z.literal('partly_executed'), actions: z.number(), failed: z.number(), raw: z.string().nullable() }),
  z.object({ code: z.literal('execution_refused'), by: z.string().nullable() }),
  /** `earlier`: an earlier sending of it may have been prepared. */
  z.object({ code: z.literal('prepare_refused'), earlier: z.boolean() }),
  z.object({ code: z.literal('prepare_not_answered'), earlier: z.boolean() }),
  z.object({ code: z.literal('prepare_unreadable'), earlier: z.boolean() }),
  /** Neither ready nor with a reason. */
  z.object({ code: z.literal('service_answered'), status: z.string() }),
  z.object({ code: z.literal('exchange_says'), raw: z.string() }),
  z.object({ code: z.literal('contradictory'), by: Contradiction }),
  /** What is to be signed cannot be read. */
  z.object({ code: z.literal('typed_data'), by: TypedDataProblem }),
  /** What was prepared is not what was asked for, in a sentence of the comparison. */
  z.object({ code: z.literal('blocked'), sentence: z.string() }),
  /** A sentence of an earlier version that has no code. */
  z.object({ code: z.literal('as_written'), text: z.string() }),
])
export type IntentReason = z.infer<typeof IntentReason>

const Kept = IntentReason.nullable()

export const sameReason = (a: IntentReason | null, b: IntentReason | null): boolean => JSON.stringify(Kept.parse(a)) === JSON.stringify(Kept.parse(b))

export const PlainNote = z.enum([
  'found_at_start',
  'found_reverted',
  'found_in_trades',
  'found_in_orders',
  'found_on_chain',
  'found_by_effect',
  'named_by_service',
  'settled_by_account',
  'unknown_to_nodes',
  'other_transaction',
  'sent_by_wallet',
  'late_answer',
  'to_executor',
  'taken_without_command',
  'already_prepared',
])
export type PlainNote = z.infer<typeof PlainNote>

/** What is written in the timeline beside a move. Kept as JSON, as a reason is. */
export const StepNote = z.discriminatedUnion('code', [
  z.object({ code: PlainNote }),
  z.object({ code: z.literal('reason'), reason: IntentReason }),
  /** `state`: the service's word; null: it gave none. */
  z.object({ code: z.literal('found'), state: z.string().nullable() }),
  z.object({ code: z.literal('looked_up'), state: z.string().nullable() }),
  z.object({ code: z.literal('relayed'), state: z.string().nullable() }),
  z.object({ code: z.literal('command'), id: z.string() }),
  z.object({ code: z.literal('not_on_chain'), upToBlock: z.number() }),
  /** What the service or the wallet said, or the kind of a failure. */
  z.object({ code: z.literal('said'), text: z.string() }),
  z.object({ code: z.literal('as_written'), text: z.string() }),
])
export type StepNote = z.infer<typeof StepNote>

/** What a comparison found, in its sentence. */
export const blockedBy = (sentence: string | null): IntentReason => (sentence === null ? { code: 'differs' } : { code: 'blocked', sentence })

export const said = (text: string): StepNote => ({ code: 'said', text })
export const noteOf = (reason: IntentReason): StepNote => ({ code: 'reason', reason })

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

export const signingRefused = (why: IntentReason) => ({ kind: 'signing_refused', why }) as const
