import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type IntentReason, PlainNote, PlainReason, type StepNote } from '../../../shared/ipc/intents/reasons.ts'
import type { OperationNote } from '../../../shared/ipc/reads/activity.ts'
import { operationNoteText } from '../../../shared/text/audit-text.ts'
import { noteText } from '../../../shared/text/intent-text.ts'
import { reasonText } from '../../../shared/text/reason-text.ts'
import { systemClock } from '../../../shared/time.ts'
import { keyRecords } from '../records/key-records.ts'
import { decode } from '../records/record.ts'
import { readReason } from '../records/written-reasons.ts'
import { migrate } from './connection.ts'
import { migrations } from './migrations.ts'
import { openJournal } from './tables/sqlite-journal.ts'

const plain: readonly (readonly [string, PlainReason])[] = [
  ['Its transaction is gone from the chain, and it can no longer be executed.', 'gone_from_chain'],
  ['The transaction reverted on chain. Nothing was executed.', 'reverted'],
  ['It could not be looked up: the service did not answer. It is looked up again by itself.', 'not_looked_up'],
  ['It was sent and reverted on chain.', 'listed_as_reverted'],
  ['The service shows it nowhere as carried out, and it can no longer be executed.', 'shown_nowhere'],
  ['The service lists it as carried out, and names no transaction.', 'listed_as_done'],
  ['Your trades show it. No answer named its transaction.', 'in_trades'],
  ['Your orders show it. No answer named its transaction.', 'in_orders'],
  ['It can no longer be executed. Whether it was, is not known: some of what the service lists is missing or cannot be read.', 'lists_incomplete'],
  ['The service does not list it. Until its deadline and a margin have passed it may still appear.', 'not_listed'],
  ['Replaced by a new order at a new price.', 'replaced'],
  ['The app stopped before it was prepared. Nothing was asked for.', 'stopped_before_prepared'],
  ['The app stopped while the wallet was asked. Its answer may still come.', 'stopped_while_asked'],
  ['The app stopped before the signature was sent. Send it, or drop it.', 'stopped_before_relay'],
  ['The app stopped before the answer of the relay came. It may have taken the order.', 'stopped_before_relay_answer'],
  ['It was not signed before its deadline.', 'not_signed_in_time'],
  ['The wallet did not answer before the deadline.', 'no_answer_in_time'],
  ['Its signature was not sent before the deadline, and is erased.', 'signature_not_sent_in_time'],
  ['You said that it was carried out.', 'user_carried_out'],
  ['You said that it was not carried out.', 'user_not_carried_out'],
  ['You let new orders pass. It is still looked up.', 'user_passed'],
  ['The app stopped before it was sent. Nothing was carried out.', 'stopped_before_execution'],
  ['The app stopped before the answer came. The executor may have carried it out.', 'stopped_before_execution_answer'],
  ['No key on this computer may read what became of it: that takes the scope account:read.', 'no_key_to_read'],
  ['Only a part of it took effect; the service does not say which.', 'execution_unnamed_part'],
  ['The exchange lists its order. The answer that named its transaction was lost.', 'execution_listed_final'],
  ['Its answer never came, and the exchange no longer takes it. Your positions and orders show whether it was carried out.', 'execution_over'],
  ['No answer that could be read named its transaction, and the exchange lists its order. It counts once it has stood there for a minute.', 'execution_listed'],
  [
    'The answer was lost: the executor may have carried it out. Look at your positions and orders. Asking again gives the first answer, or carries it out now where it never arrived.',
    'execution_awaited',
  ],
  ['The exchange took it, and its answer cannot be read: the executor may have carried it out.', 'execution_unreadable'],
  ['The answer was lost: the executor may have carried it out.', 'execution_lost'],
  ['The exchange took it, and named neither a command nor a transaction to follow.', 'execution_untraceable'],
  ['The disk filled up before it was sent. Nothing was sent.', 'execution_disk_full'],
  ['The exchange was not reached. Nothing was sent.', 'execution_not_reached'],
  ['No executor is bound to the key. Nothing was carried out.', 'no_executor'],
  ['The service holds another order under this key. Nothing was carried out anew.', 'execution_key_conflict'],
  ['The exchange asked to wait. Nothing was carried out.', 'execution_rate_limited'],
  ['The transaction reverted on chain. Nothing was paid, and no right was given.', 'payment_reverted'],
  ['It was not sent before its deadline.', 'not_sent_in_time'],
  ['The wallet did not answer before the deadline. It is looked for on the chain.', 'no_answer_searched'],
  ['The app stopped while the wallet was asked. It is looked for on the chain.', 'stopped_while_asked_searched'],
  ['Rejected on the phone.', 'rejected_on_phone'],
  ['The wallet could not be asked. It can be asked again until the deadline.', 'wallet_not_asked'],
  ['The wallet was asked and did not answer. It is looked for on the chain.', 'wallet_silent'],
  ['The service did not answer. Nothing was sent.', 'payment_not_answered'],
  ['The service prepared several transactions where one was asked for.', 'several_prepared'],
  ['The service prepared no transaction that can be read.', 'none_prepared'],
  ['This order was prepared before and its time is over. Prepare it anew.', 'preparation_over'],
  ['The service holds another order under this key. Nothing was prepared anew.', 'prepare_key_conflict'],
  ['The disk filled up before it was sent. Nothing was sent; the signature is kept.', 'relay_disk_full'],
  ['The relay answered without a transaction hash.', 'relay_without_hash'],
  ['The relay was not reached. Nothing was sent; the signature is kept.', 'relay_not_reached'],
  ['The relay took the order, and its answer cannot be read.', 'relay_unreadable'],
  ['The answer of the relay was lost. It may have taken the order.', 'relay_lost'],
  ['The relay asked to wait. The signature is kept.', 'relay_asked_to_wait'],
  ['The relay says that it has this intent already.', 'relay_has_it'],
  ['The relay refused it: it came after its deadline.', 'relay_too_late'],
  ['Cancelled before it was signed.', 'cancelled_before_signing'],
  ['The request to the wallet expired. It can be asked for again until the deadline.', 'request_expired'],
  ['The wallet could not be reached. It can be asked for again until the deadline.', 'wallet_unreachable'],
  ['The wallet could not sign it. It can be asked for again until the deadline.', 'wallet_failed'],
  ['Its signature came after the deadline. It was dropped, and nothing was sent.', 'signature_too_late'],
  ['Its signature was dropped by you, and is erased.', 'signature_dropped'],
  ['Its deadline passed before it was sent. The signature is erased.', 'not_relayed_in_time'],
  ['Rejected on the phone. The approval before it stands, and was not used.', 'rejected_after_approval'],
  ['Approval confirmed. The deposit is next.', 'approved'],
  ['The approval was sent. The deposit is asked for once a block holds it.', 'approval_sent'],
  ['Its deadline passed before the deposit was sent. The approval stands, and was not used.', 'deposit_not_sent_in_time'],
  ['The chain took its block back. It is followed again.', 'taken_back'],
  ['The chain took the block of the approval back. It is followed again.', 'approval_taken_back'],
  ['The hash that the wallet gave belongs to another transaction. It is looked for on the chain.', 'other_transaction'],
  ['It could not be looked up: the chain did not answer. It is looked up again by itself.', 'chain_silent'],
  ['The wallet was asked and the chain shows no such transaction yet. It may still be sent.', 'transaction_awaited'],
  ['The wallet has a transaction under way that no block holds yet.', 'transaction_pending'],
  [
    'Your wallet is a contract, whose transactions others send: what this one would change is looked for on the chain, and is not there yet.',
    'contract_awaited',
  ],
  [
    'Its time is over, and the chain shows nothing that it would have changed. A contract wallet may still send it: the end is yours to say.',
    'contract_undecided',
  ],
  ['The chain shows several transactions that do this. Say which of them it was.', 'several_alike'],
  ['The network dropped it, and no block held it in time.', 'dropped'],
  ['The wallet never sent it, and can no longer be asked to.', 'never_sent'],
  ['The market or its contract does not take this action yet.', 'contract_pending'],
  ['The service wants transactions for this order. An order is signed, never sent by the wallet.', 'unasked_transactions'],
  ['The service wants a permit to take tokens from your wallet, which nobody asked for.', 'unasked_permit'],
  ['The service wants a signature for what it was never asked to have signed.', 'unasked_signature'],
  ['The chain did not say in what units the token counts, so its amount cannot be checked. Try again.', 'token_units_unknown'],
  ['The message does not say what you asked for.', 'differs'],
]

