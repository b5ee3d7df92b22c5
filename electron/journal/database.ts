import { chmodSync, existsSync, mkdirSync, renameSync } from 'node:fs'
import { dirname, join, parse } from 'node:path'
import { DatabaseSync, type SQLInputValue, type SQLOutputValue, type StatementSync } from 'node:sqlite'
import { type Clock, second } from '../../shared/time.ts'
import { ExpectedFailure } from '../ipc/expected-failure.ts'
import { migrations } from './migrations.ts'

export type Row = Record<string, SQLOutputValue>

/** file: on disk. memory: the disk takes no more, or never did; what is written lasts as long as this run. */
export type Medium = 'file' | 'memory'

/**
 * One SQLite file that stays writable: when the disk is full its content goes on in memory, and back to the file as
 * soon as the file takes writes again. Nothing that was acknowledged before is lost by that.
 */
export interface Database {
  /** On disk when it returns, while `medium()` is `file`. */
  run(sql: string, ...values: SQLInputValue[]): void
  get(sql: string, ...values: SQLInputValue[]): Row | undefined
  all(sql: string, ...values: SQLInputValue[]): Row[]
  /** All of it or nothing. Runs the steps again in memory when the disk is full, so they may do nothing but use the database. */
  transaction<T>(steps: () => T): T
  /** Where it is now. Asking goes back to the file if that takes writes again, so that a quiet app leaves memory, too. */
  medium(): Medium
  /** Where a corrupt file was put when this one was opened; null when there was none. */
  readonly setAside: string | null
  close(): void
}

const sqlite = { busy: 5, locked: 6, corrupt: 11, notADatabase: 26 } as const
/** Codes that mean "the disk does not take it": FULL, IOERR, READONLY, CANTOPEN, and a file that broke while in use. */
const unwritable: readonly number[] = [13, 10, 8, 14, 11, 26]
const unmade = 14
/** `svc-desk` reads a closed app's file for a moment: an app that starts just then waits for it. */
const busyMs = 1_500
const returnEveryMs = 5 * second

/**
 * Opens or makes the file: WAL, `synchronous=FULL`, exclusive. A corrupt file is set aside as
 * `<name>.corrupt-<time>.db`, never deleted. Throws `journal: unavailable` when another process has it, or when a newer
 * version of the app wrote it.
 */
export function openDatabase(file: string, clock: Clock): Database {
  const { connection, setAside } = openFile(file, clock)
  let home: Connection | null = connection
  let current = home ?? openMemory()
  let nextReturnAt = clock.monotonic() + returnEveryMs
  /** A table of the file could not be read whole: the file stays as it is, for the next start to look at. */
  let partial = false

  /** Goes on in memory with everything that can be read of the file. */
  const leaveFile = () => {
    if (current !== home) return
    const memory = openMemory()
    if (home !== null) partial = copy(home, memory) === 'partial'
    current = memory
    nextReturnAt = clock.monotonic() + returnEveryMs
  }

  const returnToFile = () => {
    if (current === home || partial || clock.monotonic() < nextReturnAt) return
    nextReturnAt = clock.monotonic() + returnEveryMs
    try {
      home ??= openFile(file, clock).connection
      if (home === null) return
      copy(current, home)
      current.close()
      current = home
    } catch (error) {
      if (!isUnwritable(error)) throw error
    }
  }

  const write = <T>(work: () => T): T => {
    returnToFile()
    try {
      return work()
    } catch (error) {
      if (current !== home || !isUnwritable(error)) throw error
      leaveFile()
      return work()
    }
  }

  let depth = 0
  return {
    setAside,
    run(sql, ...values) {
      if (depth > 0) current.statement(sql).run(...values)
      else write(() => current.statement(sql).run(...values))
    },
    get: (sql, ...values) => current.statement(sql).get(...values),
    all: (sql, ...values) => current.statement(sql).all(...values),
    transaction(steps) {
      if (depth > 0) return steps()
      return write(() => {
        const on = current
        depth += 1
        on.exec('BEGIN IMMEDIATE')
        try {
          const result = steps()
          on.exec('COMMIT')
          return result
        } catch (error) {
          // SQLite may have rolled back by itself, after which there is nothing to roll back.
          if (on.inTransaction()) on.exec('ROLLBACK')
          throw error
        } finally {
          depth -= 1
        }
      })
    },
    medium() {
      if (depth === 0) returnToFile()
      return current === home ? 'file' : 'memory'
    },
    close() {
      if (current !== home) current.close()
      home?.close()
    },
  }
}

