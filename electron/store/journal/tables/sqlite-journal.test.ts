import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { anIntent } from '../../../../e2e/support/journal/an-intent.ts'
import { expectMode } from '../../../../e2e/support/main/expect-mode.ts'
import { type Clock, systemClock } from '../../../../shared/time.ts'
import { raw } from '../../records/raw.ts'
import { heldBack } from '../journal.ts'
import { migrations } from '../migrations.ts'
import { openJournal, type SqliteJournal } from './sqlite-journal.ts'

let folder: string
let file: string
const opened: SqliteJournal[] = []

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-desk-journal-'))
  file = join(folder, 'journal.db')
})
afterEach(() => {
  for (const journal of opened.splice(0)) journal.close()
  rmSync(folder, { recursive: true, force: true })
})

function open(clock: Clock = systemClock, path = file): SqliteJournal {
  const journal = openJournal({ file: path, clock })
  opened.push(journal)
  return journal
}
function close(journal: SqliteJournal) {
  opened.splice(opened.indexOf(journal), 1)
  journal.close()
}

test('the app creates a new journal that only its user can read, and allows actions that add risk', () => {
  const journal = open()
  expect(journal.state()).toBe('ready')
  expect(journal.takesNewRisk()).toBe(true)
  expectMode(file, 0o600)
})

test('the journal never decreases an intent’s update time, even when the clock is set back', () => {
  let now = 1_800_000_070_000
  const journal = open({ now: () => now, monotonic: () => 0 })
  journal.intents.plan(anIntent('a'))
  now += 500
  const sent = journal.intents.move('a', 'PREPARED')
  now -= 70_000
  expect(journal.intents.update('a', { confirmations: 1 }).updatedAtMs).toBe(sent.updatedAtMs)
  expect(journal.intents.move('a', 'ASKED').updatedAtMs).toBe(sent.updatedAtMs)
  now += 80_000
  expect(journal.intents.update('a', { confirmations: 2 }).updatedAtMs).toBe(now)
})

test('the app refuses to open a journal that another process has open, and does not harm that process’s journal', () => {
  const first = open()
  first.intents.plan(anIntent('a'))
  expect(() => openJournal({ file, clock: systemClock })).toThrowError(expect.objectContaining({ failure: { kind: 'journal', issue: 'taken' } }))
  first.intents.move('a', 'PREPARED')
  close(first)
  expect(open().intents.get('a')?.state).toBe('PREPARED')
})