const plainNotes: readonly (readonly [string, PlainNote])[] = [
  ['no node knows its transaction', 'unknown_to_nodes'],
  ['found: reverted', 'found_reverted'],
  ['found among the trades', 'found_in_trades'],
  ['settled by what the account shows', 'settled_by_account'],
  ['found at start', 'found_at_start'],
  ['found among the orders', 'found_in_orders'],
  ['taken, without a command', 'taken_without_command'],
  ['to the executor; the same order is asked for again where the answer is lost', 'to_executor'],
  ['a late answer of the wallet', 'late_answer'],
  ['the wallet sent it', 'sent_by_wallet'],
  ['already prepared: the service gave the earlier preparation again', 'already_prepared'],
  ['named by the service, and on the chain', 'named_by_service'],
  ['found on the chain by what it did', 'found_by_effect'],
  ['another transaction', 'other_transaction'],
  ['found on the chain', 'found_on_chain'],
]

const earlier = ' An earlier sending of it may have been prepared; nothing was signed, so nothing can be executed.'
const hash = `0x${'ab'.repeat(32)}`

const withFacts: readonly (readonly [string, IntentReason])[] = [
  ['The answer was lost: the executor may have carried it out. It was asked for again, without an answer that says so.', { code: 'execution_asked_again' }],
  ['The relay refused it: BAD_SIGNATURE.', { code: 'relay_refused', by: 'BAD_SIGNATURE' }],
  ['The relay refused it.', { code: 'relay_refused', by: null }],
  ['The service lists it as prepared. Until its deadline and a margin have passed it may still be executed.', { code: 'listed_unsent', state: 'prepared' }],
  ['The service lists it as queued. up, without a transaction yet.', { code: 'listed_without_transaction', state: 'queued. up' }],
  ['You said that it was not sent. Up to block 123 the chain showed nothing of it.', { code: 'user_not_sent', upToBlock: 123, alike: 0 }],
  ['You said that it was not sent. Up to block 123 the chain showed 2 transactions that do the same.', { code: 'user_not_sent', upToBlock: 123, alike: 2 }],
  [
    `The wallet answered with transaction ${hash} when it was given up already. Look for it in the wallet or on the chain.`,
    { code: 'late_transaction', txHash: hash },
  ],
  ['Nothing of it was carried out.', { code: 'nothing_executed', raw: null }],
  ['Nothing of it was carried out. The exchange says: network unavailable.', { code: 'nothing_executed', raw: 'network unavailable' }],
  ['Nothing of it was carried out. There is no such order any more.', { code: 'nothing_executed', raw: 'order_not_found' }],
  ['2 of 3 actions took effect. 1 failed.', { code: 'partly_executed', actions: 3, failed: 1, raw: null }],
  [
    '2 of 3 actions took effect. 1 failed. There is too little in your wallet.',
    { code: 'partly_executed', actions: 3, failed: 1, raw: 'insufficient_balance' },
  ],
  ['The exchange refused it: LIMIT. Nothing was carried out.', { code: 'execution_refused', by: 'LIMIT' }],
  ['The exchange refused it. Nothing was carried out.', { code: 'execution_refused', by: null }],
  ['The service refused to prepare it.', { code: 'prepare_refused', earlier: false }],
  [`The service refused to prepare it.${earlier}`, { code: 'prepare_refused', earlier: true }],
  ['The service did not answer.', { code: 'prepare_not_answered', earlier: false }],
  [`The service did not answer.${earlier}`, { code: 'prepare_not_answered', earlier: true }],
  [
    'The service prepared it, and the preparation cannot be read. Nothing was signed, so nothing can be executed.',
    { code: 'prepare_unreadable', earlier: false },
  ],
  [
    `The service prepared it, and the preparation cannot be read. Nothing was signed, so nothing can be executed.${earlier}`,
    { code: 'prepare_unreadable', earlier: true },
  ],
  ['The service answered preflight_failed.', { code: 'service_answered', status: 'preflight_failed' }],
  ['There is too little free margin for this order.', { code: 'exchange_says', raw: 'margin_insufficient' }],
  ['This market is paused at the moment.', { code: 'exchange_says', raw: 'market_paused' }],
  ['The exchange says: post only would take.', { code: 'exchange_says', raw: 'post only would take' }],
  ['The exchange says: Paused\nfor now.', { code: 'exchange_says', raw: 'Paused\nfor now' }],
  ['The exchange says: Paused.', { code: 'exchange_says', raw: 'Paused.' }],
  ['The message is for 250 USDC. You asked for 25 USDC.', { code: 'as_written', text: 'The message is for 250 USDC. You asked for 25 USDC.' }],
]

