import type { RequestRecord } from '../../shared/ipc/orders.ts'
import { integer, integerOrNull, text, textOrNull } from './columns.ts'
import type { Database, Row } from './database.ts'
import type { RequestLog } from './journal.ts'

/** Requests kept per profile; those of intents stay as long as the journal. */
const kept = 5_000
const tidyEvery = 500

/**
 * Every exchange with the service. Reads come several a second and each row costs a sync to the disk, so rows that
 * belong to no intent are gathered and written together; reading writes them first.
 */
export interface BufferedRequestLog extends RequestLog {
  flush(): void
}

const mostBuffered = 32

export function createRequestLog(database: Database): BufferedRequestLog {
  const buffer: { profileId: string; record: RequestRecord; wallet: string | null }[] = []
  let sinceTidy = 0

  const insert = (profileId: string, record: RequestRecord, wallet: string | null) =>
    database.run(
      'INSERT INTO requests (profile_id, id, at_ms, method, path, endpoint, status, ms, request_id, outcome, attempt, intent_ref, wallet) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
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
      wallet,
    )

  const flush = () => {
    if (buffer.length === 0) return
    const rows = buffer.splice(0)
    database.transaction(() => {
      for (const { profileId, record, wallet } of rows) insert(profileId, record, wallet)
      sinceTidy += rows.length
      if (sinceTidy < tidyEvery) return
      sinceTidy = 0
      for (const profileId of new Set(rows.map((row) => row.profileId)))
        database.run(
          'DELETE FROM requests WHERE profile_id = ? AND intent_ref IS NULL AND seq <= (SELECT seq FROM requests WHERE profile_id = ? ORDER BY seq DESC LIMIT 1 OFFSET ?)',
          profileId,
          profileId,
          kept,
        )
    })
  }

  return {
    add(profileId, record, wallet = null) {
      buffer.push({ profileId, record, wallet })
      if (record.intentRef !== null || buffer.length >= mostBuffered) flush()
    },
    list(profileId, limit, of) {
      flush()
      // The relay takes no credential (Authentication 9): its requests are the intent's wallet's.
      const only = of === undefined ? '' : ' AND coalesce(wallet, (SELECT wallet FROM intents WHERE ref = intent_ref), ?) = ?'
      // Without a wallet only what is nobody's is left: no address is empty.
      const whose = of === undefined ? [] : [of.wallet ?? '', of.wallet ?? '']
      return database.all(`SELECT * FROM requests WHERE profile_id = ?${only} ORDER BY seq DESC LIMIT ?`, profileId, ...whose, limit).map(readRequest)
    },
    ofIntent(ref) {
      flush()
      return database.all('SELECT * FROM requests WHERE intent_ref = ? ORDER BY seq', ref).map(readRequest)
    },
    flush,
  }
}

function readRequest(row: Row): RequestRecord {
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
  }
}
