import { IntentReason, type PlainNote, type PlainReason, StepNote } from '../../../shared/ipc/intents/reasons.ts'
import { OperationNote, type OperationNoteFact, type PlainOperationNote } from '../../../shared/ipc/reads/activity.ts'

/**
 * The exact sentences that journals stored before reasons had codes. Never edit a sentence. The current texts are in `shared/text/reason-text.ts`.
 */
const plain: Readonly<Record<Exclude<PlainReason, 'restored' | 'restored_unasked'>, string>> = {
  rejected_on_phone: 'Rejected on the phone.',
  rejected_after_approval: 'Rejected on the phone. The approval before it stands, and was not used.',
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
  deposit_not_sent_in_time: 'Its deadline passed before the deposit was sent. The approval stands, and was not used.',
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
  not_looked_up: 'It could not be looked up: the service did not answer. It is looked up again by itself.',
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
  chain_silent: 'It could not be looked up: the chain did not answer. It is looked up again by itself.',
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
  execution_lost: 'The answer was lost: the executor may have carried it out.',
  execution_asked_again: 'The answer was lost: the executor may have carried it out. It was asked for again, without an answer that says so.',
  execution_untraceable: 'The exchange took it, and named neither a command nor a transaction to follow.',
  execution_listed: 'No answer that could be read named its transaction, and the exchange lists its order. It counts once it has stood there for a minute.',
  execution_listed_final: 'The exchange lists its order. The answer that named its transaction was lost.',
  execution_awaited:
    'The answer was lost: the executor may have carried it out. Look at your positions and orders. Asking again gives the first answer, or carries it out now where it never arrived.',
  execution_over: 'Its answer never came, and the exchange no longer takes it. Your positions and orders show whether it was carried out.',
  execution_unnamed_part: 'Only a part of it took effect; the service does not say which.',
  no_executor: 'No executor is bound to the key. Nothing was carried out.',
  execution_key_conflict: 'The service holds another order under this key. Nothing was carried out anew.',
  execution_rate_limited: 'The exchange asked to wait. Nothing was carried out.',
  no_key_to_read: 'No key on this computer may read what became of it: that takes the scope account:read.',
  prepare_key_conflict: 'The service holds another order under this key. Nothing was prepared anew.',
  preparation_over: 'This order was prepared before and its time is over. Prepare it anew.',
  contract_pending: 'The market or its contract does not take this action yet.',
  unasked_transactions: 'The service wants transactions for this order. An order is signed, never sent by the wallet.',
  unasked_permit: 'The service wants a permit to take tokens from your wallet, which nobody asked for.',
  unasked_signature: 'The service wants a signature for what it was never asked to have signed.',
  token_units_unknown: 'The chain did not say in what units the token counts, so its amount cannot be checked. Try again.',
  differs: 'The message does not say what you asked for.',
  payment_not_answered: 'The service did not answer. Nothing was sent.',
  several_prepared: 'The service prepared several transactions where one was asked for.',
  none_prepared: 'The service prepared no transaction that can be read.',
}

/** Reason sentences of the app's first published version that later versions worded differently. */
const reworded: ReadonlyMap<string, PlainReason> = new Map([
  ['The relay never took it, and it can no longer be executed.', 'shown_nowhere'],
  ['The answer was lost, and the exchange lists its order. It counts once it has stood there for a minute.', 'execution_listed'],
])

const plainNotes: Readonly<Record<PlainNote, string>> = {
  found_at_start: 'found at start',
  found_reverted: 'found: reverted',
  found_in_trades: 'found among the trades',
  found_in_orders: 'found among the orders',
  found_on_chain: 'found on the chain',
  found_by_effect: 'found on the chain by what it did',
  named_by_service: 'named by the service, and on the chain',
  settled_by_account: 'settled by what the account shows',
  unknown_to_nodes: 'no node knows its transaction',
  other_transaction: 'another transaction',
  sent_by_wallet: 'the wallet sent it',
  late_answer: 'a late answer of the wallet',
  to_executor: 'to the executor; the same order is asked for again where the answer is lost',
  taken_without_command: 'taken, without a command',
  already_prepared: 'already prepared: the service gave the earlier preparation again',
}

