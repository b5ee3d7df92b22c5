import { redactText, safeJson } from '../../../shared/api/redact.ts'
import { csvTable } from '../../../shared/csv.ts'
import type { HistoryRow } from '../../../shared/ipc/reads/account-history.ts'

const columns = {
  symbol: 'market',
  side: 'side',
  what: 'what',
  state: 'state',
  reason: 'reason',
  size: 'size',
  filledSize: 'filled size',
  entryPrice: 'entry price',
  price: 'price',
  valueUsdc: 'value usdc',
  feeUsdc: 'fee usdc',
  realisedPnlUsdc: 'realised usdc',
  fundingUsdc: 'funding usdc',
  role: 'role',
  tradeId: 'trade id',
  orderId: 'order id',
  positionId: 'position id',
  clientOrderId: 'client order id',
  intentId: 'intent id',
  txHash: 'transaction',
  keyLabel: 'key',
} as const satisfies Partial<Record<keyof HistoryRow, string>>

const names = Object.keys(columns) as (keyof typeof columns)[]
const time = (atMs: number | null): string => (atMs === null ? '' : new Date(atMs).toISOString())

/** Rows of one wallet as a file. What is not known is an empty cell, never 0. Searched for secrets once more: the file leaves the app. */
export function historyFile(format: 'csv' | 'json', wallet: string, rows: readonly HistoryRow[]): string {
  if (format === 'csv')
    return csvTable(
      ['time', 'wallet', ...names.map((name) => columns[name])],
      rows.map((row) => [time(row.atMs), wallet, ...names.map((name) => redactText(row[name] ?? ''))]),
    )
  const records = rows.map(({ unknownFields, intentRef: _, ...row }) => ({
    time: row.atMs === null ? null : time(row.atMs),
    wallet,
    ...row,
    other: unknownFields === null ? null : (JSON.parse(unknownFields) as unknown),
  }))
  return safeJson(records)
}
