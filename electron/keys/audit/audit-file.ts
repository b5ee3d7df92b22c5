import { redactText, safeJson } from '../../../shared/api/redact.ts'
import { csvTable } from '../../../shared/csv.ts'
import type { AuditRow } from '../../../shared/ipc/reads/audit.ts'

const columns = ['time', 'source', 'kind', 'event', 'title', 'key id', 'label', 'address', 'request id', 'outcome', 'origin', 'detail'] as const

const time = (atMs: number | null): string => (atMs === null ? '' : new Date(atMs).toISOString())

const cells = (row: AuditRow): string[] => [
  time(row.atMs),
  row.source,
  row.kind,
  row.event,
  row.title,
  row.keyId ?? '',
  row.label ?? '',
  row.ip ?? '',
  row.requestId ?? '',
  row.outcome ?? '',
  row.origin ?? '',
  row.detail ?? '',
]

/** The rows as a file. Searched for secrets once more as a whole: the file leaves the app. */
export function auditFile(format: 'csv' | 'json', rows: readonly AuditRow[]): string {
  if (format === 'csv')
    return csvTable(
      columns,
      rows.map((row) => cells(row).map(redactText)),
    )
  return safeJson(rows.map((row) => ({ ...row, time: row.atMs === null ? null : time(row.atMs) })))
}
