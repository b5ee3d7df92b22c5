import { z } from 'zod'
import { BlockReason } from './comparison-lines.ts'

/** Codes of reasons that carry no further data. `shared/text/reason-text.ts` has the sentence for each code. */
export const PlainReason = z.enum([
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
  'signature_dropped',
  'replaced',
  'user_passed',
  'user_carried_out',
  'user_not_carried_out',
  // The app quit or crashed. Each code says which step was interrupted.
  'stopped_before_prepared',
  'stopped_while_asked',
  'stopped_while_asked_searched',
  'stopped_before_relay',
  'stopped_before_relay_answer',
  'stopped_before_execution',
  'stopped_before_execution_answer',
  // Reasons after the profile was restored from a backup.
  'restored',
  'restored_unasked',
  // Reasons from relaying a signature.
  'relay_disk_full',
  'relay_not_reached',
  'relay_asked_to_wait',
  'relay_without_hash',
  'relay_unreadable',
  'relay_lost',
  'relay_has_it',
  'relay_too_late',
  // Reasons from searching for the intent in the service's lists (orders, trades, transactions).
  'not_looked_up',
  'listed_as_reverted',
  'listed_as_done',
  'in_trades',
  'in_orders',
  'shown_nowhere',
  'lists_incomplete',
  'not_listed',
  // Reasons from searching for the intent’s transactions on the chain.
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
  // Reasons from execution by a key's executor.
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
  // Reasons from preparing the action.
  'prepare_key_conflict',
  'preparation_over',
  'contract_pending',
  // Reasons to reject the service's answer to a prepare call, because it differs from the user's request.
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

/** How the service's answer to a prepare call contradicts itself or the API document. `shared/text/reason-text.ts` has a sentence for each code. */
export const Contradiction = z.discriminatedUnion('code', [
  z.object({
    code: z.enum([
      ...['readiness_unsaid', 'status_unsaid', 'nothing_to_sign', 'no_transactions'],
      // The answer contains both a message to sign and transactions, but only one of the two is allowed. The first word of each code is the part
      // that matches the answer's status.
      ...['signature_and_transactions', 'transactions_and_signature'],
    ] as const),
  }),
  z.object({ code: z.literal('intent_name'), intentId: z.string() }),
  z.object({ code: z.literal('ready_and_not'), status: z.string() }),
  z.object({ code: z.literal('status_unknown'), status: z.string() }),
  z.object({ code: z.literal('not_ready'), status: z.string() }),
  z.object({ code: z.literal('ready_with_reason'), reason: z.string() }),
  /** The answer asks for a signature, but its `mode` is not a mode for signatures. `mode` null: the answer has no mode. */
  z.object({ code: z.literal('signature_mode'), mode: z.string().nullable() }),
  z.object({ code: z.literal('transactions_mode'), mode: z.string() }),
])
export type Contradiction = z.infer<typeof Contradiction>

/**
 * Why an object is not valid EIP-712 typed data, so that the app must not send it to the wallet. `shared/text/reason-text.ts` has a sentence for
 * each code.
 */
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
  /** A part of the typed data should be an object but is not. `path`: where this part is; null: the typed data itself is not an object. */
  z.object({ code: z.literal('no_object'), path: z.string().nullable() }),
  z.object({ code: z.enum(['missing', 'no_list', 'no_integer', 'no_boolean', 'no_text', 'broken_text', 'no_address', 'no_hex']), path: z.string() }),
  z.object({ code: z.literal('out_of_range'), path: z.string(), type: z.string() }),
  z.object({ code: z.literal('text_too_long'), path: z.string(), most: z.number() }),
  z.object({ code: z.literal('wrong_length'), path: z.string(), bytes: z.number() }),
])
export type TypedDataProblem = z.infer<typeof TypedDataProblem>

/**
 * Why an intent ended or waits. The journal stores reasons as JSON, so do not rename a code or change its fields. `by`, `raw`, `state` and `status`
 * may contain text from other systems, which stays as received.
 */
