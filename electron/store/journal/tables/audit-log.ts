import { type AuditFilter, AuditKind } from '../../../../shared/ipc/reads/audit.ts'
import { auditDetailText, auditTitle } from '../../../../shared/text/audit-text.ts'
import { integer, integerOrNull, oneOf, text, textOrNull, type Unread } from '../columns.ts'
import type { Database, Row } from '../database.ts'
import type { AuditLog, AuditLogRow, AuditScope } from '../journal.ts'

/** How many audit rows to keep per wallet. Rows of kind `call` have a lower limit than all others, because there are so many of them. */
const keptCalls = 5_000
const keptOthers = 20_000
const tidyEvery = 1_000

const sources = ['service', 'app'] as const
const outcomes = ['done', 'failed', 'unknown', 'waiting'] as const
const origins = ['here', 'elsewhere', 'unclear'] as const

/** Joins all searchable parts of a row into one lower-case text. Instead of codes, uses the texts that the window shows. */
const searchText = (row: AuditLogRow): string =>
  [row.event, auditTitle(row), row.label, row.keyId, row.ip, row.requestId, auditDetailText(row)]
    .filter((part) => part !== null)
    .join('\n')
    .toLowerCase()

/**
 * Creates the audit log, which contains the service's rows and the app's own events. `flushRequests` writes requests that the request log has only
 * buffered.
 */
