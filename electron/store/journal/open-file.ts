import { accessSync, chmodSync, constants, copyFileSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, parse } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { ExpectedFailure } from '../../kernel/failures.ts'
import { migrate, troubleOf, versionOf } from './connection.ts'
import { copyReadable } from './copy-rows.ts'
import type { JournalTrouble } from './journal.ts'
import { type Marked, markFile, readMark } from './mark.ts'
import { migrations } from './migrations.ts'
import { type Holding, readHolding } from './promises.ts'

/** `svc-desk` reads a closed app's file for a moment: an app that starts just then waits for it. */
const busyMs = 1_500
/** "SvcD": this file is a journal of Svc Desk, and has a mark. */
const applicationId = 0x53766344

/** A file that takes writes. */
export interface OpenedFile {
  readonly database: DatabaseSync
  readonly holding: Holding
  /** Where the damaged file, or a copy of one that lost something, lies; null: nothing is lost. */
  readonly setAside: string | null
}

/**
 * Opens or makes the file, and compares it with its mark. A damaged one is put aside as `<name>.corrupt-<time>.db`, never deleted. Gives the cause where
 * the file takes no writes now. Throws `journal: taken` where another process has it.
 */
export function openFile(file: string, nowMs: number): OpenedFile | JournalTrouble {
  const aside = asideName(file, nowMs)
  let lost = false
  for (const attempt of ['first', 'anew'] as const) {
    const opened = tryOpen(file, lost)
    if (opened !== 'damaged') {
      if (typeof opened === 'string') return opened
      const whole = opened.holding.whole && !lost
      if (!whole && !lost) keepCopy(file, aside)
      return { ...opened, setAside: whole ? null : aside }
    }
    if (attempt === 'anew' || !putAside(file, aside)) return 'read_only'
    lost = true
  }
  return 'read_only'
}

/** Says in the file itself that it has a mark from now on. */
export function sayMarked(database: DatabaseSync): void {
  if (database.prepare('PRAGMA application_id').get()?.application_id !== applicationId) database.exec(`PRAGMA application_id = ${applicationId}`)
}

/** Copies what can be read of a file that cannot be written into `to`. */
export function readInto(file: string, to: DatabaseSync): void {
  let scratch: string | null = null
  let database: DatabaseSync | null = null
  try {
    // SQLite cannot read a write-ahead log where it may not write.
    scratch = mkdtempSync(join(tmpdir(), 'svc-desk-read-'))
    const copy = join(scratch, 'journal.db')
    copyAll(file, copy)
    database = new DatabaseSync(copy)
    copyReadable(database, to)
  } catch (error) {
    if (troubleOf(error) === null) throw error
  } finally {
    if (database?.isOpen) database.close()
    if (scratch !== null) rmSync(scratch, { recursive: true, force: true })
  }
}

function tryOpen(file: string, isLost: boolean): Omit<OpenedFile, 'setAside'> | JournalTrouble | 'damaged' {
  let database: DatabaseSync | null = null
  const given = (result: JournalTrouble | 'damaged') => {
    if (database?.isOpen) database.close()
    return result
  }
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    // SQLite calls a file that it may not write locked.
    for (const path of [dirname(file), file, `${file}-wal`]) if (existsSync(path)) accessSync(path, constants.W_OK)
    const marked = isLost ? null : readMark(markFile(file))
    database = new DatabaseSync(file, { timeout: busyMs })
    // Exclusive before WAL: the index of the log then lives in this process, and no other can open the file.
    database.exec(
      'PRAGMA locking_mode=EXCLUSIVE; PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA trusted_schema=OFF; PRAGMA secure_delete=ON; BEGIN IMMEDIATE; COMMIT;',
    )
    for (const suffix of ['', '-wal']) if (existsSync(file + suffix)) chmodSync(file + suffix, 0o600)
    if (!isSound(database)) {
      // An index is made again from its table.
      database.exec('REINDEX')
      if (!isSound(database)) return given('damaged')
    }
    const version = versionOf(database, marked?.version ?? null)
    if (version === 'newer' || version === 'damaged') return given(version)
    migrate(database, version)
    mendVersion(database)
    return { database, holding: holdingOf(database, marked) }
  } catch (error) {
    given('damaged')
    const trouble = troubleOf(error)
    if (trouble === 'taken') throw new ExpectedFailure({ kind: 'journal', issue: 'taken' })
    // Whatever else SQLite says of a file is about its content.
    return trouble ?? 'damaged'
  }
}

/** Not by the quick check: a damaged index would hide open intents. */
const isSound = (database: DatabaseSync): boolean => database.prepare('PRAGMA integrity_check(1)').get()?.integrity_check === 'ok'

/** Where a byte of the header was wrong it still is. */
function mendVersion(database: DatabaseSync): void {
  if (database.prepare('PRAGMA user_version').get()?.user_version !== migrations.length) database.exec(`PRAGMA user_version = ${migrations.length}`)
}

/** A file that says that it has a mark, and whose mark is gone or cannot be read, may have lost anything. */
function holdingOf(database: DatabaseSync, marked: Marked | null): Holding {
  const holding = readHolding(database, marked)
  const hadMark = database.prepare('PRAGMA application_id').get()?.application_id !== 0
  return marked === null && hadMark ? { ...holding, whole: false } : holding
}

function asideName(file: string, atMs: number): string {
  const { dir, name, ext } = parse(file)
  return join(dir, `${name}.corrupt-${new Date(atMs).toISOString().replace(/[:.]/g, '-')}${ext}`)
}

const parts = ['', '-wal', '-shm'] as const

/** Moves the file and its log out of the way. The mark stays: until the loss is written down it says that there was more. */
function putAside(file: string, aside: string): boolean {
  try {
    for (const suffix of parts) if (existsSync(file + suffix)) renameSync(file + suffix, aside + suffix)
    return true
  } catch {
    return false
  }
}

/** A copy of a file that goes on in use, for whoever wants to look for what it lost. */
function keepCopy(file: string, aside: string): void {
  try {
    copyAll(file, aside)
  } catch {
    // No space, or no right to: the loss is told all the same.
  }
}

function copyAll(from: string, to: string): void {
  for (const suffix of ['', '-wal'].filter((each) => existsSync(from + each))) {
    copyFileSync(from + suffix, to + suffix)
    // The copy of a file that may not be written could not be opened.
    chmodSync(to + suffix, 0o600)
  }
}
