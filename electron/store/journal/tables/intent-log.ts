import { ExecutionMethod, IntentState, TransactionState } from '../../../../shared/ipc/intents/orders.ts'
import type { StepNote } from '../../../../shared/ipc/intents/reasons.ts'
import { ReceiptState } from '../../../../shared/ipc/intents/signing.ts'
import { Title } from '../../../../shared/ipc/intents/titles.ts'
import type { Clock } from '../../../../shared/time.ts'
import { readRecord } from '../../records/record.ts'
import { readNote, reasonOrNull } from '../../records/written-reasons.ts'
import { assignments, createRowReader, insertRow, integer, integerOrNull, json, oneOf, orNull, text, textOrNull, type Unread } from '../columns.ts'
import type { Database, Row } from '../database.ts'
import { changeableOfIntent, changeableOfTransaction, type IntentChange, type IntentLog, type IntentRow, type TransactionLog } from '../journal.ts'
import { intentTransitions, terminalIntentStates } from './states.ts'

/**
 * The terminal states, written into the SQL as literals so that SQLite can use the index of open intents. With parameters, SQLite would read every
 * intent, once a second. `INDEXED BY` makes the query fail if it cannot use the index.
 */
const closedStates = terminalIntentStates.map((state) => `'${state}'`).join(', ')
const sides = ['long', 'short'] as const

export function createIntentLog(database: Database, clock: Clock, unread: Unread): IntentLog {
  const find = (ref: string): IntentRow => {
    const row = database.get('SELECT * FROM intents WHERE ref = ?', ref)
    if (row === undefined) throw new Error(`No such intent: ${ref}`)
    return readIntent(row)
  }
  const step = (ref: string, state: IntentState, atMs: number, note: StepNote | null) =>
    database.run('INSERT INTO intent_steps (ref, state, at_ms, note) VALUES (?, ?, ?, ?)', ref, state, atMs, note === null ? null : JSON.stringify(note))

  /**
   * Runs `work`, then sets the given fields; absent fields keep their value. `updated_at_ms` never decreases, even if the service's time is set back,
   * because code that follows an intent relies on increasing times.
   */
  const write = (ref: string, changes: IntentChange, work: (row: IntentRow, now: number) => void): IntentRow => {
    const now = clock.now()
    const { set, values } = assignments(changeableOfIntent, changes)
    return database.transaction(() => {
      work(find(ref), now)
      database.run(`UPDATE intents SET updated_at_ms = max(updated_at_ms, ?)${set} WHERE ref = ?`, now, ...values, ref)
      return find(ref)
    })
  }
  const readOne = (row: Row | undefined): IntentRow | null => (row === undefined ? null : unread.read(row, String(row.ref), readIntent))

  /**
   * The number of intents for each condition that was counted, such as a wallet. Cached, because counting takes longer with every intent. Only
   * `plan` adds intents, and no intent is ever deleted.
   */
  const totals = new Map<string, number>()
  const totalOf = (where: string, scope: readonly string[]): number => {
    const key = JSON.stringify([where, scope])
    const known = totals.get(key)
    if (known !== undefined) return known
    const row = database.get(`SELECT count(*) AS total FROM intents WHERE ${where}`, ...scope)
    const total = row === undefined ? 0 : integer(row, 'total')
    totals.set(key, total)
    return total
  }

  return {
    plan(intent) {
      const now = clock.now()
      totals.clear()
      return database.transaction(() => {
        const { ref, profileId, wallet, action, title, idempotencyKey, body, ticket } = intent
        const { pairId = null, symbol = null, side = null, clientOrderId = null, way = null } = intent
        insertRow(database, 'intents', {
          ...{ ref, profileId, wallet, action, title: JSON.stringify(title), pairId, symbol, side, idempotencyKey, clientOrderId, body, ticket, way },
          ...{ state: 'PLANNED', createdAtMs: now, updatedAtMs: now },
        })
        step(ref, 'PLANNED', now, null)
        database.promise({ kind: 'intent', ref, fact: `PLANNED ${idempotencyKey}` })
        return find(ref)
      })
    },
    move: (ref, to, changes = {}, note) =>
      write(ref, changes, ({ state }, now) => {
        if (!intentTransitions[state].includes(to)) throw new Error(`An intent does not go from ${state} to ${to}: ${ref}`)
        database.run('UPDATE intents SET state = ? WHERE ref = ?', to, ref)
        step(ref, to, now, note ?? null)
        database.promise({ kind: 'intent', ref, fact: to })
      }),
    remark: (ref, note, changes) => write(ref, changes, ({ state }, now) => step(ref, state, now, note)),
    update: (ref, changes) => write(ref, changes, () => {}),
    get: (ref) => readOne(database.get('SELECT * FROM intents WHERE ref = ?', ref)),
    byIntentId: (profileId, intentId) =>
      readOne(database.get('SELECT * FROM intents WHERE profile_id = ? AND intent_id = ? ORDER BY created_at_ms DESC LIMIT 1', profileId, intentId)),
    list(profileId, { wallet, beforeMs, limit, action }) {
      const where = `profile_id = ?${wallet === null ? '' : ' AND wallet = ?'}${action === undefined ? '' : ' AND action = ?'}`
      const scope = [profileId, wallet, action].filter((part) => part !== null && part !== undefined)
      const before = beforeMs ?? Number.MAX_SAFE_INTEGER
      const rows = database.all(
        `SELECT * FROM intents WHERE ${where} AND created_at_ms < ? ORDER BY created_at_ms DESC, rowid DESC LIMIT ?`,
        ...scope,
        before,
        limit,
      )
      return { intents: unread.each(rows, 'ref', readIntent), total: totalOf(where, scope) }
    },
    open(profileId) {
      const rows = database.all(
        `SELECT * FROM intents INDEXED BY intents_open WHERE profile_id = ? AND state NOT IN (${closedStates}) ORDER BY created_at_ms`,
        profileId,
      )
      return unread.each(rows, 'ref', readIntent)
    },
    timeline(ref) {
      const rows = database.all('SELECT ref, state, at_ms, note FROM intent_steps WHERE ref = ? ORDER BY seq', ref)
      return unread.each(rows, 'ref', (row) => ({
        state: oneOf(row, 'state', IntentState.options),
        atMs: integer(row, 'at_ms'),
        note: row.note === null ? null : readNote(text(row, 'note')),
      }))
    },
  }
}