/**
 * The sentences that earlier versions showed instead of the exchange's reason codes. Where two codes had the same sentence, only one code is listed.
 */
const explained: Readonly<Record<string, string>> = {
  withdraw_margin_insufficient: 'The withdrawal would leave too little margin for your open positions.',
  oracle_unavailable: 'The exchange has no price for this market at the moment.',
  margin_insufficient: 'There is too little free margin for this order.',
  insufficient_collateral: 'There is too little collateral in your account.',
  insufficient_balance: 'There is too little in your wallet.',
  market_closed: 'This market is closed at the moment.',
  market_paused: 'This market is paused at the moment.',
  open_interest_limit: 'This market takes no more open interest on this side.',
  position_not_found: 'There is no such position any more.',
  order_not_found: 'There is no such order any more.',
}

const keyOf = <K extends string>(texts: Readonly<Partial<Record<K, string>>>, text: string): K | null =>
  (Object.keys(texts) as K[]).find((key) => texts[key] === text) ?? null // The cast is safe: `texts` is an object literal, so it has no other keys.

/** Finds the exchange's own reason in a stored sentence; null if the sentence doesn't contain one. */
function rawOf(text: string): string | null {
  const known = keyOf(explained, text)
  if (known !== null) return known
  const words = /^The exchange says: (.*)\.$/s.exec(text)?.[1]
  if (words === undefined) return null
  // Earlier versions wrote the exchange's reason codes in lower case with spaces. A single word with a capital letter, `_` or `-` is therefore the
  // exchange's free text. Free text ended with a full stop, which the pattern above removed, so add it again.
  return /^[A-Za-z0-9]+([_-][A-Za-z0-9]+)*$/.test(words) && /[A-Z_-]/.test(words) ? `${words}.` : words
}

const earlierWords = ' An earlier sending of it may have been prepared; nothing was signed, so nothing can be executed.'
const prepared = {
  prepare_refused: 'The service refused to prepare it.',
  prepare_not_answered: 'The service did not answer.',
  prepare_unreadable: 'The service prepared it, and the preparation cannot be read. Nothing was signed, so nothing can be executed.',
} as const

/** Patterns for old reason sentences that contain a variable fact, such as a state or a name. */
const patterns: readonly (readonly [RegExp, (found: readonly (string | undefined)[]) => IntentReason | null])[] = [
  [/^The relay refused it(?:: (.*))?\.$/s, ([by]) => ({ code: 'relay_refused', by: by ?? null })],
  [
    /^The service lists it as (.*)\. Until its deadline and a margin have passed it may still be executed\.$/s,
    ([state]) => ({ code: 'listed_unsent', state: state ?? '' }),
  ],
  [/^The service lists it as (.*), without a transaction yet\.$/s, ([state]) => ({ code: 'listed_without_transaction', state: state ?? '' })],
  [
    /^You said that it was not sent\. Up to block (\d+) the chain showed (?:nothing of it|(\d+) transactions that do the same)\.$/,
    ([block, alike]) => ({ code: 'user_not_sent', upToBlock: Number(block), alike: Number(alike ?? 0) }),
  ],
  [
    /^The wallet answered with transaction (.*) when it was given up already\. Look for it in the wallet or on the chain\.$/,
    ([txHash]) => ({ code: 'late_transaction', txHash: txHash ?? '' }),
  ],
  [/^Nothing of it was carried out\.(?: (.*))?$/s, ([said]) => because(said, (raw) => ({ code: 'nothing_executed', raw }))],
  [
    /^(\d+) of (\d+) actions took effect\. (\d+) failed\.(?: (.*))?$/s,
    ([, actions, failed, said]) => because(said, (raw) => ({ code: 'partly_executed', actions: Number(actions), failed: Number(failed), raw })),
  ],
  [/^The exchange refused it(?:: (.*))?\. Nothing was carried out\.$/s, ([by]) => ({ code: 'execution_refused', by: by ?? null })],
  [/^The service answered (.*)\.$/s, ([status]) => ({ code: 'service_answered', status: status ?? '' })],
]