const notesWithFacts: readonly (readonly [string, StepNote])[] = [
  ['found: with a transaction', { code: 'found', state: null }],
  ['found: submitted', { code: 'found', state: 'submitted' }],
  ['looked up: not there', { code: 'looked_up', state: null }],
  ['looked up: prepared', { code: 'looked_up', state: 'prepared' }],
  ['relay: no state', { code: 'relayed', state: null }],
  ['relay: submitted', { code: 'relayed', state: 'submitted' }],
  ['command cmd_1', { code: 'command', id: 'cmd_1' }],
  ['not on the chain up to block 77', { code: 'not_on_chain', upToBlock: 77 }],
  ['The chain took its block back. It is followed again.', { code: 'reason', reason: { code: 'taken_back' } }],
  ['rejected', { code: 'as_written', text: 'rejected' }],
  ['User rejected the request.', { code: 'as_written', text: 'User rejected the request.' }],
]

const sentences: readonly (readonly [string, IntentReason])[] = [...plain.map(([text, code]) => [text, { code }] as const), ...withFacts]
const remarks: readonly (readonly [string, StepNote])[] = [...plainNotes.map(([text, code]) => [text, { code }] as const), ...notesWithFacts]

let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-desk-reasons-'))
  file = join(folder, 'journal.db')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/**
 * Writes a version 10 journal in which an intent and a transaction contain each old reason sentence, and the first intent's timeline all old notes.
 */
