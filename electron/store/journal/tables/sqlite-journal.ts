import { randomBytes } from 'node:crypto'
import { basename } from 'node:path'
import type { Clock } from '../../../../shared/time.ts'
import { createRecords } from '../../records/access.ts'
import { type Raw, type RawRow, type RawValues, raw, type SealedRows, type SetAside } from '../../records/raw.ts'
import { families } from '../../records/registry.ts'
import { createUnread, integer, text, type Unread } from '../columns.ts'
import { type Database, openDatabase, type Row } from '../database.ts'
import type { Journal } from '../journal.ts'
import { type PortableJournal, readPortable } from '../portable.ts'
import { profileKept, profileRemoved } from '../promises.ts'
import { createAuditLog } from './audit-log.ts'
import { createIntentLog, createTransactionLog } from './intent-log.ts'
import { createRequestLog } from './request-log.ts'
import { createSecretIndex, createSecretOperationLog } from './secret-operation-log.ts'

export interface SqliteJournal extends Journal {
  readonly [raw]: Raw
  /**
   * Returns the file name of the corrupt journal that the app moved aside. `null` if there was no such journal, or after the user has accepted the
   * loss.
   */
  setAside(): string | null
  /** Returns the content of this journal that belongs into a backup. */
  portable(): PortableJournal
  /** Returns how many intents and operations with secrets are in each state, and how many rows each other table has. */
  counts(): Readonly<Record<'intents' | 'secretOperations' | 'rows', Readonly<Record<string, number>>>>
}

const diskProbe = families.journalProbe.name
const diskProbeBytes = 4_096

const { journalRebuilt, journalLost, journalUnread } = families

/**
 * Opens the journal at `file`. Throws `journal: taken` if another process has the file open.
 * State `rebuilt`: the file was corrupt, so the app moved it aside and created a new one. Also `rebuilt` if the separate `.mark` file shows that
 * entries are missing.
 * State `memory_only`: the disk refuses writes, or a newer version of the app wrote the file. The journal is then only in memory.
 */
export function openJournal({ file, clock }: { readonly file: string; readonly clock: Clock }): SqliteJournal {
  const database = openDatabase(file, clock)
  const unread = createUnread(database.unreadable)
  const values = createValues(database, unread)
  const requests = createRequestLog(database)
  if (database.setAside !== null) tellLoss(database, values, basename(database.setAside))
  else if (hasNewUnread(values, database.unreadable)) tellLoss(database, values, basename(file))
  database.settle()
  const rows: Raw = { values, sealed: createSealedRows(database, unread), setAside: createSetAside(database, values, unread, clock), report: unread.add }
  const records = createRecords(families, rows)

  const setAside = () => values.get(journalRebuilt.name)
  return {
    intents: createIntentLog(database, clock, unread),
    transactions: createTransactionLog(database, clock),
    secretOperations: createSecretOperationLog(database, clock, unread),
    secretIndex: createSecretIndex(database, clock, 'secret_index'),
    webhookIndex: createSecretIndex(database, clock, 'webhook_secret_index'),
    requests,
    records,
    [raw]: rows,
    audit: createAuditLog(database, requests.flush, unread),
    setAside,
    portable: () => {
      requests.flush()
      return readPortable(database)
    },
    counts: () => {
      requests.flush()
      const byState = (table: 'intents' | 'secret_operations') =>
        Object.fromEntries(
          database.all(`SELECT state, count(*) AS total FROM ${table} GROUP BY state ORDER BY state`).map((row) => [text(row, 'state'), integer(row, 'total')]),
        )
      const tables = ['requests', 'audit_rows', 'secret_index', 'webhook_secret_index', 'set_aside', 'vault'] as const
      const rows = Object.fromEntries(tables.map((table) => [table, Number(database.get(`SELECT count(*) AS total FROM ${table}`)?.total ?? 0)]))
      return { intents: byState('intents'), secretOperations: byState('secret_operations'), rows }
    },
    trouble: database.trouble,
    unreadable: () => {
      database.run('UPDATE set_aside SET told = 1 WHERE told = 0')
      return unread.ids()
    },
    state() {
      if (database.trouble() !== null) return 'memory_only'
      return setAside() === null ? 'ready' : 'rebuilt'
    },
    takesNewRisk() {
      if (setAside() !== null) return false
      // Only a write can show that the disk is full, and the app must know this before it sends any request. The app writes a new value each time,
      // because SQLite skips a write that changes nothing.
      values.set(diskProbe, randomBytes(diskProbeBytes).toString('hex'))
      return database.trouble() === null
    },
    acceptRebuilt: () => values.set(journalRebuilt.name, null),
    together: (work) => database.transaction(work),
    close() {
      requests.flush()
      database.close()
    },
  }
}

/**
 * Records that the journal lost entries. The record blocks new risk until the user accepts the loss. The user must then set the risk limits again.
 */