function because(said: string | undefined, as: (raw: string | null) => IntentReason): IntentReason | null {
  if (said === undefined) return as(null)
  const raw = rawOf(said)
  return raw === null ? null : as(raw)
}

function matched(text: string): IntentReason | null {
  for (const [pattern, as] of patterns) {
    const found = pattern.exec(text)
    const reason = found === null ? null : as(found.slice(1))
    if (reason !== null) return reason
  }
  return null
}

function reasonOf(text: string): IntentReason | null {
  const code = keyOf(plain, text) ?? reworded.get(text)
  if (code !== undefined) return { code }
  const earlier = text.endsWith(earlierWords)
  const preparation = keyOf(prepared, earlier ? text.slice(0, -earlierWords.length) : text)
  if (preparation !== null) return { code: preparation, earlier }
  const raw = rawOf(text)
  return raw === null ? matched(text) : { code: 'exchange_says', raw }
}

const orNull = (word: string, none: string): string | null => (word === none ? null : word)

const notePatterns: readonly (readonly [RegExp, (word: string) => StepNote])[] = [
  [/^found: (.*)$/s, (word) => ({ code: 'found', state: orNull(word, 'with a transaction') })],
  [/^looked up: (.*)$/s, (word) => ({ code: 'looked_up', state: orNull(word, 'not there') })],
  [/^relay: (.*)$/s, (word) => ({ code: 'relayed', state: orNull(word, 'no state') })],
  [/^command (.*)$/s, (id) => ({ code: 'command', id })],
  [/^not on the chain up to block (\d+)$/, (block) => ({ code: 'not_on_chain', upToBlock: Number(block) })],
]

function noteOf(text: string): StepNote | null {
  const code = keyOf(plainNotes, text)
  if (code !== null) return { code }
  const reason = reasonOf(text)
  if (reason !== null) return { code: 'reason', reason }
  for (const [pattern, as] of notePatterns) {
    const word = pattern.exec(text)?.[1]
    if (word !== undefined) return as(word)
  }
  return null
}

/**
 * Parses a stored reason: JSON since version 11 of the journal, a sentence before. Any other text becomes the reason unchanged, because a damaged
 * reason must not hide an intent.
 */
export const readReason = (text: string): IntentReason => IntentReason.safeParse(parsed(text)).data ?? reasonOf(text) ?? { code: 'as_written', text }

/** Parses a stored note of an intent's timeline, with the same rules as `readReason`. */
export const readNote = (text: string): StepNote => StepNote.safeParse(parsed(text)).data ?? noteOf(text) ?? { code: 'as_written', text }

export const reasonOrNull = ({ reason }: Readonly<Record<string, unknown>>): IntentReason | null => (typeof reason === 'string' ? readReason(reason) : null)