const readColumns = createRowReader({
  ref: text,
  profileId: text,
  wallet: text,
  action: text,
  title: (row, column) => readTitle(text(row, column)),
  pairId: integerOrNull,
  symbol: textOrNull,
  side: orNull((row, column) => oneOf(row, column, sides)),
  idempotencyKey: text,
  clientOrderId: textOrNull,
  body: text,
  ticket: json,
  state: (row, column) => oneOf(row, column, IntentState.options),
  intentId: textOrNull,
  reason: reasonOrNull,
  txHash: textOrNull,
  confirmations: integerOrNull,
  finality: textOrNull,
  deadlineMs: integerOrNull,
  typedData: textOrNull,
  prepared: textOrNull,
  way: orNull((row, column) => oneOf(row, column, ExecutionMethod.options)),
  commandId: textOrNull,
  topic: textOrNull,
  walletRequestId: textOrNull,
  blockNumber: integerOrNull,
  createdAtMs: integer,
  updatedAtMs: integer,
})

function readIntent(row: Row): IntentRow {
  const intent = readColumns(row)
  // The app stores a signature before the state becomes SIGNED, and changes the state before it sends the signature. The signature of an intent in
  // the state SIGNED is therefore unsent.
  return { ...intent, unsentSignature: intent.state === 'SIGNED' }
}

/** Reads an intent’s title, which is stored as a code with facts. Earlier versions stored the title’s text instead. */
const readTitle = (written: string): Title => readRecord(Title, written) ?? { code: 'as_written', text: written }

export function createTransactionLog(database: Database, clock: Clock): TransactionLog {
  return {
    plan: (ref, transactions) =>
      database.transaction(() => {
        for (const [position, { from: fromAddress, to: toAddress, kind, data, value, deadlineMs }] of transactions.entries())
          insertRow(database, 'intent_transactions', {
            ...{ ref, position, kind, fromAddress, toAddress, data, value, deadlineMs, state: 'waiting', updatedAtMs: clock.now() },
          })
      }),
    change(ref, position, change) {
      const { set, values } = assignments(changeableOfTransaction, change)
      database.transaction(() => {
        database.run(`UPDATE intent_transactions SET updated_at_ms = ?${set} WHERE ref = ? AND position = ?`, clock.now(), ...values, ref, position)
        const subject = { kind: 'transaction', ref: `${ref} ${position}` } as const
        if (change.state !== undefined) database.promise({ ...subject, fact: change.state })
        if (change.nonce !== undefined) database.promise({ ...subject, fact: `nonce ${change.nonce ?? 'none'}` })
      })
    },
    of: (ref) => database.all('SELECT * FROM intent_transactions WHERE ref = ? ORDER BY position', ref).map(readTransaction),
    open: (profileId) =>
      database
        .all(
          `SELECT DISTINCT t.ref FROM intent_transactions t INDEXED BY intent_transactions_open JOIN intents i ON i.ref = t.ref
           WHERE i.profile_id = ? AND (t.state IN ('asked', 'submitted', 'confirming', 'unknown') OR t.receipt = 'due')`,
          profileId,
        )
        .map((row) => text(row, 'ref')),
  }
}

/**
 * Returns a column's value if it is one of `values`, else `otherwise`. Never throws: one damaged field must not hide an intent whose transaction may
 * still be pending.
 */
const knownOr =
  <T extends string, Else>(values: readonly T[], otherwise: Else) =>
  (row: Row, column: string): T | Else =>
    values.find((value) => value === row[column]) ?? otherwise

const readTransaction = createRowReader({
  ref: text,
  position: integer,
  kind: textOrNull,
  from: (row) => text(row, 'from_address'),
  to: (row) => text(row, 'to_address'),
  data: text,
  value: text,
  deadlineMs: integerOrNull,
  state: knownOr(TransactionState.options, 'unknown' as const),
  txHash: textOrNull,
  confirmations: integerOrNull,
  reason: reasonOrNull,
  topic: textOrNull,
  walletRequestId: textOrNull,
  blockNumber: integerOrNull,
  nonce: integerOrNull,
  askedAtMs: integerOrNull,
  receipt: knownOr(ReceiptState.options, null),
  updatedAtMs: integer,
})
