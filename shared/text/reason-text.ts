import type { Contradiction, IntentReason, TypedDataProblem } from '../ipc/intents/reasons.ts'
import { catalogue, plural, textOf } from './catalogue.ts'
import { blockedText } from './comparison-text.ts'

/** Sentences for reasons that the service sends as a code. */
export const serviceReasonWords = catalogue('serviceReasons', {
  withdraw_margin_insufficient: 'The withdrawal would leave too little margin for your open positions.',
  oracle_unavailable: 'The exchange has no current price that this action needs.',
  margin_insufficient: 'Not enough free margin for this order.',
  insufficient_margin: 'Not enough free margin for this order.',
  insufficient_collateral: 'Not enough collateral in your account.',
  insufficient_balance: 'Not enough funds in your wallet.',
  market_closed: 'This market is closed right now.',
  market_paused: 'This market is paused right now.',
  open_interest_limit: 'This market accepts no more open interest on this side.',
  position_not_found: 'This position no longer exists.',
  order_not_found: 'This order no longer exists.',
  bad_signature: 'The signature does not belong to this request.',
  invalid_signature: 'The signature does not belong to this request.',
  maintenance: 'The exchange is closed for maintenance.',
})

/** Sentences for reason codes of the exchange. A code without a sentence is shown in readable form. */
export const exchangeWords = catalogue('exchangeWords', {
  says: (words: string) => `The exchange says: ${words}`,
})

/** Returns the sentence for a reason that the service sends as a code; null if the app does not know the code. */
export const knownReason = (raw: string): string | null => textOf(serviceReasonWords, raw.toLowerCase()) ?? null

/** Returns the service's reason both as a sentence and unchanged. */
export function explainReason(raw: string): { readonly text: string; readonly raw: string } {
  const known = knownReason(raw)
  if (known !== null) return { text: known, raw }
  const words = /^[A-Za-z0-9]+([_-][A-Za-z0-9]+)*$/.test(raw) ? raw.replace(/[_-]+/g, ' ').toLowerCase() : raw
  return { text: exchangeWords.says(words.endsWith('.') ? words : `${words}.`), raw }
}