function writeOld(version = 10): void {
  const old = new DatabaseSync(file)
  for (const migration of migrations.slice(0, 10)) old.exec(migration)
  const intent = old.prepare(
    `INSERT INTO intents (ref, profile_id, wallet, action, title, idempotency_key, body, ticket, state, reason, created_at_ms, updated_at_ms)
     VALUES (?, 'p', '0x1', 'close', 'Close', ?, '{}', '{}', 'UNKNOWN', ?, 1, 1)`,
  )
  const transaction = old.prepare(
    `INSERT INTO intent_transactions (ref, position, from_address, to_address, data, value, state, reason, updated_at_ms)
     VALUES (?, 0, '0x1', '0x2', '0x', '0x0', 'unknown', ?, 1)`,
  )
  const step = old.prepare("INSERT INTO intent_steps (ref, state, at_ms, note) VALUES ('i0', 'UNKNOWN', 1, ?)")
  for (const [index, [text]] of sentences.entries()) {
    intent.run(`i${index}`, `k${index}`, text)
    transaction.run(`i${index}`, text)
  }
  for (const [text] of remarks) step.run(text)
  step.run(null)
  old.exec(`PRAGMA user_version = ${version}`)
  old.close()
}

function expectCodes(): void {
  const journal = openJournal({ file, clock: systemClock })
  try {
    for (const [index, [text, reason]] of sentences.entries()) {
      expect([text, journal.intents.get(`i${index}`)?.reason, journal.transactions.of(`i${index}`)[0]?.reason]).toEqual([text, reason, reason])
      expect(reasonText(reason)).toMatch(/^\S.*\S$/s)
    }
    expect(journal.intents.timeline('i0').map(({ note }) => note)).toEqual([...remarks.map(([, note]) => note), null])
  } finally {
    journal.close()
  }
}

