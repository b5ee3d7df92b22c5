import { formatDecimal } from '../decimal.ts'
import type { Intent } from '../ipc/intents/orders.ts'
import type { Against, Contradiction, IntentReason, PlainNote, PlainReason, Remark, StepNote, TypedDataProblem } from '../ipc/intents/reasons.ts'
import { dateText, shortAddress } from '../signing/wording.ts'

const serviceReasons: Readonly<Record<string, string>> = {
  withdraw_margin_insufficient: 'The withdrawal would leave too little margin for your open positions.',
  oracle_unavailable: 'The exchange has no price for this market at the moment.',
  margin_insufficient: 'There is too little free margin for this order.',
  insufficient_margin: 'There is too little free margin for this order.',
  insufficient_collateral: 'There is too little collateral in your account.',
  insufficient_balance: 'There is too little in your wallet.',
  market_closed: 'This market is closed at the moment.',
  market_paused: 'This market is paused at the moment.',
  open_interest_limit: 'This market takes no more open interest on this side.',
  position_not_found: 'There is no such position any more.',
  order_not_found: 'There is no such order any more.',
}

/** The service's reason in words; an unknown one is made readable and left as it is. */
export function explainReason(raw: string): { readonly text: string; readonly raw: string } {
  const known = Object.hasOwn(serviceReasons, raw.toLowerCase()) ? serviceReasons[raw.toLowerCase()] : undefined
  if (known !== undefined) return { text: known, raw }
  const words = /^[A-Za-z0-9]+([_-][A-Za-z0-9]+)*$/.test(raw) ? raw.replace(/[_-]+/g, ' ').toLowerCase() : raw
  return { text: `The exchange says: ${words}.`.replace(/\.\.$/, '.'), raw }
}

const lost = 'The answer was lost: the executor may have carried it out.'

