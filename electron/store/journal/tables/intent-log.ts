import { ExecutionMethod, IntentState } from '../../../../shared/ipc/intents/orders.ts'
import type { StepNote } from '../../../../shared/ipc/intents/reasons.ts'
import { Title } from '../../../../shared/ipc/intents/titles.ts'
import type { Clock } from '../../../../shared/time.ts'
import { readNote, reasonOrNull, written } from '../../records/written-reasons.ts'
import { integer, integerOrNull, json, oneOf, text, textOrNull, type Unread } from '../columns.ts'
import type { Database, Row } from '../database.ts'
import type { IntentChange, IntentLog, IntentRow } from '../journal.ts'
import { intentTransitions, terminalIntentStates } from './states.ts'

/**
 * The terminal states, written into the SQL as literals so that SQLite can use the index of open intents. With parameters, SQLite would read every
 * intent, once a second. `INDEXED BY` makes the query fail if it cannot use the index.
 */
const closedStates = terminalIntentStates.map((state) => `'${state}'`).join(', ')
const sides = ['long', 'short'] as const

const changeable = {
  intentId: 'intent_id',
  reason: 'reason',
  txHash: 'tx_hash',
  confirmations: 'confirmations',
  finality: 'finality',
  deadlineMs: 'deadline_ms',
  typedData: 'typed_data',
  prepared: 'prepared',
  way: 'way',
  commandId: 'command_id',
  topic: 'topic',
  walletRequestId: 'wallet_request_id',
  blockNumber: 'block_number',
} as const satisfies Record<keyof IntentChange, string>

export function createIntentLog(database: Database, clock: Clock, unread: Unread): IntentLog {
  const find = (ref: string): IntentRow => {
    const row = database.get('SELECT * FROM intents WHERE ref = ?', ref)
    if (row === undefined) throw new Error(`No such intent: ${ref}`)
    return readIntent(row)
  }
  const step = (ref: string, state: IntentState, atMs: number, note: StepNote | null) =>
    database.run('INSERT INTO intent_steps (ref, state, at_ms, note) VALUES (?, ?, ?, ?)', ref, state, atMs, note === null ? null : JSON.stringify(note))

  /**
   * Sets the given fields; absent fields keep their value. `updated_at_ms` never decreases, even if the service's time is set back, because code
   * that follows an intent relies on increasing times.
   */
  const change = (ref: string, changes: IntentChange, atMs: number) => {
    const set: string[] = ['updated_at_ms = max(updated_at_ms, ?)']
    const values: (string | number | null)[] = [atMs]
    for (const [field, column] of Object.entries(changeable)) {
      const value = changes[field as keyof IntentChange]
      if (value === undefined) continue
      set.push(`${column} = ?`)
      values.push(written(value))
    }
    database.run(`UPDATE intents SET ${set.join(', ')} WHERE ref = ?`, ...values, ref)
  }

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
        database.run(
          `INSERT INTO intents (ref, profile_id, wallet, action, title, pair_id, symbol, side, idempotency_key, client_order_id, body, ticket, way, state, created_at_ms, updated_at_ms)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'PLANNED', ?, ?)`,
          intent.ref,
          intent.profileId,
          intent.wallet,
          intent.action,
          JSON.stringify(intent.title),
          intent.pairId,
          intent.symbol,
          intent.side,
          intent.idempotencyKey,
          intent.clientOrderId,
          intent.body,
          intent.ticket,
          intent.way ?? null,
          now,
          now,
        )
        step(intent.ref, 'PLANNED', now, null)
        database.promise({ kind: 'intent', ref: intent.ref, fact: `PLANNED ${intent.idempotencyKey}` })
        return find(intent.ref)
      })
    },
    move(ref, to, changes = {}, note) {
      const now = clock.now()
      return database.transaction(() => {
        const { state } = find(ref)
        if (!intentTransitions[state].includes(to)) throw new Error(`An intent does not go from ${state} to ${to}: ${ref}`)
        database.run('UPDATE intents SET state = ? WHERE ref = ?', to, ref)
        change(ref, changes, now)
        step(ref, to, now, note ?? null)
        database.promise({ kind: 'intent', ref, fact: to })
        return find(ref)
      })
    },
    remark(ref, note, changes) {
      const now = clock.now()
      return database.transaction(() => {
        const { state } = find(ref)
        change(ref, changes, now)
        step(ref, state, now, note)
        return find(ref)
      })
    },
    update(ref, changes) {
      return database.transaction(() => {
        find(ref)
        change(ref, changes, clock.now())
        return find(ref)
      })
    },
    get(ref) {
      const row = database.get('SELECT * FROM intents WHERE ref = ?', ref)
      return row === undefined ? null : unread.read(row, String(row.ref), readIntent)
    },
    byIntentId(profileId, intentId) {
      const row = database.get('SELECT * FROM intents WHERE profile_id = ? AND intent_id = ? ORDER BY created_at_ms DESC LIMIT 1', profileId, intentId)
      return row === undefined ? null : unread.read(row, String(row.ref), readIntent)
    },
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

function readIntent(row: Row): IntentRow {
  const state = oneOf(row, 'state', IntentState.options)
  return {
    ref: text(row, 'ref'),
    profileId: text(row, 'profile_id'),
    wallet: text(row, 'wallet'),
    action: text(row, 'action'),
    title: readTitle(text(row, 'title')),
    pairId: integerOrNull(row, 'pair_id'),
    symbol: textOrNull(row, 'symbol'),
    side: row.side === null ? null : oneOf(row, 'side', sides),
    idempotencyKey: text(row, 'idempotency_key'),
    clientOrderId: textOrNull(row, 'client_order_id'),
    body: text(row, 'body'),
    ticket: json(row, 'ticket'),
    state,
    intentId: textOrNull(row, 'intent_id'),
    reason: reasonOrNull(row),
    txHash: textOrNull(row, 'tx_hash'),
    confirmations: integerOrNull(row, 'confirmations'),
    finality: textOrNull(row, 'finality'),
    deadlineMs: integerOrNull(row, 'deadline_ms'),
    typedData: textOrNull(row, 'typed_data'),
    prepared: textOrNull(row, 'prepared'),
    way: row.way === null ? null : oneOf(row, 'way', ExecutionMethod.options),
    commandId: textOrNull(row, 'command_id'),
    topic: textOrNull(row, 'topic'),
    walletRequestId: textOrNull(row, 'wallet_request_id'),
    blockNumber: integerOrNull(row, 'block_number'),
    createdAtMs: integer(row, 'created_at_ms'),
    updatedAtMs: integer(row, 'updated_at_ms'),
    // The app stores a signature before the state becomes SIGNED, and changes the state before it sends the signature. The signature of an intent in
    // the state SIGNED is therefore unsent.
    unsentSignature: state === 'SIGNED',
  }
}

/** Reads an intent’s title, which is stored as a code with facts. Earlier versions stored the title’s text instead. */
function readTitle(written: string): Title {
  const read = Title.safeParse(readJson(written))
  return read.success ? read.data : { code: 'as_written', text: written }
}

function readJson(written: string): unknown {
  try {
    return JSON.parse(written)
  } catch {
    return null
  }
}