/** Sentences about why an intent ended or waits, keyed by `IntentReason`. */
export const reasonWords = catalogue('reasons', {
  rejected_on_phone: 'Rejected on the phone.',
  rejected_after_approval: 'Rejected on the phone. The token approval before it is still valid and unused.',
  cancelled_before_signing: 'Cancelled before signing.',
  request_expired: 'The request to the wallet expired. You can send it again until the deadline.',
  wallet_unreachable: 'The wallet could not be reached. You can send the request again until the deadline.',
  wallet_failed: 'The wallet could not sign the request. You can send the request again until the deadline.',
  wallet_not_asked: 'The request could not be sent to the wallet. You can send the request again until the deadline.',
  wallet_silent: 'The wallet did not answer the request. The app is searching the chain for the transaction.',
  signature_too_late: 'The signature arrived after the deadline. The app discarded it and sent nothing.',
  not_signed_in_time: 'Not signed before the deadline.',
  signature_not_sent_in_time: 'The signature was not sent before the deadline, and is erased.',
  not_relayed_in_time: 'The deadline passed before the app sent the signature. The signature is erased.',
  not_sent_in_time: 'Not sent before the deadline.',
  deposit_not_sent_in_time: 'The deadline passed before the deposit was sent. The approval is valid and unused.',
  no_answer_in_time: 'The wallet did not answer before the deadline.',
  no_answer_searched: 'The wallet did not answer before the deadline. The app is searching the chain for the transaction.',
  signature_dropped: 'You discarded the signature, and it is erased.',
  replaced: 'Replaced by a new order at a new price.',
  user_passed: 'You allowed new orders. The app is still checking this order.',
  user_carried_out: 'You said that the order was executed.',
  user_not_carried_out: 'You said that the order was not executed.',
  stopped_before_prepared: 'The app stopped before the request was prepared. Nothing was requested.',
  stopped_while_asked: 'The app stopped while it waited for the wallet. The wallet may still answer.',
  stopped_while_asked_searched: 'The app stopped while it waited for the wallet. It is searching the chain for the transaction.',
  stopped_before_relay: 'The app stopped before it sent the signature. Send it or discard it.',
  stopped_before_relay_answer: 'The app stopped before the relay answered. The relay may have accepted the order.',
  stopped_before_execution: 'The app stopped before the order was sent. Nothing was executed.',
  stopped_before_execution_answer: 'The app stopped before the response arrived. The executor may have executed the order.',
  restored: 'Restored from a backup. The computer of the backup may have sent the order, so this one only looks it up.',
  restored_unasked: 'Restored from a backup. This computer sent nothing. If you continued on the computer of the backup, look there.',
  relay_disk_full: 'The disk filled up before the order was sent. Nothing was sent. The signature is kept.',
  relay_not_reached: 'The relay could not be reached. Nothing was sent. The signature is kept.',
  relay_asked_to_wait: 'The relay asked to wait. The signature is kept.',
  relay_without_hash: 'The relay answered without a transaction hash.',
  relay_unreadable: 'The relay accepted the order, but its response cannot be read.',
  relay_lost: 'The relay’s response was lost. The relay may have accepted the order.',
  relay_has_it: 'The relay says that it already has this order.',
  relay_too_late: 'The relay refused the order: it arrived after the deadline.',
  not_looked_up: 'The service did not answer the status check. Checking again automatically.',
  listed_as_reverted: 'The order was sent and reverted on chain.',
  listed_as_done: 'The service lists the order as executed, but names no transaction.',
  in_trades: 'Your trades show the order. No response named its transaction.',
  in_orders: 'Your order list shows the order. No response named its transaction.',
  shown_nowhere: 'The service does not show the order as executed anywhere, and it can no longer be executed.',
  lists_incomplete: 'The order can no longer be executed. It is unknown whether it was executed: some of what the service lists is missing or cannot be read.',
  not_listed: 'The service does not list the order. It may still appear until the deadline and a safety margin have passed.',
  reverted: 'The transaction reverted on chain. Nothing was executed.',
  payment_reverted: 'The transaction reverted on chain. Nothing was paid, and no spending right was given.',
  gone_from_chain: 'The transaction is gone from the chain and can no longer be executed.',
  taken_back: 'A chain reorganisation removed the block of the transaction. The app is tracking the transaction again.',
  approval_taken_back: 'A chain reorganisation removed the block of the approval. The app is tracking it again.',
  other_transaction: 'The hash from the wallet belongs to another transaction. The app is searching the chain for the right one.',
  chain_silent: 'The chain did not answer the status check. Checking again automatically.',
  transaction_awaited: 'The wallet got the request, but the chain shows no such transaction yet. The wallet may still send it.',
  transaction_pending: 'The wallet has a pending transaction that no block contains yet.',
  contract_awaited:
    'Your wallet is a contract, and others send its transactions. The app is searching the chain for the changes of this transaction and has not found them yet.',
  contract_undecided:
    'The deadline has passed, and the chain shows no changes of the transaction. A contract wallet may still send it: you decide when it counts as ended.',
  several_alike: 'The chain shows several transactions with the same effect. Choose the one of this order.',
  dropped: 'The network dropped the transaction. No block contained it in time.',
  never_sent: 'The wallet never sent the transaction, and it is too late to ask again.',
  approved: 'Approval confirmed. The deposit is next.',
  approval_sent: 'The approval was sent. The app requests the deposit once a block contains it.',
  execution_disk_full: 'The disk filled up before the order was sent. Nothing was sent.',
  execution_not_reached: 'The exchange could not be reached. Nothing was sent.',
  execution_unreadable: 'The exchange accepted the order, but its response cannot be read. The executor may have executed the order.',
  execution_lost: 'The response was lost. The executor may have executed the order.',
  execution_asked_again: 'The response was lost. The executor may have executed the order. The app asked again and got no clear response.',
  execution_untraceable: 'The exchange accepted the order, but named neither a command nor a transaction to track.',
  execution_listed: 'No readable response named the transaction, but the exchange lists the order. The order counts once it has been listed for a minute.',
  execution_listed_final: 'The exchange lists the order. The response that named the transaction was lost.',
  execution_awaited:
    'The response was lost. The executor may have executed the order. Check your positions and orders. Asking again returns the first response, or executes the order now if it never arrived.',
  execution_over: 'The response never arrived, and the exchange no longer accepts the order. Your positions and orders show whether it was executed.',
  execution_unnamed_part: 'Only a part of the order took effect. The service does not say which part.',
  no_executor: 'No executor is bound to the key. Nothing was executed.',
  execution_key_conflict: 'The service has another order under this idempotency key. Nothing was executed again.',
  execution_rate_limited: 'The exchange asked to wait. Nothing was executed.',
  no_key_to_read: 'No key on this computer may read the result. Reading needs the scope account:read.',
  prepare_key_conflict: 'The service has another order under this idempotency key. Nothing was prepared again.',
  preparation_over: 'This order was prepared earlier and has expired. Prepare it again.',
  contract_pending: 'The market or its contract does not support this action yet.',
  unasked_transactions: 'The service wants transactions for this order. An order is signed, never sent by the wallet.',
  unasked_permit: 'The service wants a permit to take tokens from your wallet, which you did not request.',
  unasked_signature: 'The service wants a signature for something that you did not request.',
  token_units_unknown: 'The chain did not return the token’s decimals, so its amount cannot be checked. Try again.',
  differs: 'The message does not match your request.',
  payment_not_answered: 'The service did not answer. Nothing was sent.',
  several_prepared: 'The service prepared several transactions, but the app requested one.',
  none_prepared: 'The service prepared no transaction that can be read.',

  relay_refused: 'The relay refused the order.',
  relay_refused_by: (code: string) => `The relay refused the order with the code “${code}”.`,
  relay_refused_because: (why: string, code: string) => `The relay refused the order (${code}). ${why}`,
  listed_unsent: (state: string) => `The service lists the order as ${state}. It may still be executed until the deadline and a safety margin have passed.`,
  listed_without_transaction: (state: string) => `The service lists the order as ${state}, without a transaction yet.`,
  user_not_sent: (upToBlock: number) => `You said that the transaction was not sent. Up to block ${upToBlock}, the chain showed no such transaction.`,
  user_not_sent_alike: (upToBlock: number, alike: number) =>
    plural(alike, {
      one: `You said that the transaction was not sent. Up to block ${upToBlock}, the chain showed ${alike} transaction with the same effect.`,
      other: `You said that the transaction was not sent. Up to block ${upToBlock}, the chain showed ${alike} transactions with the same effect.`,
    }),
  late_transaction: (txHash: string) =>
    `The wallet answered with transaction ${txHash} after the app had stopped waiting. Look for the transaction in the wallet or on the chain.`,
  nothing_executed: 'Nothing was executed.',
  nothing_executed_because: (why: string) => `Nothing was executed. ${why}`,
  partly_executed: (done: number, of: number, failed: number) => `${done} of ${of} actions took effect. ${failed} failed.`,
  partly_executed_because: (done: number, of: number, failed: number, why: string) => `${done} of ${of} actions took effect. ${failed} failed. ${why}`,
  execution_refused: 'The exchange refused the order. Nothing was executed.',
  execution_refused_by: (code: string) => `The exchange refused the order with the code “${code}”. Nothing was executed.`,
  execution_refused_because: (why: string, code: string) => `The exchange refused the order (${code}). ${why} Nothing was executed.`,
  prepare_refused: 'The service refused to prepare the request.',
  prepare_refused_earlier:
    'The service refused to prepare the request. An earlier attempt may have been prepared. Nothing was signed, so nothing can be executed.',
  prepare_not_answered: 'The service did not answer.',
  prepare_not_answered_earlier: 'The service did not answer. An earlier attempt may have been prepared. Nothing was signed, so nothing can be executed.',
  prepare_unreadable: 'The service prepared the request, but the preparation cannot be read. Nothing was signed, so nothing can be executed.',
  prepare_unreadable_earlier:
    'The service prepared the request, but the preparation cannot be read. An earlier attempt may have been prepared. Nothing was signed, so nothing can be executed.',
  service_answered: (status: string) => `The service answered ${status}.`,
})

