import { endedAsMeant, streamOffCode, streamRoute } from '../../../../shared/api/reader/answer.ts'
import type { RequestRecord } from '../../../../shared/ipc/intents/orders.ts'
import { Exchange, type RequestFilter } from '../../../../shared/ipc/reads/requests.ts'
import { readRecord } from '../../records/record.ts'
import { integer, integerOrNull, text, textOrNull } from '../columns.ts'
import type { Database, Row } from '../database.ts'
import type { RequestLog } from '../journal.ts'

/** How many requests to keep per profile. The log never removes the requests of intents. */
const kept = 5_000
/** For how many changes and failed requests the log keeps the request and its answer on disk. */
const keptExchanges = 1_000
/**
 * For how many successful reads the log keeps the request and its answer. It keeps them only in memory, because there are several reads a second, and
 * they do not matter after the app closes.
 */
const heldReads = 200
const tidyEvery = 500

/**
 * Records every exchange with the service. There are several reads a second, and each write to disk takes time. The log therefore buffers the rows
 * without an intent and writes them together. It also writes them before it is read.
 */
export interface BufferedRequestLog extends RequestLog {
  flush(): void
}

const mostBuffered = 32

interface Buffered {
  readonly profileId: string
  readonly record: RequestRecord
  readonly wallet: string | null
  readonly callId: string
  /** The sent request and the answer as JSON, with secrets removed. */
  readonly exchange: string | null
}

const isPassing = (record: RequestRecord): boolean => record.method === 'GET' && endedAsMeant(record)

/**
 * SQL that selects the requests of a wallet. A request to the relay needs no credential (Authentication 9), so it belongs to the wallet of its
 * intent.
 */
const ofWallet = 'coalesce(wallet, (SELECT wallet FROM intents WHERE ref = intent_ref), ?) = ?'
/** The parameters for the SQL in `ofWallet`. No wallet has an empty address, so empty parameters match only requests that belong to no wallet. */
const whose = ({ wallet }: { readonly wallet: string | null }): [string, string] => [wallet ?? '', wallet ?? '']

/** SQL for failed requests. Must agree with the function `endedAsMeant`. */
const failed = `outcome <> 'ok' AND NOT (endpoint = '${streamRoute}' AND outcome = '${streamOffCode}')`

const searched =
  "lower(method || ' ' || path || ' ' || replace(outcome, '_', ' ') || ' ' || outcome || ' ' || coalesce(status, '') || ' ' || coalesce(request_id, '') || ' ' || id)"