export function createAuditLog(database: Database, flushRequests: () => void, unread: Unread): AuditLog {
  let sinceTidy = 0

  const insert = ({ profileId, wallet }: AuditScope, row: AuditLogRow): void =>
    database.run(
      `INSERT INTO audit_rows (profile_id, wallet, id, source, at_ms, timed, kind, event, title, key_id, label, ip, request_id, outcome, detail, origin, search)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (profile_id, wallet, id) DO UPDATE SET
         title = excluded.title, key_id = excluded.key_id, label = excluded.label, request_id = coalesce(excluded.request_id, request_id),
         outcome = excluded.outcome, detail = excluded.detail, origin = coalesce(origin, excluded.origin), search = excluded.search`,
      profileId,
      wallet,
      row.id,
      row.source,
      row.atMs,
      row.timed ? 1 : 0,
      row.kind,
      row.event,
      row.title,
      row.keyId,
      row.label,
      row.ip,
      row.requestId,
      row.outcome,
      row.detail,
      row.origin,
      searchText(row),
    )

  const tidy = ({ profileId, wallet }: AuditScope): void => {
    for (const [condition, kept] of [
      ["kind = 'call'", keptCalls],
      ["kind <> 'call'", keptOthers],
    ] as const)
      database.run(
        `DELETE FROM audit_rows WHERE profile_id = ? AND wallet = ? AND ${condition} AND at_ms < (
           SELECT at_ms FROM audit_rows WHERE profile_id = ? AND wallet = ? AND ${condition} ORDER BY at_ms DESC, id DESC LIMIT 1 OFFSET ?)`,
        profileId,
        wallet,
        profileId,
        wallet,
        kept,
      )
  }

  const conditions = ({ profileId, wallet }: AuditScope, { keyId, source, kinds, ownCalls, text: wanted }: AuditFilter) => {
    const where = ['profile_id = ?', 'wallet = ?']
    const values: string[] = [profileId, wallet]
    const add = (condition: string, ...given: string[]) => {
      where.push(condition)
      values.push(...given)
    }
    if (keyId !== null) add('key_id = ?', keyId)
    if (source !== 'both') add('source = ?', source)
    if (kinds.length > 0) add(`kind IN (${kinds.map(() => '?').join(', ')})`, ...kinds)
    // Hide only the app's own calls. A call of unclear origin stays, because another program may have made it. `IS` also keeps rows whose origin
    // is NULL, which `=` would drop.
    if (!ownCalls) add('NOT (kind = ? AND origin IS ?)', 'call', 'here')
    if (wanted !== '') add('instr(search, ?) > 0', wanted.toLowerCase())
    return { where: where.join(' AND '), values }
  }

  const put: AuditLog['put'] = (scope, rows) =>
    database.transaction(() => {
      for (const row of rows) insert(scope, row)
      sinceTidy += rows.length
      if (sinceTidy < tidyEvery) return
      sinceTidy = 0
      tidy(scope)
    })

  return {
    put,
    replace: (scope, rows) =>
      database.transaction(() => {
        const scoped = [scope.profileId, scope.wallet] as const
        const known = new Map(
          database
            .all("SELECT id, origin FROM audit_rows WHERE profile_id = ? AND wallet = ? AND source = 'service'", ...scoped)
            .map((row) => [text(row, 'id'), origins.find((origin) => origin === row.origin) ?? null]),
        )
        const since = rows.reduce((oldest, { timed, atMs }) => (timed && atMs < oldest ? atMs : oldest), Number.MAX_SAFE_INTEGER)
        database.run("DELETE FROM audit_rows WHERE profile_id = ? AND wallet = ? AND source = 'service' AND (timed = 0 OR at_ms >= ?)", ...scoped, since)
        put(
          scope,
          rows.map((row) => ({ ...row, origin: known.get(row.id) ?? row.origin })),
        )
      }),
    has: ({ profileId, wallet }, id) =>
      database.get('SELECT 1 AS found FROM audit_rows WHERE profile_id = ? AND wallet = ? AND id = ?', profileId, wallet, id) !== undefined,
    list: (scope, filter, { offset, limit }) => {
      const { where, values } = conditions(scope, filter)
      // The index has the same order as this query, so SQLite stops reading once the page is full.
      const rows = database.all(
        `SELECT r.*, (SELECT other.id FROM audit_rows other INDEXED BY audit_rows_request
             WHERE other.profile_id = r.profile_id AND other.wallet = r.wallet AND other.request_id = r.request_id AND other.source <> r.source
             ORDER BY other.kind = 'call' LIMIT 1) AS matches
         FROM audit_rows r INDEXED BY audit_rows_recent WHERE ${where} ORDER BY at_ms DESC, id DESC LIMIT ? OFFSET ?`,
        ...values,
        limit,
        offset,
      )
      return unread.each(rows, 'id', readRow)
    },
    count: (scope, filter) => {
      const { where, values } = conditions(scope, filter)
      const row = database.get(`SELECT count(*) AS total FROM audit_rows WHERE ${where}`, ...values)
      return row === undefined ? 0 : integer(row, 'total')
    },
    madeHere: (profileId, requestId) => {
      flushRequests()
      return database.get('SELECT 1 AS found FROM requests WHERE profile_id = ? AND request_id = ? LIMIT 1', profileId, requestId) !== undefined
    },
    requestOf: (profileId, { endpoint, pathPart, fromMs, toMs }) => {
      flushRequests()
      const rows = database.all(
        'SELECT path, request_id FROM requests WHERE profile_id = ? AND endpoint = ? AND at_ms BETWEEN ? AND ? ORDER BY at_ms DESC',
        profileId,
        endpoint,
        fromMs,
        toMs,
      )
      const found = rows.find((row) => text(row, 'path').includes(pathPart))
      return found === undefined ? null : textOrNull(found, 'request_id')
    },
    requestsSinceMs: (profileId) => {
      flushRequests()
      const row = database.get('SELECT at_ms FROM requests WHERE profile_id = ? ORDER BY seq LIMIT 1', profileId)
      return row === undefined ? null : integerOrNull(row, 'at_ms')
    },
  }
}

function readRow(row: Row): AuditLogRow & { readonly matches: string | null } {
  return {
    id: text(row, 'id'),
    source: oneOf(row, 'source', sources),
    atMs: integer(row, 'at_ms'),
    timed: integer(row, 'timed') === 1,
    kind: oneOf(row, 'kind', AuditKind.options),
    event: text(row, 'event'),
    title: text(row, 'title'),
    keyId: textOrNull(row, 'key_id'),
    label: textOrNull(row, 'label'),
    ip: textOrNull(row, 'ip'),
    requestId: textOrNull(row, 'request_id'),
    outcome: row.outcome === null ? null : oneOf(row, 'outcome', outcomes),
    detail: textOrNull(row, 'detail'),
    origin: row.origin === null ? null : oneOf(row, 'origin', origins),
    matches: textOrNull(row, 'matches'),
  }
}