/** Sentences about how the service's answer to a prepare call contradicts itself or the API document, keyed by `Contradiction`. */
export const contradictionWords = catalogue('contradictions', {
  intent_name: (intentId: string) => `The preparation is named ${intentId}, but the names of intents begin with dx_.`,
  readiness_unsaid: 'The preparation does not say whether it is ready.',
  status_unsaid: 'The preparation does not name its status.',
  ready_and_not: (status: string) => `The preparation says that it is ready and ${status} at the same time.`,
  status_unknown: (status: string) => `The preparation has the status ${status}, which this app does not know.`,
  not_ready: (status: string) => `The preparation has the status ${status} but says that it is not ready.`,
  ready_with_reason: (reason: string) => `The preparation says that it is ready, but gives a reason why not: ${reason}.`,
  signature_mode: (mode: string) => `The preparation asks for a signature in the mode ${mode}, which this app does not know.`,
  signature_mode_unnamed: 'The preparation asks for a signature in a mode without a name, which this app does not know.',
  nothing_to_sign: 'The preparation asks for a signature but contains nothing to sign.',
  signature_and_transactions: 'The preparation asks for a signature and for transactions at the same time.',
  transactions_mode: (mode: string) => `The preparation asks for transactions in the mode ${mode}, which is for signatures.`,
  transactions_and_signature: 'The preparation asks for transactions and for a signature at the same time.',
  no_transactions: 'The service’s answer asks for transactions but contains none.',
})