/** Converts a column's value for SQLite: a reason to JSON text, any other value unchanged. */
export const written = (value: IntentReason | string | number | null): string | number | null =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : value

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** The exact sentences that old journals contain as notes of key replacements and secret operations. */
const operationNotes: Readonly<Partial<Record<PlainOperationNote, string>>> = {
  answer_lost: 'The answer was lost.',
  answer_unreadable: 'The answer cannot be read.',
  key_may_exist: 'The answer was lost. A key may have been created.',
  key_may_exist_unread: 'The answer cannot be read. A key may have been created.',
  webhook_may_exist: 'The answer was lost. A webhook may have been created.',
  webhook_may_exist_unread: 'The answer cannot be read. A webhook may have been created.',
  secret_may_have_changed: 'The answer was lost. The old secret may have stopped working.',
  secret_may_have_changed_unread: 'The answer cannot be read. The old secret may have stopped working.',
  revoke_unanswered: 'The answer was lost. Revoking again is safe.',
  disable_unanswered: 'The answer was lost. Disabling again is safe.',
  confirmed: 'The service confirmed it.',
  disk_full: 'The disk is full. Nothing was sent.',
  stopped_before_sent: 'The app stopped before it was sent.',
  stopped_before_stored: 'The app stopped before it was stored.',
  stopped_before_answer_stored: 'The app stopped before the answer was stored.',
  listed_revoked: 'The list says that it is revoked.',
  listed_not_revoked: 'The list says that it is not revoked: the request never arrived.',
  listed_disabled: 'The list says that it is disabled.',
  listed_not_disabled: 'The list says that it is not disabled: the request never arrived.',
  listed_endless: 'The list does not say when it ends.',
  no_new_key: 'The service lists no new key: nothing was created.',
  no_new_key_sent_again: 'The service lists no new key. The same signature is sent again.',
  no_new_webhook: 'The service lists no new webhook: nothing was created.',
  secret_found: 'Its secret was found in the keychain.',
  new_secret_found: 'The new secret was found in the keychain.',
  key_over: 'Its key was revoked or given a fresh secret meanwhile.',
  key_revoked: 'Its key was revoked.',
  rotated_since: 'It was rotated again since.',
  webhook_over: 'It was disabled meanwhile.',
  dismissed: 'Dismissed by the user.',
  orphan_rotated: 'The key was rotated: it has a fresh secret here.',
  orphan_revoked: 'The key was revoked.',
  orphan_disabled: 'It was disabled.',
  handed_over: 'Handed over by your word.',
  agent_granted: 'Its agent is granted.',
  without_agent: 'Without an agent, by your word.',
  by_your_word: 'By your word.',
  new_key_revoked: 'The key that came of it was revoked.',
  preparation_over: 'The preparation is over. Nothing was created.',
  nothing_created: 'Nothing was created.',
  here_again: 'It is here again.',
  old_key_listed_revoked: 'The list says that the old key is revoked.',
  lost_creation_empty: 'The list shows no key of the lost creation.',
  new_key_missing: 'The new key is gone.',
  grant_lost: 'The answer was lost. The same signature can be sent again.',
  grant_unread: 'The answer cannot be read. The same signature can be sent again.',
  grant_stored: 'The service stored it.',
  grant_listed: 'The list says that it is granted.',
  grant_not_listed: 'The list does not say that it was stored. Open the agent again to see.',
  signature_sent_again: 'The same signature is sent again.',
  executor_listed: 'The list says that it is bound.',
  executor_not_listed: 'The list does not name it: nothing was bound.',
}

const operationPatterns: readonly (readonly [RegExp, OperationNoteFact])[] = [
  [/^To end (\d+) days from now\.$/, 'expiry_asked'],
  [/^The answer was lost\. To end (\d+) days from then; asking again is safe\.$/, 'expiry_unanswered'],
  [/^The service confirmed it: (\d+) days from now\.$/, 'expiry_confirmed'],
  [/^The list says that it ends at (\S+)\.$/, 'listed_end'],
  [/^The keychain did not take it: (\w+)\.$/, 'keychain_refused'],
  [/^The answer was lost\. The list tells whether (\S+) is bound\.$/, 'executor_unanswered'],
  [/^The service bound (\S+) instead\.$/, 'executor_differs'],
  [/^(\S+) is bound\.$/, 'executor_bound'],
]

/**
 * Parses a stored note of a key replacement or of a secret operation: a code since version 13 of the journal, a sentence before. Any other text
 * becomes the note unchanged.
 */
export function readOperationNote(text: string): OperationNote {
  const code = OperationNote.safeParse(text).data ?? keyOf(operationNotes, text)
  if (code !== null) return code
  for (const [pattern, as] of operationPatterns) {
    const fact = pattern.exec(text)?.[1]
    if (fact !== undefined) return `${as} ${fact}`
  }
  return `as_written ${text}`
}