test('the app converts every reason and note that an earlier version stored in the journal as a sentence into a code', () => {
  expect(plain.map(([, code]) => code).toSorted()).toEqual(
    PlainReason.options.filter((code) => !['execution_asked_again', 'restored', 'restored_unasked'].includes(code)).toSorted(),
  )
  expect(plainNotes.map(([, code]) => code).toSorted()).toEqual(PlainNote.options.toSorted())
  writeOld()
  expectCodes()
  const migrated = new DatabaseSync(file)
  const texts = migrated.prepare('SELECT reason FROM intents UNION ALL SELECT reason FROM intent_transactions').all()
  migrated.close()
  for (const { reason } of texts) expect(JSON.parse(String(reason))).toMatchObject({ code: expect.any(String) })
  // Open the journal again. This time, it contains codes instead of sentences.
  expectCodes()
  for (const [text, note] of remarks) expect([text, noteText(note)]).toEqual([text, text === 'rejected' ? null : expect.stringMatching(/^[A-Z].* /)])
})

test.each([
  ['The relay never took it, and it can no longer be executed.', 'shown_nowhere'],
  ['The answer was lost, and the exchange lists its order. It counts once it has stood there for a minute.', 'execution_listed'],
])('the journal converts a sentence of the first published version to the same code as the later sentence: %s', (text, code) => {
  expect(readReason(text)).toEqual({ code })
})

test('the app reads reasons that the journal stores as sentences or as codes, even if the journal’s file header states a wrong version', () => {
  writeOld(migrations.length)
  expectCodes()
  const file11 = new DatabaseSync(file)
  file11.exec('PRAGMA user_version = 10')
  file11.close()
  expectCodes()
})

const operationNotes: readonly (readonly [string, OperationNote])[] = [
  ['The answer was lost. A key may have been created.', 'key_may_exist'],
  ['The answer cannot be read. The same signature can be sent again.', 'grant_unread'],
  ['The list says that it is bound.', 'executor_listed'],
  ['The answer was lost. To end 30 days from then; asking again is safe.', 'expiry_unanswered 30'],
  ['The list says that it ends at 2026-01-05T00:00:00.000Z.', 'listed_end 2026-01-05T00:00:00.000Z'],
  ['The keychain did not take it: locked.', 'keychain_refused locked'],
  ['The answer was lost. The list tells whether exec-1 is bound.', 'executor_unanswered exec-1'],
  ['exec-1 is bound.', 'executor_bound exec-1'],
  ['The service bound exec-2 instead.', 'executor_differs exec-2'],
  ['expiry_asked 30', 'expiry_asked 30'],
  ['rate_limited', 'rate_limited'],
  ['Something of long ago.', 'as_written Something of long ago.'],
]