export const IntentReason = z.discriminatedUnion('code', [
  z.object({ code: PlainReason }),
  /** The relay refused the request. `by`: the relay's error code; null: it sent none. */
  z.object({ code: z.literal('relay_refused'), by: z.string().nullable() }),
  /** The service lists the intent, but has not sent it to the chain. `state`: the intent's state in the service's words. */
  z.object({ code: z.literal('listed_unsent'), state: z.string() }),
  z.object({ code: z.literal('listed_without_transaction'), state: z.string() }),
  /** The user stated that the transaction was not sent. `alike`: number of transactions with the same effect on the chain up to block `upToBlock`. */
  z.object({ code: z.literal('user_not_sent'), upToBlock: z.number(), alike: z.number() }),
  /** The wallet reported a transaction hash after the intent had ended. */
  z.object({ code: z.literal('late_transaction'), txHash: z.string() }),
  /** The exchange executed nothing. `raw`: its reason, as received; null: it sent none. */
  z.object({ code: z.literal('nothing_executed'), raw: z.string().nullable() }),
  z.object({ code: z.literal('partly_executed'), actions: z.number(), failed: z.number(), raw: z.string().nullable() }),
  z.object({ code: z.literal('execution_refused'), by: z.string().nullable() }),
  /**
   * The service refused to prepare the request. `earlier` true: the response to an earlier attempt was lost, so the service may have prepared that
   * attempt.
   */
  z.object({ code: z.literal('prepare_refused'), earlier: z.boolean() }),
  z.object({ code: z.literal('prepare_not_answered'), earlier: z.boolean() }),
  z.object({ code: z.literal('prepare_unreadable'), earlier: z.boolean() }),
  /** The service's answer to a prepare call is not ready, but states no reason. `status`: the answer's status. */
  z.object({ code: z.literal('service_answered'), status: z.string() }),
  z.object({ code: z.literal('exchange_says'), raw: z.string() }),
  z.object({ code: z.literal('contradictory'), by: Contradiction }),
  /** The typed data to sign is invalid, so the app does not send it to the wallet. `by`: what is wrong. */
  z.object({ code: z.literal('typed_data'), by: TypedDataProblem }),
  /** The service's answer to a prepare call differs from the user's request. `by`: what differs. */
  z.object({ code: z.literal('blocked'), by: BlockReason }),
  /** A finished sentence as the reason. Earlier versions of the app stored sentences, before reasons had codes. */
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

/** The note beside a step in the intent's timeline. The journal stores notes as JSON, so do not rename a code. */
export const StepNote = z.discriminatedUnion('code', [
  z.object({ code: PlainNote }),
  z.object({ code: z.literal('reason'), reason: IntentReason }),
  /** The app found the intent at the service. `state`: the intent's state in the service's words; null if the service sent none. */
  z.object({ code: z.literal('found'), state: z.string().nullable() }),
  z.object({ code: z.literal('looked_up'), state: z.string().nullable() }),
  z.object({ code: z.literal('relayed'), state: z.string().nullable() }),
  z.object({ code: z.literal('command'), id: z.string() }),
  z.object({ code: z.literal('not_on_chain'), upToBlock: z.number() }),
  /** A note that the app shows unchanged: the words of the service or the wallet, or the code of a failure. */
  z.object({ code: z.literal('said'), text: z.string() }),
  z.object({ code: z.literal('as_written'), text: z.string() }),
])
export type StepNote = z.infer<typeof StepNote>

/** Returns the reason to store if the service's answer differs from the request. `by`: what differs; null if no details are known. */
export const blockedBy = (by: BlockReason | null): IntentReason => (by === null ? { code: 'differs' } : { code: 'blocked', by })

export const said = (text: string): StepNote => ({ code: 'said', text })
export const noteOf = (reason: IntentReason): StepNote => ({ code: 'reason', reason })

export const signingRefused = (why: IntentReason) => ({ kind: 'signing_refused', why }) as const
