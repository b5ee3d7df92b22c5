import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { readNote, readOperationNote, readReason } from '../records/written-reasons.ts'
import type { JournalTrouble } from './journal.ts'
import { migrations } from './migrations.ts'

export interface Connection {
  statement(sql: string): StatementSync
  exec(sql: string): void
  inTransaction(): boolean
  close(): void
}

export function connect(database: DatabaseSync): Connection {
  const statements = new Map<string, StatementSync>()
  return {
    statement(sql) {
      const known = statements.get(sql)
      if (known) return known
      const prepared = database.prepare(sql)
      statements.set(sql, prepared)
      return prepared
    },
    exec: (sql) => database.exec(sql),
    inTransaction: () => database.isTransaction,
    close: () => database.close(),
  }
}

export function openMemory(): DatabaseSync {
  const database = new DatabaseSync(':memory:')
  migrate(database, 0)
  return database
}

/** Runs the migrations that the database still lacks. `done` is the number of migrations that have already run. */
export function migrate(database: DatabaseSync, done: number, until = migrations.length): void {
  database.function('written_reason', { deterministic: true }, (text) => JSON.stringify(readReason(String(text))))
  database.function('written_note', { deterministic: true }, (text) => JSON.stringify(readNote(String(text))))
  database.function('written_operation_note', { deterministic: true }, (text) => readOperationNote(String(text)))
  for (const [index, migration] of migrations.slice(0, until).entries())
    if (index >= done) database.exec(`BEGIN IMMEDIATE; ${migration}; PRAGMA user_version = ${index + 1}; COMMIT;`)
}

const schemas = new Map<number, string>()

function schemaOf(database: DatabaseSync): string {
  const names = database.prepare(
    `SELECT m.type || ' ' || m.name || ' ' || coalesce(c.name, '') AS name FROM sqlite_schema m LEFT JOIN pragma_table_info(m.name) c
     WHERE m.name NOT LIKE 'sqlite_%' ORDER BY 1`,
  )
  return names
    .all()
    .map(({ name }) => name)
    .join('\n')
}

function schemaAfter(version: number): string {
  const known = schemas.get(version)
  if (known !== undefined) return known
  const database = new DatabaseSync(':memory:')
  migrate(database, 0, version)
  const schema = schemaOf(database)
  database.close()
  schemas.set(version, schema)
  return schema
}

/**
 * Returns how many migrations a database has had: the number in its header, if its tables match that number. Otherwise, the header may be
 * damaged, or a newer app may have written the database. To find out, compares the tables with each known version. `marked` is the number that
 * the mark file (the summary of what the journal must contain) gives.
 */
export function versionOf(database: DatabaseSync, marked: number | null): number | 'newer' | 'damaged' {
  const said = Number(database.prepare('PRAGMA user_version').get()?.user_version ?? 0)
  const schema = schemaOf(database)
  const isNewer = said > migrations.length
  if (said >= 0 && !isNewer && schemaAfter(said) === schema) return said
  if (isNewer && (marked === null || marked > migrations.length)) return 'newer'
  for (let version = migrations.length; version > 0; version -= 1) if (schemaAfter(version) === schema) return version
  return isNewer ? 'newer' : 'damaged'
}

const sqliteErrors = { perm: 3, busy: 5, locked: 6, readOnly: 8, io: 10, full: 13, cannotOpen: 14 } as const
const corrupt: readonly number[] = [11, 26]
const noSpace = new Set(['ENOSPC', 'EDQUOT', 'EFBIG', 'EIO'])

/** Returns why a file refuses writes. `damaged`: the file is corrupt. `taken`: another process has it open. `null`: the error has another cause. */
export function troubleOf(error: unknown): JournalTrouble | 'damaged' | 'taken' | null {
  const code = codeOf(error)
  if (code === sqliteErrors.busy || code === sqliteErrors.locked) return 'taken'
  if (code === sqliteErrors.full || code === sqliteErrors.io) return 'no_space'
  if (code === sqliteErrors.readOnly || code === sqliteErrors.cannotOpen || code === sqliteErrors.perm) return 'read_only'
  if (code !== null && corrupt.includes(code)) return 'damaged'
  // This error comes from the file system, before SQLite opened the file.
  if (error instanceof Error && 'syscall' in error && 'code' in error) return noSpace.has(String(error.code)) ? 'no_space' : 'read_only'
  return null
}

/** Returns SQLite's primary result code: the low byte of its extended result code. `null` if the error does not come from SQLite. */
function codeOf(error: unknown): number | null {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode & 0xff : null
}

/** Replaces the content of `to` by the content of `from`, table by table, in one transaction. Returns `partial` if some tables could not be read. */
export function copyRows(from: Connection, to: Connection): 'whole' | 'partial' {
  let read: 'whole' | 'partial' = 'whole'
  to.exec('BEGIN IMMEDIATE')
  try {
    for (const name of tablesOf(to)) {
      const rows = readTable(from, name)
      if (rows === null) read = 'partial'
      to.statement(`DELETE FROM "${name}"`).run()
      for (const row of rows ?? []) insert(to, 'INSERT', name, row)
    }
    to.exec('COMMIT')
    return read
  } catch (error) {
    if (to.inTransaction()) to.exec('ROLLBACK')
    throw error
  }
}

/** Copies the readable rows of `from` into `to`, in the columns that exist in both databases. */
export function copyReadable(from: DatabaseSync, to: DatabaseSync): void {
  const [source, target] = [connect(from), connect(to)]
  for (const name of tablesOf(target)) {
    const columns = target
      .statement(`SELECT name FROM pragma_table_info('${name}')`)
      .all()
      .map((row) => String(row.name))
    for (const row of readTable(source, name) ?? []) {
      const shared = Object.fromEntries(Object.entries(row).filter(([column]) => columns.includes(column)))
      try {
        insert(target, 'INSERT OR IGNORE', name, shared)
      } catch {
        // Skip a row that the database refuses. This app cannot have written such a row.
      }
    }
  }
}

const tablesOf = (database: Connection): string[] =>
  database
    .statement("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .all()
    .map(({ name }) => String(name))

type Rows = ReturnType<ReturnType<Connection['statement']>['all']>

function insert(to: Connection, how: 'INSERT' | 'INSERT OR IGNORE', table: string, row: Rows[number]): void {
  const columns = Object.keys(row)
  to.statement(`${how} INTO "${table}" (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`).run(...Object.values(row))
}

function readTable(from: Connection, name: string): Rows | null {
  try {
    return from.statement(`SELECT * FROM "${name}"`).all()
  } catch {
    return null
  }
}
