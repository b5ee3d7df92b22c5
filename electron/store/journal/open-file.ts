import { createHash } from 'node:crypto'
import { accessSync, chmodSync, constants, copyFileSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, parse } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Worker } from 'node:worker_threads'
import { day } from '../../../shared/time.ts'
import { ExpectedFailure } from '../../kernel/failures.ts'
import { type Connection, copyReadable, migrate, troubleOf, versionOf } from './connection.ts'
import type { JournalTrouble } from './journal.ts'
import { type Marked, markFile, readMark } from './mark.ts'
import { migrations } from './migrations.ts'
import { type Holding, readHolding, unreadableRows } from './promises.ts'

/** How long, in ms, the app waits if the `svc-desk` command has the file open. The command may read the file while the app is closed. */
const busyMs = 1_500
/** SQLite’s `application_id` of a journal that has a mark file: “SvcD” as a number. Journals without a mark file have 0. */
const applicationId = 0x53766344
/** Smaller files are checked whenever they are opened, because that takes only about 15 ms. In bytes. */
const largeFrom = 1_048_576
/** After this time, in ms, a large file is checked again although it was closed cleanly. Until then, a fault of the disk may stay undetected. */
const checkEveryMs = 7 * day

/** An open journal file that accepts writes. */
export interface OpenedFile {
  readonly database: DatabaseSync
  readonly holding: Holding
  /** The path to which the app moved the damaged file, or a copy of a file that had lost entries. `null` if nothing was lost. */
  readonly setAside: string | null
  /** When the app last checked the whole file, in Unix ms. `null` if that check found a loss or unreadable rows. */
  readonly checkedAtMs: number | null
}

/**
 * Opens or creates the journal file, and compares it with its mark file to detect lost entries. A damaged file is never deleted, but renamed to
 * `<name>.corrupt-<time>.db`. If the file refuses writes, returns the reason. Throws `journal: taken` if another process has the file open.
 */
export function openFile(file: string, nowMs: number): OpenedFile | JournalTrouble {
  const aside = asideName(file, nowMs)
  let lost = false
  for (const attempt of ['first', 'second'] as const) {
    const opened = tryOpen(file, nowMs, lost)
    if (opened !== 'damaged') {
      if (typeof opened === 'string') return opened
      if (!opened.holding.whole && !lost) return copyAndReopen(opened.database, file, aside, nowMs)
      const isFlawless = !lost && opened.holding.unreadable.length === 0
      return { ...opened, setAside: lost ? aside : null, checkedAtMs: isFlawless ? opened.checkedAtMs : null }
    }
    if (attempt === 'second' || !putAside(file, aside)) return 'read_only'
    lost = true
  }
  return 'read_only'
}

/** Copies an open file that has lost entries. Reading it for the copy removes SQLite’s lock on it (POSIX), so opens it once more to lock it again. */
function copyAndReopen(database: DatabaseSync, file: string, aside: string, nowMs: number): OpenedFile | JournalTrouble {
  keepCopy(file, aside)
  database.close()
  const again = tryOpen(file, nowMs, false)
  if (typeof again === 'string') return again === 'damaged' ? 'read_only' : again
  return { ...again, setAside: aside, checkedAtMs: null }
}

/** Records in the journal file that a mark file belongs to it. If that mark file is missing later, the app then knows that it was lost. */
export function sayMarked(database: DatabaseSync): void {
  if (!isMarked(database)) database.exec(`PRAGMA application_id = ${applicationId}`)
}

const isMarked = (database: DatabaseSync): boolean => database.prepare('PRAGMA application_id').get()?.application_id === applicationId