/** Sentences about why an object is not valid EIP-712 data to send to the wallet, keyed by `TypedDataProblem`. */
export const typedDataWords = catalogue('typedData', {
  unreadable: 'The typed data cannot be read.',
  none: 'The service sent no typed data.',
  no_primary_type: 'The typed data does not name its primary type.',
  own_domain: 'The message contains its own domain.',
  empty: 'The message is empty.',
  too_many_values: 'The message contains too many values.',
  too_deep: 'The types are nested too deeply.',
  not_hashable: 'The typed data cannot be hashed.',
  domain_no_object: 'The domain is not an object.',
  domain_contradicts: 'The domain and its declared type do not match.',
  domain_unknown: (name: string) => `The domain contains “${name}”, which EIP-712 does not define.`,
  type_name: (name: string) => `The type name “${name}” is not allowed.`,
  type_no_list: (type: string) => `The type ${type} is not a list of fields.`,
  type_in_itself: (type: string) => `The type ${type} contains itself.`,
  type_unknown: (type: string) => `The type ${type} is unknown.`,
  field_unnamed: (type: string) => `The type ${type} has a field without a name or a type.`,
  field_name: (type: string, name: string) => `The type ${type} has a field with the forbidden name “${name}”.`,
  field_twice: (type: string, name: string) => `The type ${type} has the field ${name} twice.`,
  undeclared: (name: string) => `The message contains “${name}”, which its types do not declare.`,
  missing: (path: string) => `The message does not contain ${path}.`,
  message_no_object: 'The message is not an object.',
  no_object: (path: string) => `${path} is not an object.`,
  no_list: (path: string) => `${path} is not a list of the declared length.`,
  no_integer: (path: string) => `${path} is not a whole number.`,
  no_boolean: (path: string) => `${path} is neither true nor false.`,
  no_text: (path: string) => `${path} is not text.`,
  broken_text: (path: string) => `${path} contains broken characters.`,
  no_address: (path: string) => `${path} is not an address.`,
  no_hex: (path: string) => `${path} is not hex data.`,
  out_of_range: (path: string, type: string) => `${path} is out of range for ${type}.`,
  text_too_long: (path: string, most: number) => `${path} is longer than ${most} characters.`,
  wrong_length: (path: string, bytes: number) => `${path} is not ${bytes} bytes long.`,
})

