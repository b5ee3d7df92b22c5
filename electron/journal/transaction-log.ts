import { TransactionState } from '../../shared/ipc/orders.ts'
import { ReceiptState } from '../../shared/ipc/receipts.ts'
import type { Clock } from '../../shared/time.ts'
import { integer, integerOrNull, oneOf, text, textOrNull } from './columns.ts'
import type { Database, Row } from './database.ts'
import type { TransactionChange, TransactionLog, TransactionRow } from './journal.ts'

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
      database.run(`UPDATE intent_transactions SET ${set.join(', ')} WHERE ref = ? AND position = ?`, ...values, ref, position)
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
    state: oneOf(row, 'state', TransactionState.options),
    txHash: textOrNull(row, 'tx_hash'),
    confirmations: integerOrNull(row, 'confirmations'),
    reason: textOrNull(row, 'reason'),
    topic: textOrNull(row, 'topic'),
    walletRequestId: textOrNull(row, 'wallet_request_id'),
    blockNumber: integerOrNull(row, 'block_number'),
    nonce: integerOrNull(row, 'nonce'),
    askedAtMs: integerOrNull(row, 'asked_at_ms'),
    receipt: row.receipt === null ? null : oneOf(row, 'receipt', ReceiptState.options),
    updatedAtMs: integer(row, 'updated_at_ms'),
  }
}