/** Copies the readable rows of a read-only journal file into the database `to`. */
export function readInto(file: string, to: DatabaseSync): void {
  let scratch: string | null = null
  let database: DatabaseSync | null = null
  try {
    // SQLite cannot read a write-ahead log in a folder without write permission. Therefore read a copy of the files in another folder.
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

export interface CheckedJournal {
  readonly file: string
  /** Unix ms. */
  readonly nowMs: number
}

/**
 * If opening a journal includes a long check of the whole file, opens and closes the journal in a thread first. Opening it afterwards is then quick.
 * Ignores a failure of the thread: whoever opens the journal next then does the check, and reports what is wrong. `thread` is the path of
 * `check-thread`.
 */
export async function checkApart(journal: CheckedJournal, thread: string): Promise<void> {
  if (!needsLongCheck(journal)) return
  const ended = Promise.withResolvers<void>()
  const worker = new Worker(thread, { workerData: journal })
  worker.on('error', () => undefined).once('exit', () => ended.resolve())
  await ended.promise
}

/** True if the file is large, and it was not closed cleanly or the last check was too long ago. */
function needsLongCheck({ file, nowMs }: CheckedJournal): boolean {
  try {
    return statSync(file).size >= largeFrom && (hasLog(file) || !wasClosedCleanly(file, readMark(markFile(file)), nowMs))
  } catch {
    // There is no file yet, or a permission is missing.
    return false
  }
}

/**
 * Moves the write-ahead log of a journal into its main file, and returns a stamp of that file. Call it directly before closing the file, while this
 * process still has it locked: no other process can then write between the stamp and the note of it. `null` if the log could not be moved.
 */
export function stampToClose(home: Connection, file: string): string | null {
  const { busy } = home.statement('PRAGMA wal_checkpoint(TRUNCATE)').get() ?? {}
  return busy === 0 && statSync(`${file}-wal`).size === 0 ? stampOf(file) : null
}

/** Identifies the checks of this version of the app. A version with other checks does not rely on these. */
const checks = createHash('sha256').update(unreadableRows).digest('hex').slice(0, 16)

/**
 * Returns the state of the main file from the file system. Each change of the file changes `ctime`, which programs cannot set as they can set `mtime`. A
 * copied or restored file has another inode or `ctime`. Does not open the file, because closing it again would remove SQLite’s lock (POSIX).
 */
function stampOf(file: string): string {
  const { size, ino, mtimeNs, ctimeNs } = statSync(file, { bigint: true })
  return [checks, size, ino, mtimeNs, ctimeNs].join(' ')
}

function wasClosedCleanly(file: string, marked: Marked | null, nowMs: number): boolean {
  if (marked === null || marked.clean === null || marked.version !== migrations.length) return false
  const { checkedAtMs, stamp } = marked.clean
  return checkedAtMs <= nowMs && nowMs - checkedAtMs < checkEveryMs && stamp === stampOf(file)
}

/** True if a write-ahead log is beside the file. Its content counts as content of the file. */
const hasLog = (file: string): boolean => existsSync(`${file}-wal`)

/**
 * Returns what a large file that was closed cleanly contains, without reading the whole file: the last check found every promise, and no process has
 * written since. `null` if there is any doubt.
 */
function holdingAsClosed(database: DatabaseSync, file: string, marked: Marked | null, nowMs: number): Pick<OpenedFile, 'holding' | 'checkedAtMs'> | null {
  try {
    if (marked?.clean == null || statSync(file).size < largeFrom || !wasClosedCleanly(file, marked, nowMs)) return null
    if (versionOf(database, marked.version) !== migrations.length || !isMarked(database)) return null
    if (database.prepare('SELECT max(seq) AS last FROM promises').get()?.last !== marked.count) return null
    return { holding: { chain: { count: marked.count, hash: marked.hash }, whole: true, unreadable: [] }, checkedAtMs: marked.clean.checkedAtMs }
  } catch {
    // The full check finds out what is wrong with the file.
    return null
  }
}

function tryOpen(file: string, nowMs: number, isLost: boolean): Omit<OpenedFile, 'setAside'> | JournalTrouble | 'damaged' {
  let database: DatabaseSync | null = null
  const given = (result: JournalTrouble | 'damaged') => {
    if (database?.isOpen) database.close()
    return result
  }
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    // Check the permissions first, because SQLite would report a file without write permission as locked.
    for (const path of [dirname(file), file, `${file}-wal`]) if (existsSync(path)) accessSync(path, constants.W_OK)
    const isWithLog = hasLog(file)
    database = new DatabaseSync(file, { timeout: busyMs })
    // Set exclusive mode before WAL. Then the index of the write-ahead log is in the memory of this process, and no other process can open the file.
    database.exec(
      'PRAGMA locking_mode=EXCLUSIVE; PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA trusted_schema=OFF; PRAGMA secure_delete=ON; BEGIN IMMEDIATE; COMMIT;',
    )
    // Read the mark file only now: no other process can write to either file any more.
    const marked = isLost ? null : readMark(markFile(file))
    const asClosed = isWithLog ? null : holdingAsClosed(database, file, marked, nowMs)
    for (const suffix of ['', '-wal']) if (existsSync(file + suffix)) chmodSync(file + suffix, 0o600)
    if (asClosed !== null) return { database, ...asClosed }
    if (!isSound(database)) {
      // The damage may be only in an index, not in a table. Rebuild all indexes, then check again.
      database.exec('REINDEX')
      if (!isSound(database)) return given('damaged')
    }
    const version = versionOf(database, marked?.version ?? null)
    if (version === 'newer' || version === 'damaged') return given(version)
    migrate(database, version)
    mendVersion(database)
    return { database, holding: holdingOf(database, marked), checkedAtMs: nowMs }
  } catch (error) {
    given('damaged')
    const trouble = troubleOf(error)
    if (trouble === 'taken') throw new ExpectedFailure({ kind: 'journal', issue: 'taken' })
    // An error for another reason means that the file’s content is damaged.
    return trouble ?? 'damaged'
  }
}

/** Checks the whole file. SQLite's quick check would not find a damaged index, which could hide open intents. */
const isSound = (database: DatabaseSync): boolean => database.prepare('PRAGMA integrity_check(1)').get()?.integrity_check === 'ok'

/** Sets the version in the file’s header to the number of migrations that have run, if a damaged header contains another number. */
function mendVersion(database: DatabaseSync): void {
  if (database.prepare('PRAGMA user_version').get()?.user_version !== migrations.length) database.exec(`PRAGMA user_version = ${migrations.length}`)
}

/**
 * Compares the database with its mark file, the summary of what the database must contain. If the database once had a mark file that is now
 * missing or unreadable, any entry may be lost.
 */
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

/**
 * Moves the journal file and its write-ahead log away, but leaves the mark file. Until the app has recorded the loss, only the mark file proves that
 * entries are missing.
 */
function putAside(file: string, aside: string): boolean {
  try {
    for (const suffix of parts) if (existsSync(file + suffix)) renameSync(file + suffix, aside + suffix)
    return true
  } catch {
    return false
  }
}

function keepCopy(file: string, aside: string): void {
  try {
    copyAll(file, aside)
  } catch {
    // The copy fails if the disk is full or a permission is missing. The app still reports the lost entries.
  }
}

function copyAll(from: string, to: string): void {
  for (const suffix of ['', '-wal'].filter((each) => existsSync(from + each))) {
    copyFileSync(from + suffix, to + suffix)
    // The copy of a read-only file is read-only too. Make it writable.
    chmodSync(to + suffix, 0o600)
  }
}
