import type { PanicRow } from '../../shared/ipc/panic.ts'

const columns = ['label', 'key id', 'outcome', 'request id', 'time', 'detail'] as const

/**
 * The report as a table with commas (RFC 4180). A cell that a spreadsheet would take for a formula begins with an apostrophe: labels and details are
 * the service's words.
 */
export function panicReport(rows: readonly PanicRow[]): string {
  const lines = rows.map(({ label, keyId, outcome, requestId, atMs, detail, leftInKeychain }) => [
    label,
    keyId,
    outcome,
    requestId ?? '',
    atMs === null ? '' : new Date(atMs).toISOString(),
    [detail ?? '', leftInKeychain ? 'Its secret is still in the keychain.' : ''].filter((text) => text !== '').join(' '),
  ])
  return `${[columns, ...lines].map((line) => line.map(cell).join(',')).join('\r\n')}\r\n`
}

const cell = (text: string): string => {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