test('the app also keeps other processes out of a journal that lost entries, after it has copied its file', () => {
  const first = open()
  first.intents.plan(anIntent('a'))
  close(first)
  copyFileSync(file, `${file}.old`)
  const second = open()
  second.intents.plan(anIntent('b'))
  close(second)
  copyFileSync(`${file}.old`, file)

  const left = open()
  expect([left.state(), existsSync(join(folder, left.setAside() ?? ''))]).toEqual(['rebuilt', true])
  const other = `
    const { openJournal } = await import(${JSON.stringify(join(import.meta.dirname, 'sqlite-journal.ts'))})
    const { systemClock } = await import(${JSON.stringify(join(import.meta.dirname, '../../../../shared/time.ts'))})
    try {
      openJournal({ file: ${JSON.stringify(file)}, clock: systemClock })
      process.stdout.write('opened')
    } catch ({ failure }) {
      process.stdout.write(failure.issue)
    }`
  expect(execFileSync(process.execPath, ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', other], { encoding: 'utf8' })).toBe('taken')
})

test('the app reads a newer app version’s journal without changing it, blocks actions that add risk, and allows those that end risk [V6]', () => {
  const first = open()
  first.intents.plan(anIntent('a'))
  close(first)
  const database = new DatabaseSync(file)
  database.exec("ALTER TABLE intents ADD COLUMN later TEXT DEFAULT 'x'; PRAGMA user_version = 999")
  database.close()
  const before = readFileSync(file)

  const journal = open()
  expect([journal.state(), journal.trouble(), journal.takesNewRisk()]).toEqual(['memory_only', 'newer', false])
  expect(heldBack(journal)).toEqual({ kind: 'journal', issue: 'newer' })
  expect(journal.intents.move('a', 'CANCELLED').state).toBe('CANCELLED')
  close(journal)
  expect(readFileSync(file).equals(before)).toBe(true)
  expect(readdirSync(folder).filter((name) => name.includes('corrupt'))).toEqual([])
})

function reopenedWith(position: number, changed: (byte: number) => number): SqliteJournal {
  const journal = open()
  journal.intents.plan(anIntent('a'))
  close(journal)
  const bytes = readFileSync(file)
  bytes.writeUInt8(changed(bytes.readUInt8(position)), position)
  writeFileSync(file, bytes)
  return open()
}

test.each([
  ['user_version', 60, 0x40],
  ['user_version', 63, 0x10],
  ['application_id', 68, 0x01],
])('the journal returns every entry even if one byte of its file’s header is wrong (%s, %i) [V6]', (_what, position, bits) => {
  const journal = reopenedWith(position, (byte) => byte ^ bits)
  expect([journal.state(), journal.takesNewRisk(), journal.intents.get('a')?.state]).toEqual(['ready', true, 'PLANNED'])
})

test('the app moves a journal file in an unknown format aside, and opens a new journal [V6]', () => {
  expect(reopenedWith(47, () => 9).state()).toBe('rebuilt')
})

test('the app reads a read-only journal, blocks new risk, and allows actions that end risk [V6]', () => {
  // Change the header to a file format of the future that SQLite may read but not write: write version 3, read version 2.
  const journal = reopenedWith(18, () => 3)
  expect([journal.takesNewRisk(), journal.state(), journal.trouble()]).toEqual([false, 'memory_only', 'read_only'])
  expect(heldBack(journal)).toEqual({ kind: 'journal', issue: 'read_only' })
  expect(journal.intents.move('a', 'CANCELLED').state).toBe('CANCELLED')
})

test('the journal writes a sent request to its main file at once, so that even a backup of that file alone includes the request [V5]', () => {
  const journal = open()
  journal.intents.plan(anIntent('a'))
  for (const state of ['PREPARED', 'ASKED', 'SIGNED', 'SENT'] as const) journal.intents.move('a', state)
  const copy = join(folder, 'copy.db')
  copyFileSync(file, copy)
  copyFileSync(`${file}.mark`, `${copy}.mark`)
  const restored = open(systemClock, copy)
  expect([restored.state(), restored.intents.get('a')?.state]).toEqual(['ready', 'SENT'])
})

test('if a damaged index of the journal hides an open order, the app rebuilds the index and finds the order [V5]', () => {
  const journal = open()
  journal.intents.plan(anIntent('open'))
  close(journal)
  const database = new DatabaseSync(file)
  const root = Number(database.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'intents_open'").get()?.rootpage)
  const size = Number(database.prepare('PRAGMA page_size').get()?.page_size)
  database.close()
  const bytes = readFileSync(file)
  bytes.writeUInt16BE(0, (root - 1) * size + 3)
  writeFileSync(file, bytes)

  const after = open()
  expect([after.state(), after.takesNewRisk(), after.intents.open('practice').map(({ ref }) => ref)]).toEqual(['ready', true, ['open']])
})

test('the app blocks new risk if the journal lost the record of a nonce that an earlier order used [V5]', () => {
  const journal = open()
  journal[raw].values.set('nonce/practice/0xaa/7', 'a')
  close(journal)
  const database = new DatabaseSync(file)
  database.exec('DELETE FROM "values" WHERE name LIKE \'nonce/%\'')
  database.close()
  expect(open().takesNewRisk()).toBe(false)
})

// Windows has no folder that its own user cannot write to by its mode.
test.skipIf(process.platform === 'win32')(
  'the app opens a journal with read-only files, blocks new risk, and does not report that another process has the journal open [V6]',
  () => {
    const journal = open()
    journal.intents.plan(anIntent('a'))
    close(journal)
    for (const path of [folder, file, `${file}.mark`]) chmodSync(path, 0o555)
    const script = `
    const { openJournal } = await import(${JSON.stringify(join(import.meta.dirname, 'sqlite-journal.ts'))})
    if (process.getuid() === 0) process.setuid(65534)
    const journal = openJournal({ file: 'journal.db', clock: { now: () => 0, monotonic: () => 0 } })
    const read = journal.intents.get('a')?.state
    process.stdout.write(JSON.stringify([journal.trouble(), journal.takesNewRisk(), read, journal.intents.move('a', 'CANCELLED').state]))`
    const said = execFileSync(process.execPath, ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', script], {
      encoding: 'utf8',
      cwd: folder,
      env: { ...process.env, TMPDIR: '/tmp' },
    })
    chmodSync(folder, 0o755)
    expect(JSON.parse(said)).toEqual(['read_only', false, 'PLANNED', 'CANCELLED'])
  },
)

test('if the write-ahead log is missing, the journal reports lost entries until the user accepts the loss, and keeps the other entries [V5]', () => {
  const journal = open()
  journal.intents.plan(anIntent('kept'))
  for (const state of ['PREPARED', 'ASKED', 'SIGNED', 'SENT'] as const) journal.intents.move('kept', state)
  journal.intents.plan(anIntent('lost'))
  const copy = join(folder, 'copy.db')
  copyFileSync(file, copy)
  copyFileSync(`${file}.mark`, `${copy}.mark`)

  const left = open(systemClock, copy)
  expect([left.state(), left.takesNewRisk(), left.intents.get('lost'), left.intents.get('kept')?.state]).toEqual(['rebuilt', false, null, 'SENT'])
  left.intents.move('kept', 'CANCELLED')
  left.acceptRebuilt()
  close(left)
  const later = open(systemClock, copy)
  expect([later.state(), later.takesNewRisk(), later.intents.get('kept')?.state]).toEqual(['ready', true, 'CANCELLED'])
})

test('the journal creates its .mark file when the app first opens an older journal, and reports lost entries if that file disappears later [V5]', () => {
  const old = new DatabaseSync(file)
  for (const migration of migrations.slice(0, 9)) old.exec(migration)
  old.exec("PRAGMA user_version = 9; INSERT INTO \"values\" VALUES ('a', 'b')")
  old.close()
  const journal = open()
  expect([journal.state(), journal[raw].values.get('a'), existsSync(`${file}.mark`)]).toEqual(['ready', 'b', true])
  close(journal)
  rmSync(`${file}.mark`)
  expect(open().state()).toBe('rebuilt')
})

test('the journal omits only a row that it cannot read, reports the row’s id, and asks only once to accept the loss [V12]', () => {
  const journal = open()
  for (const ref of ['a', 'b', 'c']) journal.intents.plan(anIntent(ref))
  close(journal)
  const database = new DatabaseSync(file)
  database.exec("UPDATE intents SET side = 'hong' WHERE ref = 'b'")
  database.close()

  const damaged = open()
  expect([damaged.state(), damaged.takesNewRisk(), damaged.unreadable()]).toEqual(['rebuilt', false, ['b']])
  expect(damaged.intents.open('practice').map(({ ref }) => ref)).toEqual(['a', 'c'])
  expect(damaged.intents.list('practice', { wallet: null, beforeMs: null, limit: 9 }).intents.map(({ ref }) => ref)).toEqual(['c', 'a'])
  expect(damaged.intents.get('b')).toBe(null)
  damaged.acceptRebuilt()
  close(damaged)
  const later = open()
  expect([later.state(), later.unreadable()]).toEqual(['ready', ['b']])
})

test('the journal loses no acknowledged entry when its process is killed ten times', async () => {
  let acknowledged = 0
  for (let round = 0; round < 10; round += 1) {
    const child = spawn(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', join(import.meta.dirname, '../../../../e2e/support/journal/writer.ts'), file],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    )
    let said = ''
    const enough = 20 + Math.floor(Math.random() * 60)
    const ended = new Promise((resolve) => child.once('close', resolve))
    child.stdout.on('data', (bytes: Buffer) => {
      said += bytes.toString()
      if (said.split('\n').length > enough) child.kill('SIGKILL')
    })
    await ended
    const lines = said.split('\n').slice(0, -1)
    acknowledged += lines.length
    const journal = open()
    expect(journal.state()).toBe('ready')
    const reached = new Map(lines.map((line) => line.split(' ') as [string, string]))
    for (const [ref, state] of reached) {
      const row = journal.intents.get(ref)
      // The other process was killed during a change. The stored state may therefore be one step ahead of the last state that the process reported.
      expect(state === 'PREPARED' ? ['PREPARED'] : ['PLANNED', 'PREPARED']).toContain(row?.state)
      expect(journal.intents.timeline(ref).at(-1)?.state).toBe(row?.state)
    }
    close(journal)
  }
  expect(acknowledged).toBeGreaterThan(200)
}, 60_000)

test('the journal loses at most the last entries when its write-ahead log is cut off, and reports the loss before any new risk [V5]', () => {
  const journal = open()
  for (let count = 0; count < 50; count += 1) journal.intents.plan(anIntent(`r${count}`))
  const torn = join(folder, 'torn.db')
  copyFileSync(file, torn)
  copyFileSync(`${file}-wal`, `${torn}-wal`)
  copyFileSync(`${file}.mark`, `${torn}.mark`)
  close(journal)
  truncateSync(`${torn}-wal`, statSync(`${torn}-wal`).size - 3_000)

  const again = open(systemClock, torn)
  expect([again.state(), again.takesNewRisk()]).toEqual(['rebuilt', false])
  const kept = again.intents.list('practice', { wallet: null, beforeMs: null, limit: 200 }).total
  expect(kept).toBeGreaterThanOrEqual(49)
  expect(kept).toBeLessThanOrEqual(50)
})

test.each([
  ['garbage', () => writeFileSync(file, 'garbage'.repeat(2_000))],
  [
    'flipped pages',
    () => {
      const bytes = readFileSync(file)
      for (let position = 4_096; position < bytes.length; position += 1) bytes[position] = (bytes[position] ?? 0) ^ 0x55
      writeFileSync(file, bytes)
    },
  ],
  ['a cut file', () => truncateSync(file, 5_000)],
])('the app moves a corrupt journal file aside (%s), blocks new risk until the user accepts the loss, and never deletes the file', (_what, damage) => {
  const first = open()
  for (let count = 0; count < 200; count += 1) first.intents.plan(anIntent(`r${count}`))
  close(first)
  damage()
  const damaged = readFileSync(file)

  const clock: Clock = { now: () => Date.UTC(2026, 10, 21, 2, 30), monotonic: () => 0 }
  const rebuilt = open(clock)
  expect(rebuilt.state()).toBe('rebuilt')
  expect(rebuilt.takesNewRisk()).toBe(false)
  expect(rebuilt.setAside()).toBe('journal.corrupt-2026-11-21T02-30-00-000Z.db')
  expect(readFileSync(join(folder, 'journal.corrupt-2026-11-21T02-30-00-000Z.db'))).toEqual(damaged)

  // A rebuilt journal still accepts an operation that reduces risk, here a revocation, and writes it to disk.
  rebuilt.secretOperations.plan({
    id: 'o1',
    profileId: 'practice',
    wallet: '0xaa',
    kind: 'revoke',
    label: 'bot',
    keyId: 'k1',
    keyIdsBefore: ['k1'],
    marker: 'm',
    draft: null,
  })
  close(rebuilt)
  const again = open(clock)
  expect(again.state()).toBe('rebuilt')
  expect(again.secretOperations.get('o1')?.kind).toBe('revoke')
  again.acceptRebuilt()
  expect(again.state()).toBe('ready')
  expect(again.takesNewRisk()).toBe(true)
  close(again)
  const later = open(clock)
  expect(later.state()).toBe('ready')
  // The record of the loss remains even after the user has accepted the rebuilt journal.
  expect(later.records.journalLost.read({})).toBe('journal.corrupt-2026-11-21T02-30-00-000Z.db')
})

test('the journal refuses a second intent with the same idempotency key [ORD-06]', () => {
  const journal = open()
  journal.intents.plan(anIntent('a', { idempotencyKey: 'desk-same-key' }))
  expect(() => journal.intents.plan(anIntent('b', { idempotencyKey: 'desk-same-key' }))).toThrow(/UNIQUE/)
  expect(journal.intents.get('b')).toBe(null)
  expect(journal.intents.timeline('b')).toEqual([])
  expect(journal.state()).toBe('ready')
})

test('the journal writes several changes in one transaction: all of them or none [ORD-06]', () => {
  const journal = open()
  journal.intents.plan(anIntent('a'))
  const halfway = () =>
    journal.together(() => {
      journal.intents.move('a', 'PREPARED', { intentId: 'dx_1' })
      journal[raw].values.set('half', 'way')
      throw new Error('the process met its end here')
    })
  expect(halfway).toThrow('the process met its end here')
  expect(journal.intents.get('a')).toMatchObject({ state: 'PLANNED', intentId: null })
  expect(journal.intents.timeline('a').map(({ state }) => state)).toEqual(['PLANNED'])
  expect(journal[raw].values.get('half')).toBe(null)
})

test('the journal moves an intent through its states, and refuses a transition that is not allowed', () => {
  let now = 1_000
  const journal = open({ now: () => (now += 10), monotonic: () => 0 })
  const planned = journal.intents.plan(anIntent('a'))
  expect(planned).toMatchObject({ state: 'PLANNED', intentId: null, unsentSignature: false, body: anIntent('a').body })

  journal.intents.move('a', 'PREPARED', { intentId: 'dx_1', deadlineMs: 5_000, prepared: '{}' })
  journal.intents.move('a', 'ASKED', { blockNumber: 12 })
  journal.intents.update('a', { topic: 't', walletRequestId: '99' })
  expect(() => journal.intents.move('a', 'SENT')).toThrow('An intent does not go from ASKED to SENT')
  expect(journal.intents.move('a', 'SIGNED').unsentSignature).toBe(true)
  expect(journal.intents.move('a', 'SENT').unsentSignature).toBe(false)
  journal.intents.move('a', 'UNKNOWN', { reason: { code: 'relay_lost' } }, { code: 'said', text: 'timeout' })
  expect(journal.intents.open('practice').map((row) => row.ref)).toEqual(['a'])
  const final = journal.intents.move('a', 'FINAL', { txHash: '0xab', confirmations: 8, reason: null })
  expect(final).toMatchObject({
    state: 'FINAL',
    intentId: 'dx_1',
    txHash: '0xab',
    confirmations: 8,
    reason: null,
    topic: 't',
    walletRequestId: '99',
    blockNumber: 12,
    deadlineMs: 5_000,
  })

  expect(journal.intents.open('practice')).toEqual([])
  expect(journal.intents.byIntentId('practice', 'dx_1')?.ref).toBe('a')
  expect(journal.intents.byIntentId('other', 'dx_1')).toBe(null)
  expect(journal.intents.timeline('a').map(({ state, note }) => [state, note])).toEqual([
    ['PLANNED', null],
    ['PREPARED', null],
    ['ASKED', null],
    ['SIGNED', null],
    ['SENT', null],
    ['UNKNOWN', { code: 'said', text: 'timeout' }],
    ['FINAL', null],
  ])
  expect(journal.intents.move('a', 'CONFIRMING', { confirmations: 2 }).state).toBe('CONFIRMING')
})

test('the journal lists intents newest first, by wallet and in pages', () => {
  let now = 0
  const journal = open({ now: () => (now += 1), monotonic: () => 0 })
  for (let count = 1; count <= 5; count += 1) journal.intents.plan(anIntent(`r${count}`, { wallet: count % 2 === 0 ? '0xbb' : '0xaa' }))
  const page = journal.intents.list('practice', { wallet: '0xaa', beforeMs: null, limit: 2 })
  expect(page.total).toBe(3)
  expect(page.intents.map((row) => row.ref)).toEqual(['r5', 'r3'])
  const next = journal.intents.list('practice', { wallet: '0xaa', beforeMs: page.intents.at(-1)?.createdAtMs ?? null, limit: 2 })
  expect(next.intents.map((row) => row.ref)).toEqual(['r1'])

  journal.intents.plan(anIntent('r6', { wallet: '0xaa' }))
  const newest = { beforeMs: null, limit: 1 }
  const total = (wallet: string | null) => journal.intents.list('practice', { ...newest, wallet }).total
  expect([total('0xaa'), total('0xbb'), total(null), journal.intents.list('elsewhere', { ...newest, wallet: null }).total]).toEqual([4, 2, 6, 0])
})

test('the journal stores key creations, the list of stored secrets, requests and named values [KEY-16]', () => {
  const journal = open()
  const operation = {
    id: 'o1',
    profileId: 'practice',
    wallet: '0xaa',
    kind: 'create',
    label: 'bot',
    keyId: null,
    keyIdsBefore: ['k1', 'k2'],
    marker: 'm1',
    draft: '{"a":1}',
  } as const
  journal.secretOperations.plan(operation)
  expect(journal.secretOperations.unsettled('practice')).toMatchObject([{ ...operation, state: 'PLANNED' }])
  expect(() => journal.secretOperations.move('o1', 'STORED')).toThrow('does not go from PLANNED to STORED')
  journal.secretOperations.move('o1', 'SENT')
  expect(() => journal.secretOperations.move('o1', 'PLANNED')).toThrow('does not go from SENT to PLANNED')
  expect(journal.secretOperations.move('o1', 'STORED', { keyId: 'k3' })).toMatchObject({ state: 'STORED', keyId: 'k3', note: null })
  expect(journal.secretOperations.unsettled('practice')).toEqual([])
  expect(journal.secretOperations.move('o1', 'VERIFIED', { note: 'secret_found' })).toMatchObject({ keyId: 'k3', note: 'secret_found' })

  journal.secretIndex.remember({ profileId: 'practice', wallet: '0xaa', keyId: 'k3', account: 'key/practice/k3', label: 'bot' })
  expect(journal.secretIndex.list('practice')).toMatchObject([{ keyId: 'k3', account: 'key/practice/k3' }])
  journal.secretIndex.forget('practice', 'k3')
  expect(journal.secretIndex.list('practice')).toEqual([])

  const record = {
    id: 'dsk-1',
    atMs: 5,
    method: 'GET',
    path: '/api/dex/v1/markets',
    endpoint: 'GET /markets',
    status: 200,
    ms: 3,
    requestId: 'srv-1',
    outcome: 'ok',
    attempt: 1,
    intentRef: null,
    host: null,
  }
  journal.requests.add('practice', record)
  journal.requests.add('practice', { ...record, id: 'dsk-2', intentRef: 'a' })
  expect(journal.requests.list('practice', 10).map((row) => row.id)).toEqual(['dsk-2', 'dsk-1'])
  expect(journal.requests.ofIntent('a').map((row) => row.id)).toEqual(['dsk-2'])
  expect(journal.requests.list('practice', 1)[0]).toEqual({ ...record, id: 'dsk-2', intentRef: 'a' })

  journal[raw].values.set('a_b', '1')
  journal[raw].values.set('axb', '2')
  expect(journal[raw].values.withPrefix('a_')).toEqual([{ name: 'a_b', value: '1', version: 1 }])
  journal[raw].values.set('a_b', null)
  expect(journal[raw].values.get('a_b')).toBe(null)
})

test('the journal writes the buffered request log to its file when it closes', () => {
  const journal = open()
  journal.requests.add('practice', {
    id: 'dsk-1',
    atMs: 5,
    method: 'GET',
    path: '/x',
    endpoint: 'GET /x',
    status: 200,
    ms: 3,
    requestId: null,
    outcome: 'ok',
    attempt: 1,
    intentRef: null,
    host: null,
  })
  close(journal)
  expect(
    open()
      .requests.list('practice', 10)
      .map((row) => row.id),
  ).toEqual(['dsk-1'])
})

test('the app keeps the journal in memory and blocks new risk when the journal’s folder cannot be created', () => {
  writeFileSync(join(folder, 'not-a-folder'), '')
  const journal = open(systemClock, join(folder, 'not-a-folder', 'journal.db'))
  expect(journal.state()).toBe('memory_only')
  expect(journal.takesNewRisk()).toBe(false)
  journal.intents.plan(anIntent('a'))
  expect(journal.intents.get('a')?.state).toBe('PLANNED')
  expect(existsSync(join(folder, 'not-a-folder', 'journal.db'))).toBe(false)
})
