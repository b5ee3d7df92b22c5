import { existsSync } from 'node:fs'
import type { DatabaseSync, SQLInputValue, SQLOutputValue } from 'node:sqlite'
import { type Clock, second } from '../../../shared/time.ts'
import { type Connection, connect, copyRows, openMemory, troubleOf } from './connection.ts'
import type { JournalTrouble } from './journal.ts'
import { type Chain, emptyChain, follow, markFile, openMark, type Promised } from './mark.ts'
import { migrations } from './migrations.ts'
import { openFile, readInto, sayMarked, stampToClose } from './open-file.ts'
import { mayBeOutside, promiseAgain } from './promises.ts'

export type Row = Record<string, SQLOutputValue>

/**
 * One SQLite file that always accepts writes. If the disk is full, the app moves the content to memory, and back as soon as the file accepts writes.
 * An acknowledged write is lost only if the app ends while the disk is still full.
 */
export interface Database {
  /** Runs a statement. When it returns, the write is on disk, unless `trouble()` returns a reason why it is not. */
  run(sql: string, ...values: SQLInputValue[]): void
  get(sql: string, ...values: SQLInputValue[]): Row | undefined
  all(sql: string, ...values: SQLInputValue[]): Row[]
  /** Runs either all steps or none. If the disk is full, the steps run again in memory, so they may only use the database. */
  transaction<T>(steps: () => T): T
  /**
   * Records, within a transaction, a fact that must stay in the database (a “promise”), such as an intent's state. When the transaction returns,
   * the mark file (`<name>.mark`) covers the fact too. If the fact is missing later, the app detects the loss.
   */
  promise(promised: Promised): void
  /**
   * Returns why writes go only to memory, where they are lost when the app ends; `null` if writes go to the disk. Each call first tries to write to
   * the file again, so that the app returns to the disk even if it writes nothing.
   */
  trouble(): JournalTrouble | null
  /**
   * The path to which the app moved the damaged file, or a copy of a file with lost entries, when it opened the database; null if nothing was lost.
   */
  readonly setAside: string | null
  /** IDs of rows that the app could not read when it opened the database. */
  readonly unreadable: readonly string[]
  /**
   * Accepts the current content as complete, although entries are missing that the mark file says must exist. Also removes the mark file’s note of a
   * clean close. Call it once: after the app has recorded a loss, and before any other write.
   */
  settle(): void
  close(): void
}

const returnEveryMs = 5 * second

/**
 * Opens or creates the database (WAL, `synchronous=FULL`, exclusive) and its mark file, which shows whether entries were lost. A corrupt database is
 * never deleted, but renamed to `<name>.corrupt-<time>.db`. If the database refuses writes, its content is read into memory. Throws `journal: taken`
 * if another process has the database open.
 */
export function openDatabase(file: string, clock: Clock): Database {
  const isNew = !existsSync(file) && !existsSync(markFile(file))
  const opened = openFile(file, clock.now())
  let fileDatabase: DatabaseSync | null = typeof opened === 'string' ? null : opened.database
  let home = fileDatabase === null ? null : connect(fileDatabase)
  const mark = openMark(markFile(file))
  let chain: Chain = typeof opened === 'string' ? emptyChain : opened.holding.chain
  let pending: Promised[] = []
  /** True if the mark file, the summary of what the database must contain, is older than the database and must be updated. */
  let isBehind = false
  let why: JournalTrouble | null = typeof opened === 'string' ? opened : null
  let current = home ?? connect(readToMemory(file, isNew))
  let nextReturnAt = clock.monotonic() + returnEveryMs
  /** When the app last checked the whole file, if this run found nothing wrong with it and has never left it. */
  let checkedAtMs = typeof opened === 'string' ? null : opened.checkedAtMs
  /**
   * True if the file contains rows that could not be read into memory. Such a file stays unchanged, so that the next start can examine it.
   */
  let partial = home === null && !isNew
  if (partial) chain = { ...emptyChain, count: Number(current.statement('SELECT max(seq) AS last FROM promises').get()?.last ?? 0) }

  const leaveFile = (trouble: JournalTrouble) => {
    if (current !== home) return
    const memory = connect(openMemory())
    partial = copyRows(home, memory) === 'partial'
    current = memory
    why = trouble
    checkedAtMs = null
    nextReturnAt = clock.monotonic() + returnEveryMs
  }

  const writeMark = () => {
    isBehind = true
    try {
      mark.write({ ...chain, version: migrations.length, clean: null })
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

  /**
   * Updates the mark file, the summary of what the database must contain. Always write the database first: if the app crashes in between, the
   * database then contains more than the summary requires, which does not count as a loss.
   */
  const acknowledge = () => {
    if (pending.length === 0) return
    chain = pending.reduce(follow, chain)
    if (current !== home) return
    writeMark()
    // Move the write-ahead log into the main file now. A copy of only the main file then contains every request that may have left the app.
    if (pending.some(({ fact }) => mayBeOutside(fact))) checkpoint(home)
  }

  /** Notes in the mark file that the journal was closed cleanly. Without this note, the next start checks the whole file. */
  const noteCleanClose = () => {
    if (current !== home || isBehind || checkedAtMs === null) return
    try {
      const stamp = stampToClose(home, file)
      if (stamp !== null) mark.write({ ...chain, version: migrations.length, clean: { checkedAtMs, stamp } })
    } catch {
      // Without the note, the next start checks the whole file. The close itself must not fail.
    }
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
          // After some errors, SQLite has already rolled back the transaction.
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
      if (opened.setAside !== null) chain = promiseAgain(fileDatabase)
      writeMark()
      if (!isBehind) sayMarked(fileDatabase)
    },
    close() {
      noteCleanClose()
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

/** Runs a checkpoint. A failed checkpoint does no harm, because the write-ahead log still contains every commit. */
function checkpoint(home: Connection): void {
  try {
    home.exec('PRAGMA wal_checkpoint(PASSIVE)')
  } catch (error) {
    if (writeTrouble(error) === null) throw error
  }
}

/**
 * Returns why a write failed; null if the disk was not the cause. Treats a file that became corrupt while in use like a full disk, so that the app
 * stops using the file.
 */
function writeTrouble(error: unknown): JournalTrouble | null {
  const trouble = troubleOf(error)
  return trouble === 'damaged' ? 'no_space' : trouble === 'taken' ? null : trouble
}