test('the app converts each stored sentence about a key operation or a key’s replacement into a code for which the app has a text', () => {
  const old = new DatabaseSync(file)
  migrate(old, 0, 12)
  const insert = old.prepare(
    `INSERT INTO secret_operations (id, profile_id, wallet, kind, label, key_ids_before, marker, state, note, at_ms, updated_at_ms)
     VALUES (?, 'p', '0x1', 'create', 'bot', '[]', '', 'SETTLED', ?, 1, 1)`,
  )
  for (const [index, [text]] of operationNotes.entries()) insert.run(`o${index}`, text)
  old.close()
  for (const _ of ['migrated', 'opened again']) {
    const journal = openJournal({ file, clock: systemClock })
    expect(operationNotes.map((_, index) => journal.secretOperations.get(`o${index}`)?.note)).toEqual(operationNotes.map(([, note]) => note))
    journal.close()
  }
  const steps = operationNotes.map(([note]) => ({ state: 'created', atMs: 1, note }))
  const plan = { label: 'bot', scopes: [], expiresInDays: 1, ipAllowlist: [], quotas: [], executor: null, agent: 'none' }
  const rest = { id: 'r', wallet: '0x1', oldKeyId: 'k', oldLabel: 'bot', plan, newKeyId: null, operationId: null, draftId: null, agentSettled: false }
  const stored = JSON.stringify({ ...rest, now: { state: 'planned' }, notBeforeMs: null, createdAtMs: 1, updatedAtMs: 1, steps })
  expect(decode(keyRecords.replacements, stored, 1)?.steps.map(({ note }) => note)).toEqual(operationNotes.map(([, note]) => note))
  for (const [, note] of operationNotes.slice(0, 9)) expect(operationNoteText(note)).toMatch(/^\S+ .*\.$/)
})

test('an intent stays readable when its stored reason is damaged', () => {
  writeOld()
  openJournal({ file, clock: systemClock }).close()
  const damaged = new DatabaseSync(file)
  damaged.exec(`UPDATE intents SET reason = '{"code":"no_such"}' WHERE ref = 'i0'; UPDATE intents SET reason = '{"code' WHERE ref = 'i1'`)
  damaged.close()
  const journal = openJournal({ file, clock: systemClock })
  expect(['i0', 'i1'].map((ref) => journal.intents.get(ref)?.reason)).toEqual([
    { code: 'as_written', text: '{"code":"no_such"}' },
    { code: 'as_written', text: '{"code' },
  ])
  expect(journal.unreadable()).toEqual([])
  journal.close()
})

test('the app shows the title and refusal reason of an old intent in exactly the words that an earlier version stored', () => {
  const old = new DatabaseSync(file)
  old.function('written_reason', (text) => text)
  old.function('written_note', (text) => text)
  old.function('written_operation_note', (text) => text)
  for (const migration of migrations.slice(0, -1)) old.exec(migration)
  const blocked = { code: 'blocked', sentence: 'The prepared message is for another chain.' }
  old.exec(`
    INSERT INTO intents (ref, profile_id, wallet, action, title, idempotency_key, body, ticket, state, reason, created_at_ms, updated_at_ms)
    VALUES ('i0', 'p', '0x1', 'close', 'Close the long on BTC-PERP', 'k0', '{}', '{}', 'REFUSED', '${JSON.stringify(blocked)}', 1, 1);
    INSERT INTO intent_transactions (ref, position, from_address, to_address, data, value, state, reason, updated_at_ms)
    VALUES ('i0', 0, '0x1', '0x2', '0x', '0x0', 'unknown', '${JSON.stringify(blocked)}', 1);
    INSERT INTO intent_steps (ref, state, at_ms, note) VALUES ('i0', 'REFUSED', 1, '${JSON.stringify({ code: 'reason', reason: blocked })}');
    PRAGMA user_version = ${migrations.length - 1}
  `)
  old.close()
  const journal = openJournal({ file, clock: systemClock })
  const written = { code: 'as_written', text: blocked.sentence }
  expect(journal.unreadable()).toEqual([])
  expect(journal.intents.get('i0')).toMatchObject({ title: { code: 'as_written', text: 'Close the long on BTC-PERP' }, reason: written })
  expect(journal.transactions.of('i0')).toMatchObject([{ reason: written }])
  expect(journal.intents.timeline('i0')).toMatchObject([{ note: { code: 'reason', reason: written } }])
  journal.close()
})