export function createRequestLog(database: Database): BufferedRequestLog {
  const buffer: Buffered[] = []
  const held = new Map<string, () => Exchange>()
  let sinceTidy = 0

  const insert = ({ profileId, record, wallet, callId, exchange }: Buffered) => {
    database.run(
      'INSERT INTO requests (profile_id, id, at_ms, method, path, endpoint, status, ms, request_id, outcome, attempt, intent_ref, host, by_second, wallet, call_id) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
      profileId,
      record.id,
      record.atMs,
      record.method,
      record.path,
      record.endpoint,
      record.status,
      Math.round(record.ms),
      record.requestId,
      record.outcome,
      record.attempt,
      record.intentRef,
      record.host?.name ?? null,
      record.host?.second === true ? 1 : 0,
      wallet,
      callId,
    )
    if (exchange !== null) database.run('INSERT INTO exchanges (profile_id, id, exchange) VALUES (?, ?, ?)', profileId, record.id, exchange)
  }

  const tidy = (profileId: string) => {
    database.run(
      'DELETE FROM requests WHERE profile_id = ? AND intent_ref IS NULL AND seq <= (SELECT seq FROM requests WHERE profile_id = ? ORDER BY seq DESC LIMIT 1 OFFSET ?)',
      profileId,
      profileId,
      kept,
    )
    database.run(
      'DELETE FROM exchanges WHERE profile_id = ? AND (seq <= (SELECT seq FROM exchanges WHERE profile_id = ? ORDER BY seq DESC LIMIT 1 OFFSET ?) OR id NOT IN (SELECT id FROM requests WHERE profile_id = ?))',
      profileId,
      profileId,
      keptExchanges,
      profileId,
    )
  }

  const flush = () => {
    if (buffer.length === 0) return
    const rows = buffer.splice(0)
    database.transaction(() => {
      for (const row of rows) insert(row)
      sinceTidy += rows.length
      if (sinceTidy < tidyEvery) return
      sinceTidy = 0
      for (const profileId of new Set(rows.map((row) => row.profileId))) tidy(profileId)
    })
  }

  const hold = (name: string, exchange: () => Exchange) => {
    held.set(name, exchange)
    const [oldest] = held.keys()
    if (held.size > heldReads && oldest !== undefined) held.delete(oldest)
  }

  const exchangeOf = (profileId: string, id: string): Exchange | null => {
    const here = held.get(`${profileId}/${id}`)
    if (here !== undefined) return here()
    const row = database.get('SELECT exchange FROM exchanges WHERE profile_id = ? AND id = ?', profileId, id)
    return row === undefined ? null : readRecord(Exchange, text(row, 'exchange'))
  }

  return {
    add(profileId, record, wallet = null, note) {
      const passing = isPassing(record)
      const exchange = note?.exchange ?? null
      if (passing && exchange !== null) hold(`${profileId}/${record.id}`, exchange)
      buffer.push({
        profileId,
        record,
        wallet,
        callId: note?.callId ?? record.id,
        exchange: passing || exchange === null ? null : JSON.stringify(exchange()),
      })
      if (record.intentRef !== null || buffer.length >= mostBuffered) flush()
    },
    list(profileId, limit, of) {
      flush()
      const only = of === undefined ? '' : ` AND ${ofWallet}`
      const values = of === undefined ? [] : whose(of)
      return database.all(`SELECT * FROM requests WHERE profile_id = ?${only} ORDER BY seq DESC LIMIT ?`, profileId, ...values, limit).map(readRequest)
    },
    page(profileId, filter, { upTo, offset, limit }, of) {
      flush()
      const { where, values } = conditions(filter)
      const from = `FROM requests WHERE profile_id = ? AND ${ofWallet}${where}`
      const given = [profileId, ...whose(of), ...values]
      const newest = numberOf(database.get('SELECT coalesce(max(seq), 0) AS found FROM requests'))
      const mark = upTo ?? newest
      const rows = database.all(`SELECT * ${from} AND seq <= ? ORDER BY seq DESC LIMIT ? OFFSET ?`, ...given, mark, limit, offset)
      return {
        rows: rows.map(readRequest),
        total: numberOf(database.get(`SELECT count(*) AS found ${from} AND seq <= ?`, ...given, mark)),
        newest,
        newer: mark < newest ? numberOf(database.get(`SELECT count(*) AS found ${from} AND seq > ?`, ...given, mark)) : 0,
      }
    },
    find(profileId, id, of) {
      flush()
      const row = database.get(`SELECT * FROM requests WHERE profile_id = ? AND ${ofWallet} AND id = ? ORDER BY seq DESC LIMIT 1`, profileId, ...whose(of), id)
      if (row === undefined) return null
      const callId = textOrNull(row, 'call_id')
      const tries = callId === null ? [row] : database.all('SELECT * FROM requests WHERE profile_id = ? AND call_id = ? ORDER BY seq', profileId, callId)
      return { record: readRequest(row), tries: tries.map(readRequest), exchange: exchangeOf(profileId, id) }
    },
    ofIntent(ref) {
      flush()
      return database.all('SELECT * FROM requests WHERE intent_ref = ? ORDER BY seq', ref).map(readRequest)
    },
    flush,
  }
}

function conditions({ kind, status, text: wanted }: RequestFilter): { readonly where: string; readonly values: readonly string[] } {
  const where = [
    kind === 'changes' ? " AND method <> 'GET'" : kind === 'failures' ? ` AND ${failed}` : '',
    status === 'any' ? '' : status === 'none' ? ' AND status IS NULL' : ' AND status / 100 = CAST(? AS INTEGER)',
    wanted === '' ? '' : ` AND instr(${searched}, ?) > 0`,
  ]
  return { where: where.join(''), values: [...(status === 'any' || status === 'none' ? [] : [status]), ...(wanted === '' ? [] : [wanted.toLowerCase()])] }
}

const numberOf = (row: Row | undefined): number => (row === undefined ? 0 : integer(row, 'found'))

function readRequest(row: Row): RequestRecord {
  const host = textOrNull(row, 'host')
  return {
    id: text(row, 'id'),
    atMs: integer(row, 'at_ms'),
    method: text(row, 'method'),
    path: text(row, 'path'),
    endpoint: text(row, 'endpoint'),
    status: integerOrNull(row, 'status'),
    ms: integer(row, 'ms'),
    requestId: textOrNull(row, 'request_id'),
    outcome: text(row, 'outcome'),
    attempt: integer(row, 'attempt'),
    intentRef: textOrNull(row, 'intent_ref'),
    host: host === null ? null : { name: host, second: integer(row, 'by_second') === 1 },
  }
}
