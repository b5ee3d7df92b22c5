import { randomBytes } from 'node:crypto'
import { basename } from 'node:path'
import { TransactionState } from '../../../../shared/ipc/intents/orders.ts'
import { ReceiptState } from '../../../../shared/ipc/intents/receipts.ts'
import type { Clock } from '../../../../shared/time.ts'
import { integer, integerOrNull, text, textOrNull } from '../columns.ts'
import { type Database, openDatabase, type Row } from '../database.ts'
import { type Journal, lostJournalMark, type TransactionChange, type TransactionLog, type TransactionRow, type Values } from '../journal.ts'
import { profileKept, profileRemoved } from '../promises.ts'
import { createUnread, type Unread } from '../unread.ts'
import { reasonOrNull, written } from '../written-reasons.ts'
import { createAuditLog } from './audit-log.ts'
import { createIntentLog } from './intent-log.ts'
import { createRequestLog } from './request-log.ts'
import { createSecretIndex, createSecretOperationLog } from './secret-operation-log.ts'

/** Sealed bytes by name, for the vault. */
export interface SealedRows {
  get(name: string): Uint8Array | null
  set(name: string, sealed: Uint8Array | null): void
  names(prefix: string): string[]
}

export interface SqliteJournal extends Journal {
  readonly sealed: SealedRows
  /** File name under which a corrupt journal was put away and not yet accepted; null otherwise. */
  setAside(): string | null
}

const diskProbe = 'journal.probe'
const diskProbeBytes = 4_096

/** Kept in the new file, so that the notice outlives a restart. */
const rebuiltMark = 'journal.rebuilt'
/** The ids of the entries that the user was told of. */
const unreadMark = 'journal.unread'

/**
 * Opens the journal at `file`. Throws `journal: taken` when another process has it. A corrupt file is set aside
 * and a new one begun (state `rebuilt`), and so it says where anything is missing of what it promised; where the disk takes nothing, or a newer
 * version of the app wrote the file, it lives in memory (state `memory_only`).
 */
export function openJournal({ file, clock }: { readonly file: string; readonly clock: Clock }): SqliteJournal {
  const database = openDatabase(file, clock)
  const unread = createUnread(database.unreadable)
  const values = createValues(database, unread)
  const requests = createRequestLog(database)
  if (database.setAside !== null) tellLoss(database, values, basename(database.setAside))
  else if (hasNewUnread(values, database.unreadable)) tellLoss(database, values, basename(file))
  database.settle()

  const setAside = () => values.get(rebuiltMark)
  return {
    intents: createIntentLog(database, clock, unread),
    transactions: createTransactionLog(database, clock),
    secretOperations: createSecretOperationLog(database, clock, unread),
    secretIndex: createSecretIndex(database, clock, 'secret_index'),
    webhookIndex: createSecretIndex(database, clock, 'webhook_secret_index'),
    requests,
    values,
    audit: createAuditLog(database, requests.flush, unread),
    sealed: createSealedRows(database),
    setAside,
    trouble: database.trouble,
    unreadable: unread.ids,
    state() {
      if (database.trouble() !== null) return 'memory_only'
      return setAside() === null ? 'ready' : 'rebuilt'
    },
    takesNewRisk() {
      if (setAside() !== null) return false
      // A disk that filled up shows only when written to: it is better found now than after something was sent.
      // Another value each time: SQLite writes nothing where nothing changed.
      values.set(diskProbe, randomBytes(diskProbeBytes).toString('hex'))
      return database.trouble() === null
    },
    acceptRebuilt: () => values.set(rebuiltMark, null),
    together: (work) => database.transaction(work),
    close() {
      requests.flush()
      database.close()
    },
  }
}

/** New risk is held until the user agrees, and the guard rails are to be set anew. */
function tellLoss(database: Database, values: Values, name: string): void {
  database.transaction(() => {
    values.set(rebuiltMark, name)
    values.set(lostJournalMark, name)
    values.set(unreadMark, JSON.stringify(database.unreadable))
  })
}

/** Whether there are entries that cannot be read, other than those that the user was told of. */
const hasNewUnread = (values: Values, unreadable: readonly string[]): boolean => unreadable.length > 0 && values.get(unreadMark) !== JSON.stringify(unreadable)

/** Nonces that were signed, by profile and wallet: they are promised, since none may be signed for another intent. */
const usedNonces = 'nonce/'
/** The user's profiles are promised too: one must not be gone without a word. What is in them may change. */
const profiles = 'profile/'