const plain: Readonly<Record<PlainReason, string>> = {
  rejected_on_phone: 'Rejected on the phone.',
  rejected_after_approval: 'Rejected on the phone. The approval before it is valid and unused.',
  cancelled_before_signing: 'Cancelled before it was signed.',
  request_expired: 'The request to the wallet expired. It can be asked for again until the deadline.',
  wallet_unreachable: 'The wallet could not be reached. It can be asked for again until the deadline.',
  wallet_failed: 'The wallet could not sign it. It can be asked for again until the deadline.',
  wallet_not_asked: 'The wallet could not be asked. It can be asked again until the deadline.',
  wallet_silent: 'The wallet was asked and did not answer. It is looked for on the chain.',
  signature_too_late: 'Its signature came after the deadline. It was dropped, and nothing was sent.',
  not_signed_in_time: 'It was not signed before its deadline.',
  signature_not_sent_in_time: 'Its signature was not sent before the deadline, and is erased.',
  not_relayed_in_time: 'Its deadline passed before it was sent. The signature is erased.',
  not_sent_in_time: 'It was not sent before its deadline.',
  deposit_not_sent_in_time: 'Its deadline passed before the deposit was sent. The approval is valid and unused.',
  no_answer_in_time: 'The wallet did not answer before the deadline.',
  no_answer_searched: 'The wallet did not answer before the deadline. It is looked for on the chain.',
  signature_dropped: 'Its signature was dropped by you, and is erased.',
  replaced: 'Replaced by a new order at a new price.',
  user_passed: 'You let new orders pass. It is still looked up.',
  user_carried_out: 'You said that it was carried out.',
  user_not_carried_out: 'You said that it was not carried out.',
  stopped_before_prepared: 'The app stopped before it was prepared. Nothing was asked for.',
  stopped_while_asked: 'The app stopped while the wallet was asked. Its answer may still come.',
  stopped_while_asked_searched: 'The app stopped while the wallet was asked. It is looked for on the chain.',
  stopped_before_relay: 'The app stopped before the signature was sent. Send it, or drop it.',
  stopped_before_relay_answer: 'The app stopped before the answer of the relay came. It may have taken the order.',
  stopped_before_execution: 'The app stopped before it was sent. Nothing was carried out.',
  stopped_before_execution_answer: 'The app stopped before the answer came. The executor may have carried it out.',
  relay_disk_full: 'The disk filled up before it was sent. Nothing was sent; the signature is kept.',
  relay_not_reached: 'The relay was not reached. Nothing was sent; the signature is kept.',
  relay_asked_to_wait: 'The relay asked to wait. The signature is kept.',
  relay_without_hash: 'The relay answered without a transaction hash.',
  relay_unreadable: 'The relay took the order, and its answer cannot be read.',
  relay_lost: 'The answer of the relay was lost. It may have taken the order.',
  relay_has_it: 'The relay says that it has this intent already.',
  relay_too_late: 'The relay refused it: it came after its deadline.',
  not_looked_up: 'It could not be looked up: the service did not answer. Checking again automatically.',
  listed_as_reverted: 'It was sent and reverted on chain.',
  listed_as_done: 'The service lists it as carried out, and names no transaction.',
  in_trades: 'Your trades show it. No answer named its transaction.',
  in_orders: 'Your orders show it. No answer named its transaction.',
  shown_nowhere: 'The service shows it nowhere as carried out, and it can no longer be executed.',
  lists_incomplete: 'It can no longer be executed. Whether it was, is not known: some of what the service lists is missing or cannot be read.',
  not_listed: 'The service does not list it. Until its deadline and a margin have passed it may still appear.',
  reverted: 'The transaction reverted on chain. Nothing was executed.',
  payment_reverted: 'The transaction reverted on chain. Nothing was paid, and no right was given.',
  gone_from_chain: 'Its transaction is gone from the chain, and it can no longer be executed.',
  taken_back: 'The chain took its block back. It is followed again.',
  approval_taken_back: 'The chain took the block of the approval back. It is followed again.',
  other_transaction: 'The hash that the wallet gave belongs to another transaction. It is looked for on the chain.',
  chain_silent: 'It could not be looked up: the chain did not answer. Checking again automatically.',
  transaction_awaited: 'The wallet was asked and the chain shows no such transaction yet. It may still be sent.',
  transaction_pending: 'The wallet has a transaction under way that no block holds yet.',
  contract_awaited: 'Your wallet is a contract, whose transactions others send: what this one would change is looked for on the chain, and is not there yet.',
  contract_undecided: 'Its time is over, and the chain shows nothing that it would have changed. A contract wallet may still send it: the end is yours to say.',
  several_alike: 'The chain shows several transactions that do this. Say which of them it was.',
  dropped: 'The network dropped it, and no block held it in time.',
  never_sent: 'The wallet never sent it, and can no longer be asked to.',
  approved: 'Approval confirmed. The deposit is next.',
  approval_sent: 'The approval was sent. The deposit is asked for once a block holds it.',
  execution_disk_full: 'The disk filled up before it was sent. Nothing was sent.',
  execution_not_reached: 'The exchange was not reached. Nothing was sent.',
  execution_unreadable: 'The exchange took it, and its answer cannot be read: the executor may have carried it out.',
  execution_lost: lost,
  execution_asked_again: `${lost} It was asked for again, without an answer that says so.`,
  execution_untraceable: 'The exchange took it, and named neither a command nor a transaction to follow.',
  execution_listed: 'No answer that could be read named its transaction, and the exchange lists its order. It counts once it has stood there for a minute.',
  execution_listed_final: 'The exchange lists its order. The answer that named its transaction was lost.',
  execution_awaited: `${lost} Look at your positions and orders. Asking again gives the first answer, or carries it out now where it never arrived.`,
  execution_over: 'Its answer never came, and the exchange no longer takes it. Your positions and orders show whether it was carried out.',
  execution_unnamed_part: 'Only a part of it took effect; the service does not say which.',
  no_executor: 'No executor is bound to the key. Nothing was carried out.',
  execution_key_conflict: 'The service holds another order under this key. Nothing was executed again.',
  execution_rate_limited: 'The exchange asked to wait. Nothing was carried out.',
  no_key_to_read: 'No key on this computer may read what became of it: that takes the scope account:read.',
  prepare_key_conflict: 'The service holds another order under this key. Nothing was prepared again.',
  preparation_over: 'This order was prepared before and its time is over. Prepare it again.',
  contract_pending: 'The market or its contract does not take this action yet.',
  unasked_transactions: 'The service wants transactions for this order. An order is signed, never sent by the wallet.',
  unasked_permit: 'The service wants a permit to take tokens from your wallet, which you did not ask for.',
  unasked_signature: 'The service wants a signature for what it was never asked to have signed.',
  token_units_unknown: 'The chain did not say in what units the token counts, so its amount cannot be checked. Try again.',
  differs: 'The message does not say what you asked for.',
  payment_not_answered: 'The service did not answer. Nothing was sent.',
  several_prepared: 'The service prepared several transactions where one was asked for.',
  none_prepared: 'The service prepared no transaction that can be read.',
}

