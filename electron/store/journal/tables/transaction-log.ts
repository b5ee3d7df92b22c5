import { TransactionState } from '../../../../shared/ipc/intents/orders.ts'
import { ReceiptState } from '../../../../shared/ipc/intents/receipts.ts'
import type { Clock } from '../../../../shared/time.ts'
import { integer, integerOrNull, text, textOrNull } from '../columns.ts'
import type { Database, Row } from '../database.ts'
import type { TransactionChange, TransactionLog, TransactionRow } from '../journal.ts'

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

export function createTransactionLog(database: Database, clock: Clock): TransactionLog {
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
        values.push(value)
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
    reason: textOrNull(row, 'reason'),
    topic: textOrNull(row, 'topic'),
    walletRequestId: textOrNull(row, 'wallet_request_id'),
    blockNumber: integerOrNull(row, 'block_number'),
    nonce: integerOrNull(row, 'nonce'),
    askedAtMs: integerOrNull(row, 'asked_at_ms'),
    receipt: knownOr(row, 'receipt', ReceiptState.options, null),
    updatedAtMs: integer(row, 'updated_at_ms'),
  }
}
