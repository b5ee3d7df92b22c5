import { csvTable } from '../../../shared/csv.ts'
import type { PanicRow } from '../../../shared/ipc/intents/kill-switch.ts'
import { bulkDetailText, secretLeftText } from '../../../shared/text/kill-switch-text.ts'

const columns = ['label', 'key id', 'outcome', 'request id', 'time', 'detail'] as const

/** The report as a table with commas; labels and details are the service's words. */
export const panicReport = (rows: readonly PanicRow[]): string =>
  csvTable(
    columns,
    rows.map(({ label, keyId, outcome, requestId, atMs, detail, leftInKeychain }) => [
      label,
      keyId,
      outcome,
      requestId ?? '',
      atMs === null ? '' : new Date(atMs).toISOString(),
      [bulkDetailText(detail), leftInKeychain ? secretLeftText : ''].filter((text) => text !== '').join(' '),
    ]),
  )