const colon = (by: string | null): string => (by === null ? '' : `: ${by}`)
/** A sentence of its own, where the exchange gave a reason. */
const because = (raw: string | null): string => (raw === null ? '' : ` ${explainReason(raw).text}`)
const withEarlier = (text: string, earlier: boolean): string =>
  earlier ? `${text} An earlier sending of it may have been prepared; nothing was signed, so nothing can be executed.` : text

/** In what a preparation contradicts itself or the document, in a sentence. */
function contradictionText(by: Contradiction): string {
  switch (by.code) {
    case 'intent_name':
      return `The preparation is named ${by.intentId}; the names of intents begin with dx_.`
    case 'readiness_unsaid':
      return 'The preparation does not say whether it is ready.'
    case 'status_unsaid':
      return 'The preparation does not name its status.'
    case 'ready_and_not':
      return `The preparation says it is ready and ${by.status} at once.`
    case 'status_unknown':
      return `The preparation has the status ${by.status}, which this app does not know.`
    case 'not_ready':
      return `The preparation has the status ${by.status} and says it is not ready.`
    case 'ready_with_reason':
      return `The preparation says it is ready and gives a reason why not: ${by.reason}.`
    case 'signature_mode':
      return `The preparation asks for a signature in the mode ${by.mode ?? 'of no name'}, which this app does not know.`
    case 'nothing_to_sign':
      return 'The preparation asks for a signature and holds nothing to sign.'
    case 'signature_and_transactions':
      return 'The preparation asks for a signature and for transactions at once.'
    case 'transactions_mode':
      return `The preparation asks for transactions in the mode ${by.mode}, which is for signatures.`
    case 'transactions_and_signature':
      return 'The preparation asks for transactions and for a signature at once.'
    case 'no_transactions':
      return 'The preparation asks for transactions and holds none.'
  }
}

/** Why an object is not EIP-712 data that may be signed, in a sentence. */
function typedDataText(by: TypedDataProblem): string {
  switch (by.code) {
    case 'unreadable':
      return 'The typed data is not readable.'
    case 'none':
      return 'The service sent no typed data.'
    case 'no_primary_type':
      return 'The typed data does not name its primary type.'
    case 'own_domain':
      return 'The message contains its own domain.'
    case 'empty':
      return 'The message is empty.'
    case 'too_many_values':
      return 'The message holds too many values.'
    case 'too_deep':
      return 'The types are nested too deeply.'
    case 'not_hashable':
      return 'The typed data cannot be hashed.'
    case 'domain_no_object':
      return 'The domain is not an object.'
    case 'domain_contradicts':
      return 'The domain and its declared type do not agree.'
    case 'domain_unknown':
      return `The domain holds “${by.name}”, which EIP-712 does not know.`
    case 'type_name':
      return `The type name “${by.name}” is not allowed.`
    case 'type_no_list':
      return `The type ${by.type} is not a list of fields.`
    case 'type_in_itself':
      return `The type ${by.type} contains itself.`
    case 'type_unknown':
      return `The type ${by.type} is not known.`
    case 'field_unnamed':
      return `The type ${by.type} has a field without a name or a type.`
    case 'field_name':
      return `The type ${by.type} has a field of the forbidden name “${by.name}”.`
    case 'field_twice':
      return `The type ${by.type} has the field ${by.name} twice.`
    case 'undeclared':
      return `The message holds “${by.name}”, which its types do not declare.`
    case 'missing':
      return `The message does not hold ${by.path}.`
    case 'no_object':
      return `${by.path ?? 'The message'} is not an object.`
    case 'no_list':
      return `${by.path} is not a list of the declared length.`
    case 'no_integer':
      return `${by.path} is not a whole number.`
    case 'no_boolean':
      return `${by.path} is neither true nor false.`
    case 'no_text':
      return `${by.path} is not text.`
    case 'broken_text':
      return `${by.path} holds broken characters.`
    case 'no_address':
      return `${by.path} is not an address.`
    case 'no_hex':
      return `${by.path} is not hex data.`
    case 'out_of_range':
      return `${by.path} is out of the range of ${by.type}.`
    case 'text_too_long':
      return `${by.path} is longer than ${by.most} characters.`
    case 'wrong_length':
      return `${by.path} is not ${by.bytes} bytes long.`
  }
}

