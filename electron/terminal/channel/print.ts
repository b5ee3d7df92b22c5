import type { Answered, ListedKey } from './messages.ts'

/** The keys for people: one a line, in columns. */
export function keysText(keys: readonly ListedKey[]): string {
  const rows = keys.map(({ label, id, status, expiresAtMs, here, wallet }) => [
    plain(label),
    plain(id),
    status,
    expiresAtMs === null ? '—' : `until ${new Date(expiresAtMs).toISOString().slice(0, 10)}`,
    here ? 'here' : 'elsewhere',
    wallet ?? '—',
  ])
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows
    .map(
      (row) =>
        `${row
          .map((cell, column) => cell.padEnd(widths[column] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('')
}

/** For scripts. Times as ISO 8601 in UTC; null is unknown. */
export function answerJson(answered: Extract<Answered, { type: 'list' | 'done' }>): string {
  const key = ({ createdAtMs, expiresAtMs, ...rest }: ListedKey) => ({ ...rest, createdAt: iso(createdAtMs), expiresAt: iso(expiresAtMs) })
  const { profile } = answered
  const shown =
    answered.type === 'list' ? { profile, source: answered.source, keys: answered.keys.map(key) } : { profile, action: answered.action, key: key(answered.key) }
  return `${JSON.stringify(shown, null, 2)}\n`
}

const iso = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString())

/** Labels come from the service: nothing in them may steer the terminal. */
export const plain = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '\uFFFD')
