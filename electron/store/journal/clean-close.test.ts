import { execFileSync } from 'node:child_process'
import { copyFileSync, cpSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { anIntent } from '../../../e2e/support/journal/an-intent.ts'
import { day } from '../../../shared/time.ts'
import { ExpectedFailure } from '../../kernel/failures.ts'
import { raw } from '../records/raw.ts'
import { markFile, openMark, readMark } from './mark.ts'
import { checkApart } from './open-file.ts'
import { openJournal, type SqliteJournal } from './tables/sqlite-journal.ts'

const start = Date.UTC(2026, 10, 21)
let folder: string
let file: string
let now: number
const clock = { now: () => now, monotonic: () => 0 }

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-desk-clean-'))
  file = join(folder, 'journal.db')
  now = start
})
afterEach(() => {
  vi.restoreAllMocks()
  rmSync(folder, { recursive: true, force: true })
})

const pad = (journal: SqliteJournal, mebibytes: number) => journal[raw].values.set('pad', 'x'.repeat(mebibytes * 1_048_576))

function write(mebibytes: number): void {
  const journal = openJournal({ file, clock })
  for (const ref of ['a', 'b', 'c']) journal.intents.plan(anIntent(ref))
  pad(journal, mebibytes)
  journal.close()
}

interface Opening {
  /** True if opening the journal read all of it. */
  readonly isChecked: boolean
  readonly state: string
}

/** Opens a journal, uses it, closes it, and returns what happened. */
function open(use: (journal: SqliteJournal) => void = () => undefined, path = file): Opening {
  const prepare = vi.spyOn(DatabaseSync.prototype, 'prepare')
  const journal = openJournal({ file: path, clock })
  const statements = prepare.mock.calls.map(([sql]) => sql)
  prepare.mockRestore()
  const reads = [/integrity_check/, /FROM promises ORDER BY seq/, /FROM intent_transactions/, /json_valid/].map((whole) =>
    statements.some((sql) => whole.test(sql)),
  )
  expect(new Set(reads).size).toBe(1)
  const state = journal.state()
  use(journal)
  journal.close()
  return { isChecked: reads[0] === true, state }
}

const whole = { isChecked: true, state: 'ready' }
const quick = { isChecked: false, state: 'ready' }
const lost = { isChecked: true, state: 'rebuilt' }

/** Changes the content of the closed database, and keeps the size of its file. */
function change(sql: string, path = file): void {
  const database = new DatabaseSync(path)
  database.exec(sql)
  database.close()
}

/** Makes the mark file fit the database file again. The file’s content then differs as after a fault of the disk, which changes no times. */
function hideChange(): void {
  const marked = readMark(markFile(file))
  if (marked?.clean == null) throw new Error('The journal was not closed cleanly')
  const { ino, size, mtimeNs, ctimeNs } = statSync(file, { bigint: true })
  const [checks] = marked.clean.stamp.split(' ')
  const mark = openMark(markFile(file))
  mark.write({ ...marked, clean: { ...marked.clean, stamp: [checks, size, ino, mtimeNs, ctimeNs].join(' ') } })
  mark.close()
}

function takeCopy(): void {
  cpSync(file, `${file}.copy`, { preserveTimestamps: true })
  renameSync(`${file}.copy`, file)
}

function dropLast(): void {
  change('DELETE FROM promises WHERE seq = 3')
  hideChange()
}

test('opening a large journal that was closed cleanly reads only a small part of it, each time, and finds every entry [V5]', () => {
  write(2)
  for (let count = 0; count < 3; count += 1)
    expect(
      open((journal) => {
        expect(journal.intents.open('practice').map(({ ref }) => ref)).toContain('c')
        expect(journal.takesNewRisk()).toBe(true)
        journal.intents.plan(anIntent(`later-${count}`))
      }),
    ).toEqual(quick)
  now += 8 * day
  expect(open()).toEqual(whole)
  expect(open((journal) => expect(journal.intents.list('practice', { wallet: null, beforeMs: null, limit: 9 }).total).toBe(6))).toEqual(quick)
})

test('the app checks the whole of a small journal whenever it opens it [V5]', () => {
  write(0)
  expect([open(), open()]).toEqual([whole, whole])
})