/** Why an intent ended or waits, in a sentence or two. */
export function reasonText(reason: IntentReason): string {
  switch (reason.code) {
    case 'relay_refused':
      return `The relay refused it${colon(reason.by)}.`
    case 'listed_unsent':
      return `The service lists it as ${reason.state}. Until its deadline and a margin have passed it may still be executed.`
    case 'listed_without_transaction':
      return `The service lists it as ${reason.state}, without a transaction yet.`
    case 'user_not_sent':
      return `You said that it was not sent. Up to block ${reason.upToBlock} the chain ${
        reason.alike === 0 ? 'showed nothing of it' : `showed ${reason.alike} transactions that do the same`
      }.`
    case 'late_transaction':
      return `The wallet answered with transaction ${reason.txHash} when it was given up already. Look for it in the wallet or on the chain.`
    case 'nothing_executed':
      return `Nothing of it was carried out.${because(reason.raw)}`
    case 'partly_executed':
      return `${reason.actions - reason.failed} of ${reason.actions} actions took effect. ${reason.failed} failed.${because(reason.raw)}`
    case 'execution_refused':
      return `The exchange refused it${colon(reason.by)}. Nothing was carried out.`
    case 'prepare_refused':
      return withEarlier('The service refused to prepare it.', reason.earlier)
    case 'prepare_not_answered':
      return withEarlier('The service did not answer.', reason.earlier)
    case 'prepare_unreadable':
      return withEarlier('The service prepared it, and the preparation cannot be read. Nothing was signed, so nothing can be executed.', reason.earlier)
    case 'service_answered':
      return `The service answered ${reason.status}.`
    case 'exchange_says':
      return explainReason(reason.raw).text
    case 'contradictory':
      return contradictionText(reason.by)
    case 'typed_data':
      return typedDataText(reason.by)
    case 'blocked':
      return reason.sentence
    case 'as_written':
      return reason.text
    default:
      return plain[reason.code]
  }
}

/** What became of an intent, for a notice. */
export function intentEndText({ state, reason }: Pick<Intent, 'state' | 'reason'>): string {
  const why = reason === null ? null : reasonText(reason)
  switch (state) {
    case 'FINAL':
      return why === null ? 'Final.' : `Final. ${why}`
    case 'REVERTED':
      return why ?? 'It reverted on chain.'
    default:
      return why ?? 'It is not known whether it was taken.'
  }
}

/** What an intent that is a payment is called. */
export const paymentTitle = (amountUsdc: string, label: string): string =>
  `Execution payment of ${formatDecimal(amountUsdc, { minDecimals: 2 })} USDC for ${label}`

const plainNotes: Readonly<Record<PlainNote, string>> = {
  found_at_start: 'Found at start',
  found_reverted: 'Found: reverted',
  found_in_trades: 'Found among the trades',
  found_in_orders: 'Found among the orders',
  found_on_chain: 'Found on the chain',
  found_by_effect: 'Found on the chain by what it did',
  named_by_service: 'Named by the service, and on the chain',
  settled_by_account: 'Settled by what the account shows',
  unknown_to_nodes: 'No node knows its transaction',
  other_transaction: 'Another transaction',
  sent_by_wallet: 'The wallet sent it',
  late_answer: 'A late answer of the wallet',
  to_executor: 'To the executor; the same order is asked for again where the answer is lost',
  taken_without_command: 'Taken, without a command',
  already_prepared: 'Already prepared: the service gave the earlier preparation again',
}

/** A word of the wire alone says less than what the state means. */
const foreign = (text: string): string | null => (text.includes(' ') ? text.charAt(0).toUpperCase() + text.slice(1) : null)

