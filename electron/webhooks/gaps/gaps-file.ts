import { redactText, safeJson } from '../../../shared/api/redact.ts'
import { csvTable } from '../../../shared/csv.ts'
import type { GapRow } from '../../../shared/ipc/webhooks/gaps.ts'

const columns = {
  title: 'intent',
  symbol: 'market',
  side: 'side',
  size: 'size',
  unit: 'unit',
  txHash: 'transaction',
  orderId: 'order id',
  result: 'result',
  why: 'why not judged',
  by: 'found by',
  eventId: 'captured event',
  revokedId: 'taken back event',
  takesBackId: 'takes back',
} as const satisfies Partial<Record<keyof GapRow, string>>

const names = Object.keys(columns) as (keyof typeof columns)[]
const time = (atMs: number | null): string => (atMs === null ? '' : new Date(atMs).toISOString())

/** The check as a file. Searched for secrets once more: it leaves the app. */
export function gapsFile(format: 'csv' | 'json', rows: readonly GapRow[]): string {
  if (format === 'csv')
    return csvTable(
      ['time', 'event', ...names.map((name) => columns[name])],
      rows.map((row) => [time(row.atMs), row.types.join(' or '), ...names.map((name) => redactText(row[name] ?? ''))]),
    )
  const records = rows.map((row) => ({
    time: row.atMs === null ? null : time(row.atMs),
    types: row.types,
    ...Object.fromEntries(names.map((name) => [name, row[name]])),
  }))
  return safeJson(records)
}