function createValues(database: Database, unread: Unread): Values {
  const put = (name: string, value: string) =>
    database.run('INSERT INTO "values" (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value', name, value)
  const remove = (name: string) => database.run('DELETE FROM "values" WHERE name = ?', name)
  return {
    get(name) {
      const row = database.get('SELECT value FROM "values" WHERE name = ?', name)
      return row === undefined ? null : text(row, 'value')
    },
    set(name, value) {
      unread.forget(name)
      if (name.startsWith(profiles))
        database.transaction(() => {
          if (value === null) remove(name)
          else put(name, value)
          database.promise({ kind: 'value', ref: name, fact: value === null ? profileRemoved : profileKept })
        })
      else if (value === null) remove(name)
      else if (name.startsWith(usedNonces))
        database.transaction(() => {
          put(name, value)
          database.promise({ kind: 'value', ref: name, fact: `used ${value}` })
        })
      else put(name, value)
    },
    withPrefix: (prefix) =>
      database
        .all('SELECT name, value FROM "values" WHERE substr(name, 1, ?) = ? ORDER BY name', prefix.length, prefix)
        .map((row) => ({ name: text(row, 'name'), value: text(row, 'value') })),
    cannotRead: unread.add,
  }
}

function createSealedRows(database: Database): SealedRows {
  return {
    get(name) {
      const sealed = database.get('SELECT sealed FROM vault WHERE name = ?', name)?.sealed
      return sealed instanceof Uint8Array ? sealed : null
    },
    set(name, sealed) {
      if (sealed === null) database.run('DELETE FROM vault WHERE name = ?', name)
      else database.run('INSERT INTO vault (name, sealed) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET sealed = excluded.sealed', name, sealed)
    },
    names: (prefix) => database.all('SELECT name FROM vault WHERE substr(name, 1, ?) = ? ORDER BY name', prefix.length, prefix).map((row) => text(row, 'name')),
  }
}

/** Column of each field that may change. */
const changeable = {
  state: 'state',
  txHash: 'tx_hash',
  confirmations: 'confirmations',
  reason: 'reason',
  topic: 'topic',
  walletRequestId: 'wallet_request_id',
  blockNumber: 'block_number',
  nonce: 'nonce',
  askedAtMs: 'asked_at_ms',
  receipt: 'receipt',
} as const satisfies Record<keyof TransactionChange, string>

function createTransactionLog(database: Database, clock: Clock): TransactionLog {
  const of = (ref: string): TransactionRow[] => database.all('SELECT * FROM intent_transactions WHERE ref = ? ORDER BY position', ref).map(readTransaction)

  return {
    plan: (ref, transactions) =>
      database.transaction(() => {
        for (const [position, { kind, from, to, data, value, deadlineMs }] of transactions.entries())
          database.run(
            `INSERT INTO intent_transactions (ref, position, kind, from_address, to_address, data, value, deadline_ms, state, updated_at_ms)
             VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'waiting', ?)`,
            ref,
            position,
            kind,
            from,
            to,
            data,
            value,
            deadlineMs,
            clock.now(),
          )
      }),
    change(ref, position, change) {
      const set: string[] = ['updated_at_ms = ?']
      const values: (string | number | null)[] = [clock.now()]
      for (const [field, column] of Object.entries(changeable)) {
        const value = change[field as keyof TransactionChange]
        if (value === undefined) continue
        set.push(`${column} = ?`)
        values.push(written(value))
      }
      database.transaction(() => {
        database.run(`UPDATE intent_transactions SET ${set.join(', ')} WHERE ref = ? AND position = ?`, ...values, ref, position)
        const subject = { kind: 'transaction', ref: `${ref} ${position}` } as const
        if (change.state !== undefined) database.promise({ ...subject, fact: change.state })
        if (change.nonce !== undefined) database.promise({ ...subject, fact: `nonce ${change.nonce ?? 'none'}` })
      })
    },
    of,
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

/** A damaged word of one transaction must not hide it from its intent: it may be under way. */
function knownOr<T extends string, Else>(row: Row, column: string, values: readonly T[], otherwise: Else): T | Else {
  return values.find((value) => value === row[column]) ?? otherwise
}

function readTransaction(row: Row): TransactionRow {
  return {
    ref: text(row, 'ref'),
    position: integer(row, 'position'),
    kind: textOrNull(row, 'kind'),
    from: text(row, 'from_address'),
    to: text(row, 'to_address'),
    data: text(row, 'data'),
    value: text(row, 'value'),
    deadlineMs: integerOrNull(row, 'deadline_ms'),
    state: knownOr(row, 'state', TransactionState.options, 'unknown'),
    txHash: textOrNull(row, 'tx_hash'),
    confirmations: integerOrNull(row, 'confirmations'),
    reason: reasonOrNull(row),
    topic: textOrNull(row, 'topic'),
    walletRequestId: textOrNull(row, 'wallet_request_id'),
    blockNumber: integerOrNull(row, 'block_number'),
    nonce: integerOrNull(row, 'nonce'),
    askedAtMs: integerOrNull(row, 'asked_at_ms'),
    receipt: knownOr(row, 'receipt', ReceiptState.options, null),
    updatedAtMs: integer(row, 'updated_at_ms'),
  }
}