/** A note of a timeline; null: the state says more. */
export function noteText(note: StepNote): string | null {
  switch (note.code) {
    case 'reason':
      return foreign(reasonText(note.reason))
    case 'found':
      return `Found: ${note.state ?? 'with a transaction'}`
    case 'looked_up':
      return `Looked up: ${note.state ?? 'not there'}`
    case 'relayed':
      return `Relay: ${note.state ?? 'no state'}`
    case 'command':
      return `Command ${note.id}`
    case 'not_on_chain':
      return `Not on the chain up to block ${note.upToBlock}`
    case 'said':
    case 'as_written':
      return foreign(note.text)
    default:
      return plainNotes[note.code]
  }
}

type Plain = Exclude<
  Remark['code'],
  'ratio' | 'also' | 'other_amount' | 'other_contract' | 'unknown_contract' | 'not_the_pinned' | 'not_the_next' | 'outlives_key' | 'called'
>

/** null: the line says it itself. */
const remarkTextPlain: Readonly<Record<Plain, string | null>> = {
  unasked: 'Not in what you asked for',
  unasked_empty: 'Empty, and not in what you asked for',
  own_wallet: 'Your wallet',
  trusted_contract: 'A contract that you trust',
  as_agreed: 'As agreed',
  chain_id: 'The chain',
  empty: 'Empty',
  time_of_now: 'A time of now',
  by_chance: 'Made by chance',
  two_scales: 'Readable at two scales',
  not_this_number: 'Not what this number was agreed to mean',
  number_unknown: 'A number whose meaning is not documented',
  decimals_unknown: 'Its decimals are not known',
  nothing_known: 'Nothing is known to hold it against',
  not_shown: 'It was not shown before',
  no_limit: null,
  unreadable: 'Not in what you asked for',
  router_not_pinned: 'No router is pinned',
  token_not_known: 'The token is not known',
  not_pinned: 'Not pinned yet',
  signed_before: 'Signed before',
  never_ends: 'It would never end',
  over: 'Over already',
  too_long: 'Longer than agreed',
  not_the_tokens_name: 'The token calls itself otherwise',
  agent_is_wallet: 'Your own wallet',
  agent_is_zero: 'The zero address',
  agent_not_named: 'The service named no agent beside the grant',
  more_than_trading: 'More than trading',
  more_than_collateral: 'More than trading and collateral',
  left_out: 'Left out by the service',
  added: 'Added by the service',
  changed: 'Changed by the service',
  unread_amount: 'The calldata cannot be read',
  unread_call: 'This app cannot read what it does',
  unread_token_call: 'A token is never called with what cannot be read',
  never_unread: 'Never called with what cannot be read',
  by_arguments: 'Held against your ticket by its arguments',
  other_call: 'Not in what you asked for',
}

const against: Readonly<Record<Against, string>> = {
  order: 'your order',
  size: 'your size',
  position: 'your position',
  leverage: 'your leverage',
  slippage: 'your slippage',
  margin: 'your margin',
  close: 'what you close',
  asked: 'what you asked for',
  deposit: 'your deposit',
  referencePrice: 'your reference price',
  limitPrice: 'your limit price',
  triggerPrice: 'your trigger price',
  takeProfit: 'your take profit',
  stopLoss: 'your stop loss',
}

function ratioText({ is, by, of }: Extract<Remark, { readonly code: 'ratio' }>): string {
  const number = formatDecimal(by)
  switch (is) {
    case 'times':
      return `${number} times ${against[of]}`
    case 'part':
      return `1/${number} of ${against[of]}`
    case 'more_times':
      return `More than ${number} times ${against[of]}`
    case 'more':
    case 'less':
      return `${number}% ${is} than ${against[of]}`
  }
}

/** Why a line stands as it does, in a few words; null: nothing more is to be said. */
export function remarkText(remark: Remark | null): string | null {
  if (remark === null) return null
  switch (remark.code) {
    case 'ratio':
      return ratioText(remark)
    case 'also':
      return `Could also be read as ${remark.value} ${remark.unit ?? ''}`.trim()
    case 'other_amount':
      return 'Not the amount you asked for'
    case 'other_contract':
    case 'unknown_contract':
      return null
    case 'not_the_pinned':
      return `Not the one you pinned, ${shortAddress(remark.pinned)}`
    case 'not_the_next':
      return 'The token would not take it'
    case 'outlives_key':
      return `Longer than the key, which ends ${dateText(remark.endsAtMs) ?? 'later'}`
    case 'called':
      return `The service calls it an ${remark.kind}`
    default:
      return remarkTextPlain[remark.code]
  }
}