interface Connection {
  statement(sql: string): StatementSync
  exec(sql: string): void
  inTransaction(): boolean
  close(): void
}

function connect(database: DatabaseSync): Connection {
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

function openMemory(): Connection {
  const database = new DatabaseSync(':memory:')
  migrate(database)
  return connect(database)
}

/** `connection` is null where the disk does not even take the file. */
function openFile(file: string, clock: Clock): { connection: Connection | null; setAside: string | null } {
  const first = tryOpen(file)
  if (first !== 'corrupt') return { connection: first, setAside: null }
  const setAside = putAside(file, clock.now())
  const second = tryOpen(file)
  return { connection: second === 'corrupt' ? null : second, setAside }
}

function tryOpen(file: string): Connection | null | 'corrupt' {
  let database: DatabaseSync | null = null
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    database = new DatabaseSync(file, { timeout: busyMs })
    // Exclusive before WAL: the index of the log then lives in this process, and no other can open the file.
    database.exec(
      'PRAGMA locking_mode=EXCLUSIVE; PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA trusted_schema=OFF; PRAGMA secure_delete=ON; BEGIN IMMEDIATE; COMMIT;',
    )
    for (const suffix of ['', '-wal']) if (existsSync(file + suffix)) chmodSync(file + suffix, 0o600)
    const check = database.prepare('PRAGMA quick_check(1)').get()
    if (check?.quick_check !== 'ok') {
      database.close()
      return 'corrupt'
    }
    migrate(database)
    return connect(database)
  } catch (error) {
    const code = codeOf(error)
    if (database?.isOpen) database.close()
    if (error instanceof ExpectedFailure) throw error
    if (code === sqlite.corrupt || code === sqlite.notADatabase) return 'corrupt'
    if (code === sqlite.busy || code === sqlite.locked) throw new ExpectedFailure({ kind: 'journal', issue: 'unavailable' })
    if (isUnwritable(error)) return null
    throw error
  }
}

function migrate(database: DatabaseSync): void {
  const done = Number(database.prepare('PRAGMA user_version').get()?.user_version ?? 0)
  // A newer version of the app wrote it: its rows may mean something else here.
  if (done > migrations.length) throw new ExpectedFailure({ kind: 'journal', issue: 'unavailable' })
  for (const [index, migration] of migrations.entries()) {
    if (index < done) continue
    database.exec(`BEGIN IMMEDIATE; ${migration}; PRAGMA user_version = ${index + 1}; COMMIT;`)
  }
}

/** Moves the file and its log out of the way under one name; gives that name. */
function putAside(file: string, atMs: number): string {
  const { dir, name, ext } = parse(file)
  const stamp = new Date(atMs).toISOString().replace(/[:.]/g, '-')
  const target = join(dir, `${name}.corrupt-${stamp}${ext}`)
  for (const suffix of ['', '-wal', '-shm']) if (existsSync(file + suffix)) renameSync(file + suffix, target + suffix)
  return target
}

/** Replaces the content of `to` with that of `from`, table by table, in one transaction. partial: some could not be read. */
function copy(from: Connection, to: Connection): 'whole' | 'partial' {
  let read: 'whole' | 'partial' = 'whole'
  to.exec('BEGIN IMMEDIATE')
  try {
    for (const { name } of to.statement("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'").all()) {
      const rows = readTable(from, String(name))
      if (rows === null) read = 'partial'
      to.statement(`DELETE FROM "${name}"`).run()
      for (const row of rows ?? []) {
        const columns = Object.keys(row)
        to.statement(`INSERT INTO "${name}" (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`).run(...Object.values(row))
      }
    }
    to.exec('COMMIT')
    return read
  } catch (error) {
    if (to.inTransaction()) to.exec('ROLLBACK')
    throw error
  }
}

/** null: the file no longer gives the table. */
function readTable(from: Connection, name: string): Row[] | null {
  try {
    return from.statement(`SELECT * FROM "${name}"`).all()
  } catch (error) {
    if (isUnwritable(error)) return null
    throw error
  }
}

/** SQLite's primary result code; extended ones carry it in their low byte. */
function codeOf(error: unknown): number | null {
  if (!(error instanceof Error)) return null
  if ('errcode' in error && typeof error.errcode === 'number') return error.errcode & 0xff
  // From the file system, before SQLite was asked: a full or read-only disk, or a folder that cannot be made.
  return 'syscall' in error ? unmade : null
}

const isUnwritable = (error: unknown): boolean => {
  const code = codeOf(error)
  return code !== null && unwritable.includes(code)
}
