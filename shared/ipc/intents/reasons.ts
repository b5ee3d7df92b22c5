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
  'payment_not_answered',
  'several_prepared',
  'none_prepared',
])
export type PlainReason = z.infer<typeof PlainReason>

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

export const said = (text: string): StepNote => ({ code: 'said', text })
export const noteOf = (reason: IntentReason): StepNote => ({ code: 'reason', reason })
