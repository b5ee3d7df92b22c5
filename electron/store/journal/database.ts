import { existsSync } from 'node:fs'
import type { DatabaseSync, SQLInputValue, SQLOutputValue } from 'node:sqlite'
import { type Clock, second } from '../../../shared/time.ts'
import { type Connection, connect, openMemory, troubleOf } from './connection.ts'
import { copyRows } from './copy-rows.ts'
import type { JournalTrouble } from './journal.ts'
import { type Chain, emptyChain, follow, markFile, openMark, type Promised } from './mark.ts'
import { migrations } from './migrations.ts'
import { openFile, readInto, sayMarked } from './open-file.ts'
import { mayBeOutside, promiseAnew } from './promises.ts'

export type Row = Record<string, SQLOutputValue>

/**
 * One SQLite file that stays writable: when the disk is full its content goes on in memory, and back to the file as
 * soon as the file takes writes again. Nothing that was acknowledged before is lost by that.
 */
export interface Database {
  /** On disk when it returns, while `trouble()` is null. */
  run(sql: string, ...values: SQLInputValue[]): void
  get(sql: string, ...values: SQLInputValue[]): Row | undefined
  all(sql: string, ...values: SQLInputValue[]): Row[]
  /** All of it or nothing. Runs the steps again in memory when the disk is full, so they may do nothing but use the database. */
  transaction<T>(steps: () => T): T
  /** Writes down, within a transaction, that something holds from now on. The mark beside the file knows of it when the transaction returns. */
  promise(promised: Promised): void
  /**
   * Why what is written lasts only as long as this run; null: it is on disk. Asking goes back to the file if that takes writes again, so that a quiet
   * app leaves memory, too.
   */
  trouble(): JournalTrouble | null
  /** Where the damaged file, or a copy of one that lost something, was put when this one was opened; null when nothing was lost. */
  readonly setAside: string | null
  /** Ids of rows that this app could not read when it opened the file. */
  readonly unreadable: readonly string[]
  /** Takes what is there for what was promised. To be called once, after the loss was written down. */
  settle(): void
  close(): void
}

const returnEveryMs = 5 * second

/**
 * Opens or makes the file: WAL, `synchronous=FULL`, exclusive, and its mark. A corrupt file is set aside as
 * `<name>.corrupt-<time>.db`, never deleted. One that takes no writes is read into memory. Throws `journal: taken` when
 * another process has it.
 */
export function openDatabase(file: string, clock: Clock): Database {
  const isNew = !existsSync(file) && !existsSync(markFile(file))
  const opened = openFile(file, clock.now())
  let fileDatabase: DatabaseSync | null = typeof opened === 'string' ? null : opened.database
  let home = fileDatabase === null ? null : connect(fileDatabase)
  const mark = openMark(markFile(file))
  let chain: Chain = typeof opened === 'string' ? emptyChain : opened.holding.chain
  let pending: Promised[] = []
  /** The mark does not know of all that the file holds. */
  let isBehind = false
  let why: JournalTrouble | null = typeof opened === 'string' ? opened : null
  let current = home ?? connect(readToMemory(file, isNew))
  let nextReturnAt = clock.monotonic() + returnEveryMs
  /** The file holds what memory does not: it stays as it is, for the next start to look at. */
  let partial = home === null && !isNew
  if (partial) chain = { ...emptyChain, count: Number(current.statement('SELECT max(seq) AS last FROM promises').get()?.last ?? 0) }

  /** Goes on in memory with everything that can be read of the file. */
  const leaveFile = (trouble: JournalTrouble) => {
    if (current !== home) return
    const memory = connect(openMemory())
    partial = copyRows(home, memory) === 'partial'
    current = memory
    why = trouble
    nextReturnAt = clock.monotonic() + returnEveryMs
  }

  const writeMark = () => {
    isBehind = true
    try {
      mark.write({ ...chain, version: migrations.length })
      isBehind = false
    } catch (error) {
      why = writeTrouble(error) ?? 'no_space'
    }
  }

  const returnToFile = () => {
    if (current === home) {
      if (isBehind) writeMark()
      return
    }
    if (partial || clock.monotonic() < nextReturnAt) return
    nextReturnAt = clock.monotonic() + returnEveryMs
    try {
      if (home === null) {
        const again = openFile(file, clock.now())
        if (typeof again === 'string') return
        fileDatabase = again.database
        home = connect(fileDatabase)
      }
      copyRows(current, home)
      current.close()
      current = home
      writeMark()
    } catch (error) {
      if (writeTrouble(error) === null) throw error
    }
  }

  const write = <T>(work: () => T): T => {
    returnToFile()
    try {
      return work()
    } catch (error) {
      const trouble = writeTrouble(error)
      if (current !== home || trouble === null) throw error
      leaveFile(trouble)
      return work()
    }
  }

  /** The file first, then the mark: after a crash between the two the file holds more than was promised, which loses nothing. */
  const acknowledge = () => {
    if (pending.length === 0) return
    chain = pending.reduce(follow, chain)
    if (current !== home) return
    writeMark()
    // A copy of the main file alone holds what may be outside by now.
    if (pending.some(({ fact }) => mayBeOutside(fact))) checkpoint(home)
  }

  let depth = 0
  return {
    setAside: typeof opened === 'string' ? null : opened.setAside,
    unreadable: typeof opened === 'string' ? [] : opened.holding.unreadable,
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
        pending = []
        on.exec('BEGIN IMMEDIATE')
        try {
          const result = steps()
          on.exec('COMMIT')
          acknowledge()
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
    promise(promised) {
      if (depth === 0) throw new Error('A promise is made within a transaction')
      pending.push(promised)
      current
        .statement('INSERT INTO promises (seq, kind, ref, fact) VALUES (?, ?, ?, ?)')
        .run(chain.count + pending.length, promised.kind, promised.ref, promised.fact)
    },
    trouble() {
      if (depth === 0) returnToFile()
      return current === home && !isBehind ? null : why
    },
    settle() {
      if (fileDatabase === null || typeof opened === 'string') return
      if (opened.setAside !== null) chain = promiseAnew(fileDatabase)
      writeMark()
      if (!isBehind) sayMarked(fileDatabase)
    },
    close() {
      if (current !== home) current.close()
      home?.close()
      mark.close()
    },
  }
}

function readToMemory(file: string, isNew: boolean): DatabaseSync {
  const memory = openMemory()
  if (!isNew) readInto(file, memory)
  return memory
}

/** Not the worse for failing: what is committed is in the log. */
function checkpoint(home: Connection): void {
  try {
    home.exec('PRAGMA wal_checkpoint(PASSIVE)')
  } catch (error) {
    if (writeTrouble(error) === null) throw error
  }
}

/** null: not the disk's fault. A file that broke while in use is left too. */
function writeTrouble(error: unknown): JournalTrouble | null {
  const trouble = troubleOf(error)
  return trouble === 'damaged' ? 'no_space' : trouble === 'taken' ? null : trouble
}