function tellLoss(database: Database, values: RawValues, name: string): void {
  database.transaction(() => {
    values.set(journalRebuilt.name, name)
    values.set(journalLost.name, name)
    values.set(journalUnread.name, JSON.stringify(database.unreadable))
  })
}

const hasNewUnread = (values: RawValues, unreadable: readonly string[]): boolean =>
  unreadable.length > 0 && values.get(journalUnread.name) !== JSON.stringify(unreadable)

/**
 * Prefix of the names of the records that store each signed nonce, by profile and wallet. The journal also lists these records in its table
 * `promises`. By that list it detects a lost record, so the app never signs the same nonce for a second intent.
 */
const usedNonces = 'nonce/'
/**
 * Prefix of the names of the records that store the user's profiles. The journal also lists these names in its table `promises`, to detect a lost
 * profile. The table doesn't store a profile's content, because the content may change.
 */
const profiles = 'profile/'

function createValues(database: Database, unread: Unread): RawValues {
  const put = (name: string, value: string, version: number) =>
    database.run(
      'INSERT INTO "values" (name, value, version) VALUES (?, ?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value, version = excluded.version',
      name,
      value,
      version,
    )
  const remove = (name: string) => database.run('DELETE FROM "values" WHERE name = ?', name)
  const row = (name: string): RawRow | null => {
    const found = database.get('SELECT name, value, version FROM "values" WHERE name = ?', name)
    return found === undefined ? null : readRow(found)
  }
  return {
    get: (name) => row(name)?.value ?? null,
    row,
    set(name, value, version = 1) {
      unread.forget(name)
      if (name.startsWith(profiles))
        database.transaction(() => {
          if (value === null) remove(name)
          else put(name, value, version)
          database.promise({ kind: 'value', ref: name, fact: value === null ? profileRemoved : profileKept })
        })
      else if (value === null) remove(name)
      else if (name.startsWith(usedNonces))
        database.transaction(() => {
          put(name, value, version)
          database.promise({ kind: 'value', ref: name, fact: `used ${value}` })
        })
      else put(name, value, version)
    },
    withPrefix: (prefix) =>
      database.all('SELECT name, value, version FROM "values" WHERE substr(name, 1, ?) = ? ORDER BY name', prefix.length, prefix).map(readRow),
  }
}

const readRow = (row: Row): RawRow => ({ name: text(row, 'name'), value: text(row, 'value'), version: integer(row, 'version') })

function createSealedRows(database: Database, unread: Unread): SealedRows {
  return {
    get(name) {
      const sealed = database.get('SELECT sealed FROM vault WHERE name = ?', name)?.sealed
      return sealed instanceof Uint8Array ? sealed : null
    },
    version: (name) => Number(database.get('SELECT version FROM vault WHERE name = ?', name)?.version ?? 1),
    set(name, sealed, version = 1) {
      unread.forget(name)
      if (sealed === null) database.run('DELETE FROM vault WHERE name = ?', name)
      else
        database.run(
          'INSERT INTO vault (name, sealed, version) VALUES (?, ?, ?) ON CONFLICT (name) DO UPDATE SET sealed = excluded.sealed, version = excluded.version',
          name,
          sealed,
          version,
        )
    },
    names: (prefix) => database.all('SELECT name FROM vault WHERE substr(name, 1, ?) = ? ORDER BY name', prefix.length, prefix).map((row) => text(row, 'name')),
  }
}

function createSetAside(database: Database, values: RawValues, unread: Unread, clock: Clock): SetAside {
  const newest = 'SELECT name, value, version FROM set_aside WHERE value IS NOT NULL AND seq IN (SELECT max(seq) FROM set_aside GROUP BY name)'
  // Unreadable records were moved to the table `set_aside`. Report those that the user hasn't seen yet (`told` = 0). A run without a window,
  // such as `svc-desk`, can't show the report; the next run with a window does.
  for (const row of database.all('SELECT name FROM set_aside WHERE told = 0')) unread.add(text(row, 'name'))
  return {
    move: (name) => {
      database.transaction(() => {
        database.run('INSERT INTO set_aside (name, version, value, at_ms) SELECT name, version, value, ? FROM "values" WHERE name = ?', clock.now(), name)
        database.run('INSERT INTO set_aside (name, version, sealed, at_ms) SELECT name, version, sealed, ? FROM vault WHERE name = ?', clock.now(), name)
        values.set(name, null)
        database.run('DELETE FROM vault WHERE name = ?', name)
      })
      unread.add(name)
    },
    has: (name) => database.get('SELECT 1 FROM set_aside WHERE name = ?', name) !== undefined,
    values: () => database.all(newest).map(readRow),
    putBack: (name) =>
      database.transaction(() => {
        const row = database.get(`${newest} AND name = ?`, name)
        if (row === undefined) return
        values.set(name, text(row, 'value'), integer(row, 'version'))
        database.run('DELETE FROM set_aside WHERE seq = (SELECT max(seq) FROM set_aside WHERE name = ?)', name)
      }),
  }
}
