import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { systemClock } from '../../../../shared/time.ts'
import { createFolders } from '../../../host/app/folders.ts'
import { createProfileStore, createSettings } from '../../records/profile-store.ts'
import type { StoredProfile } from '../../records/registry.ts'
import { openJournal, type SqliteJournal } from './sqlite-journal.ts'

let userData: string
const opened = new Set<SqliteJournal>()
beforeEach(() => {
  userData = mkdtempSync(join(tmpdir(), 'svc-desk-profiles-'))
})
afterEach(() => {
  for (const journal of opened) journal.close()
  opened.clear()
  rmSync(userData, { recursive: true, force: true })
})

const file = () => createFolders(userData).appJournal
const profile = (id: string): StoredProfile => ({
  ...{ id, name: `Exchange ${id}`, hostUrl: `https://${id}.example`, rpcHost: null, secondHostUrl: null, createdAtMs: 1 },
})

function open(path = file()) {
  const journal = openJournal({ file: path, clock: systemClock })
  opened.add(journal)
  return { journal, settings: createSettings(journal.records), profiles: createProfileStore(journal.records) }
}
function close(journal: SqliteJournal): void {
  journal.close()
  opened.delete(journal)
}

function written(): void {
  const { journal, settings, profiles } = open()
  for (const id of ['p1', 'p2']) profiles.save(profile(id))
  profiles.setActive('p1')
  settings.save({ theme: 'light' })
  close(journal)
}
const ids = (store: ReturnType<typeof createProfileStore>) => store.list().map(({ id }) => id)
const changed = (change: (bytes: Buffer) => void) => {
  const bytes = readFileSync(file())
  change(bytes)
  writeFileSync(file(), bytes)
}
const inFile = (sql: string) => {
  const database = new DatabaseSync(file())
  database.exec(sql)
  database.close()
}

test('the app reads profiles and settings from an intact app journal without a warning', () => {
  written()
  const { journal, settings, profiles } = open()
  expect([journal.state(), journal.setAside(), ids(profiles), profiles.activeId(), settings.read().theme]).toEqual(['ready', null, ['p1', 'p2'], 'p1', 'light'])
})

test.each([
  ['no database any more', () => writeFileSync(file(), 'hello')],
  ['empty pages', () => changed((bytes) => bytes.fill(0, 100))],
  ['a format that SQLite does not know', () => changed((bytes) => (bytes[47] = 9))],
  ['cut in half', () => writeFileSync(file(), readFileSync(file()).subarray(0, 3_000))],
])('the app sets aside its own journal if it is damaged (%s), shows the file’s new name, and opens with default settings [V6]', (_what, damage) => {
  written()
  damage()
  const { journal, settings, profiles } = open()
  expect([settings.read().theme, ids(profiles)]).toEqual(['system', []])
  expect(journal.state()).toBe('rebuilt')
  const aside = String(journal.setAside())
  expect(existsSync(join(userData, aside))).toBe(true)
  profiles.save(profile('p3'))
  close(journal)
  const later = open()
  expect([ids(later.profiles), later.journal.setAside()]).toEqual([['p3'], aside])
})

test('the app journal (profiles and settings) loses nothing if one byte changes in an unimportant part of its file header [V6]', () => {
  for (const position of [60, 63, 68, 71]) {
    rmSync(file(), { force: true })
    rmSync(`${file()}.mark`, { force: true })
    written()
    changed((bytes) => (bytes[position] = (bytes[position] ?? 0) ^ 0x40))
    const { journal, settings, profiles } = open()
    expect([position, journal.state(), ids(profiles), settings.read().theme]).toEqual([position, 'ready', ['p1', 'p2'], 'light'])
    close(journal)
  }
})

test('the app reads profiles and settings from an app journal that a newer version wrote, and leaves the file unchanged [V6]', () => {
  written()
  inFile('PRAGMA user_version = 99; ALTER TABLE "values" ADD COLUMN later TEXT')
  rmSync(`${file()}.mark`)
  const before = readFileSync(file())
  const { journal, settings, profiles } = open()
  expect([journal.state(), journal.trouble(), ids(profiles), settings.read().theme]).toEqual(['memory_only', 'newer', ['p1', 'p2'], 'light'])
  profiles.save(profile('p3'))
  close(journal)
  expect(readFileSync(file()).equals(before)).toBe(true)
})

// Windows has no folder that its own user cannot write to by its mode.
test.skipIf(process.platform === 'win32')(
  'the app reads profiles and settings from a read-only app journal, and keeps changes to them only until the app ends [V6]',
  () => {
    written()
    for (const path of [userData, file(), `${file()}.mark`]) chmodSync(path, 0o555)
    const script = `
    const { openJournal } = await import(${JSON.stringify(join(import.meta.dirname, 'sqlite-journal.ts'))})
    const { createProfileStore } = await import(${JSON.stringify(join(import.meta.dirname, '../../records/profile-store.ts'))})
    if (process.getuid() === 0) process.setuid(65534)
    const journal = openJournal({ file: 'desk.db', clock: { now: () => 0, monotonic: () => 0 } })
    const store = createProfileStore(journal.records)
    const read = store.list().map(({ id }) => id)
    store.setActive('p2')
    process.stdout.write(JSON.stringify([journal.state(), journal.trouble(), read, store.activeId()]))`
    const said = execFileSync(process.execPath, ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', script], {
      encoding: 'utf8',
      cwd: userData,
      env: { ...process.env, TMPDIR: '/tmp' },
    })
    chmodSync(userData, 0o755)
    expect(JSON.parse(said)).toEqual(['memory_only', 'read_only', ['p1', 'p2'], 'p2'])
  },
)

test('the app reports a missing profile if the app journal is an older copy, a copy without its write-ahead log, or lost a row', () => {
  const { journal, profiles } = open()
  profiles.save(profile('p1'))
  const older = join(userData, 'older.db')
  copyFileSync(file(), older)
  profiles.save(profile('p2'))
  const copy = join(userData, 'copy.db')
  for (const target of [older, copy]) copyFileSync(`${file()}.mark`, `${target}.mark`)
  copyFileSync(file(), copy)
  close(journal)
  expect(open(older).journal.state()).toBe('rebuilt')
  expect(open(copy).journal.state()).toBe('rebuilt')

  inFile('DELETE FROM "values" WHERE name = \'profile/p2\'')
  const left = open()
  expect([left.journal.state(), ids(left.profiles)]).toEqual(['rebuilt', ['p1']])
  expect(existsSync(join(userData, String(left.journal.setAside())))).toBe(true)
})

test('the app does not report a profile as missing if the user removed it, or if an old app journal has no list of its profiles', () => {
  const first = open()
  for (const id of ['p1', 'p2']) first.profiles.save(profile(id))
  first.profiles.save({ ...profile('p1'), name: 'Another name' })
  first.profiles.remove('p2')
  close(first.journal)
  const second = open()
  expect([second.journal.state(), ids(second.profiles)]).toEqual(['ready', ['p1']])
  second.profiles.save(profile('p2'))
  close(second.journal)
  rmSync(`${file()}.mark`)
  inFile('DELETE FROM promises; PRAGMA application_id = 0')
  const third = open()
  expect([third.journal.state(), ids(third.profiles)]).toEqual(['ready', ['p1', 'p2']])
})