function contradictionText(by: Contradiction): string {
  switch (by.code) {
    case 'intent_name':
      return contradictionWords.intent_name(by.intentId)
    case 'ready_and_not':
    case 'status_unknown':
    case 'not_ready':
      return contradictionWords[by.code](by.status)
    case 'ready_with_reason':
      return contradictionWords.ready_with_reason(by.reason)
    case 'signature_mode':
      return by.mode === null ? contradictionWords.signature_mode_unnamed : contradictionWords.signature_mode(by.mode)
    case 'transactions_mode':
      return contradictionWords.transactions_mode(by.mode)
    default:
      return contradictionWords[by.code]
  }
}

function typedDataText(by: TypedDataProblem): string {
  switch (by.code) {
    case 'domain_unknown':
    case 'type_name':
    case 'undeclared':
      return typedDataWords[by.code](by.name)
    case 'type_no_list':
    case 'type_in_itself':
    case 'type_unknown':
    case 'field_unnamed':
      return typedDataWords[by.code](by.type)
    case 'field_name':
    case 'field_twice':
      return typedDataWords[by.code](by.type, by.name)
    case 'no_object':
      return by.path === null ? typedDataWords.message_no_object : typedDataWords.no_object(by.path)
    case 'missing':
    case 'no_list':
    case 'no_integer':
    case 'no_boolean':
    case 'no_text':
    case 'broken_text':
    case 'no_address':
    case 'no_hex':
      return typedDataWords[by.code](by.path)
    case 'out_of_range':
      return typedDataWords.out_of_range(by.path, by.type)
    case 'text_too_long':
      return typedDataWords.text_too_long(by.path, by.most)
    case 'wrong_length':
      return typedDataWords.wrong_length(by.path, by.bytes)
    default:
      return typedDataWords[by.code]
  }
}

/** A refusal and its code. If the code is known, it is in brackets, for support. */
function refusalText(refused: 'relay_refused' | 'execution_refused', code: string | null): string {
  if (code === null) return reasonWords[refused]
  const why = knownReason(code)
  return why === null ? reasonWords[`${refused}_by`](code) : reasonWords[`${refused}_because`](why, code)
}

export function reasonText(reason: IntentReason): string {
  switch (reason.code) {
    case 'relay_refused':
      return refusalText('relay_refused', reason.by)
    case 'listed_unsent':
    case 'listed_without_transaction':
      return reasonWords[reason.code](reason.state)
    case 'user_not_sent':
      return reason.alike === 0 ? reasonWords.user_not_sent(reason.upToBlock) : reasonWords.user_not_sent_alike(reason.upToBlock, reason.alike)
    case 'late_transaction':
      return reasonWords.late_transaction(reason.txHash)
    case 'nothing_executed':
      return reason.raw === null ? reasonWords.nothing_executed : reasonWords.nothing_executed_because(explainReason(reason.raw).text)
    case 'partly_executed': {
      const { actions, failed, raw } = reason
      const done = actions - failed
      return raw === null
        ? reasonWords.partly_executed(done, actions, failed)
        : reasonWords.partly_executed_because(done, actions, failed, explainReason(raw).text)
    }
    case 'execution_refused':
      return refusalText('execution_refused', reason.by)
    case 'prepare_refused':
    case 'prepare_not_answered':
    case 'prepare_unreadable':
      return reasonWords[reason.earlier ? (`${reason.code}_earlier` as const) : reason.code]
    case 'service_answered':
      return reasonWords.service_answered(reason.status)
    case 'exchange_says':
      return explainReason(reason.raw).text
    case 'contradictory':
      return contradictionText(reason.by)
    case 'typed_data':
      return typedDataText(reason.by)
    case 'blocked':
      return blockedText(reason.by)
    case 'as_written':
      return reason.text
    default:
      return reasonWords[reason.code]
  }
}