test('after a crash, even of an app that wrote nothing, the app checks the whole journal [V5]', () => {
  write(2)
  const script = `
    const { openJournal } = await import(${JSON.stringify(join(import.meta.dirname, 'tables/sqlite-journal.ts'))})
    openJournal({ file: ${JSON.stringify(file)}, clock: { now: () => ${start}, monotonic: () => 0 } })
    process.kill(process.pid, 'SIGKILL')`
  expect(() => execFileSync(process.execPath, ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', script])).toThrow()
  // Even without the log that the crash left, and with the main file unchanged, the mark file shows that the journal was in use.
  rmSync(`${file}-wal`, { force: true })
  expect([open(), open()]).toEqual([whole, quick])
})

test.each<readonly [string, () => void]>([
  ['the clock is before the last check', () => (now -= 1)],
  ['a week has passed since the last check', () => (now += 7 * day)],
  ['the file was touched', () => utimesSync(file, new Date(start), new Date(start))],
  ['a copy of the file has taken its place', takeCopy],
  ['an empty write-ahead log is beside the file', () => writeFileSync(`${file}-wal`, '')],
  [
    'the newest slot of the mark file is torn',
    () => {
      const bytes = readFileSync(markFile(file))
      const slots = [bytes.subarray(0, 4_096), bytes.subarray(4_096)]
      slots.find((slot) => slot.includes('checkedAtMs'))?.fill(0, 10, 20)
      writeFileSync(markFile(file), bytes)
    },
  ],
  [
    'an earlier version of the app wrote the mark file',
    () => {
      const { count, hash, version } = readMark(markFile(file)) ?? {}
      const mark = openMark(markFile(file))
      mark.write({ count, hash, version } as never)
      mark.close()
    },
  ],
])('the app checks the whole of a large journal if %s [V5]', (_what, doubt) => {
  write(2)
  doubt()
  expect([open(), open()]).toEqual([whole, quick])
})

/** Changes one byte of the closed file in place, at or after `from`. */
function flip(from: number): void {
  const bytes = readFileSync(file)
  bytes[from] = (bytes[from] ?? 0) ^ 1
  writeFileSync(file, bytes)
}

test('the app finds a change of a large journal even if the file’s time of change was set back [V5]', () => {
  write(2)
  const back = () => utimesSync(file, new Date(start), new Date(start))
  back()
  hideChange()
  expect(open()).toEqual(quick)
  const facts = () => Object.values((({ size, ino, mtimeNs }) => ({ size, ino, mtimeNs }))(statSync(file, { bigint: true })))
  const before = facts()
  flip(readFileSync(file).indexOf('desk-b'))
  back()
  expect(facts()).toEqual(before)
  expect(open()).toEqual(lost)
})

test('the app finds the loss if an earlier copy of only the database or only the mark file is restored [V5]', () => {
  write(2)
  const mark = markFile(file)
  for (const path of [file, mark]) copyFileSync(path, `${path}.old`)
  open((journal) => journal.intents.plan(anIntent('d')))
  for (const path of [file, mark]) copyFileSync(path, `${path}.new`)
  // The earlier mark file requires less than the database contains, which is no loss.
  copyFileSync(`${mark}.old`, mark)
  expect(open()).toEqual(whole)
  copyFileSync(`${file}.old`, file)
  copyFileSync(`${mark}.new`, mark)
  expect(open()).toEqual(lost)
})

test.each([
  ['its header is damaged', () => flip(0)],
  ['a page is damaged', () => flip(4_096)],
  ['its mark file is missing', () => rmSync(markFile(file))],
  ['its last entry is missing, even if no time shows a change', dropLast],
])('the app reports that a large journal that was closed cleanly is damaged if %s [V5]', (_what, damage) => {
  write(2)
  damage()
  expect(open()).toEqual(lost)
})

test('a fault of the disk that changes no times is found within a week [V5]', () => {
  write(2)
  change("UPDATE intents SET state = 'CANCELLED' WHERE ref = 'b'")
  hideChange()
  now += 7 * day - 1
  expect(open()).toEqual(quick)
  now += 1
  expect(open((journal) => expect(journal.takesNewRisk()).toBe(false))).toEqual(lost)
})

test('while the user has not accepted a loss, and while a row is unreadable, the app checks the whole journal at each start [V12]', () => {
  write(2)
  change("UPDATE intents SET side = 'hong' WHERE ref = 'b'")
  expect([open(), open((journal) => journal.acceptRebuilt()), open(), open()]).toEqual([lost, lost, whole, whole])
  change("UPDATE intents SET side = 'long' WHERE ref = 'b'")
  expect([open(), open()]).toEqual([whole, quick])
})

const check = () => checkApart({ file, nowMs: now }, join(import.meta.dirname, 'tables/check-thread.ts'))

test('a thread checks a large journal that was not closed cleanly, so that opening it afterwards is quick [V5]', async () => {
  write(2)
  now += 7 * day
  let turns = 0
  const turn = setInterval(() => (turns += 1), 1)
  await check()
  clearInterval(turn)
  expect(turns).toBeGreaterThan(1)
  expect(open()).toEqual(quick)
})

test('the app reports a loss that the thread found [V5]', async () => {
  write(2)
  flip(4_096)
  await check()
  expect(
    open((journal) => {
      expect([journal.setAside(), journal.takesNewRisk()]).toEqual(['journal.corrupt-2026-11-21T00-00-00-000Z.db', false])
      expect(existsSync(join(folder, journal.setAside() ?? ''))).toBe(true)
    }),
  ).toEqual(lost)
})

test('no thread opens a journal that is small, was closed cleanly or does not exist [V5]', async () => {
  await check()
  expect(existsSync(file)).toBe(false)
  for (const mebibytes of [0, 2]) {
    write(mebibytes)
    const bytes = readFileSync(markFile(file))
    await check()
    expect(readFileSync(markFile(file)).equals(bytes)).toBe(true)
    for (const path of [file, markFile(file)]) rmSync(path)
  }
})

test('if another process has the journal open, the thread changes nothing, and opening it fails as usual [V5]', async () => {
  write(2)
  utimesSync(file, new Date(start), new Date(start))
  const journal = openJournal({ file, clock })
  await check()
  expect(() => openJournal({ file, clock })).toThrow(ExpectedFailure)
  journal.intents.plan(anIntent('d'))
  journal.close()
  expect(open()).toEqual(quick)
})
