import { spawn } from 'node:child_process'
import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Clock, systemClock } from '../../shared/time.ts'
import { lostJournalMark } from './journal.ts'
import { openJournal, type SqliteJournal } from './sqlite-journal.ts'
import { anIntent } from './testing/an-intent.ts'

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

test('a new journal is ready, takes new risk and is for its user alone', () => {
  const journal = open()
  expect(journal.state()).toBe('ready')
  expect(journal.takesNewRisk()).toBe(true)
  expect(statSync(file).mode & 0o077).toBe(0)
})

test('a clock that is corrected backwards makes nothing that happened later look older', () => {
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

test('refuses a second opener, and loses nothing of the first', () => {
  const first = open()
  first.intents.plan(anIntent('a'))
  expect(() => openJournal({ file, clock: systemClock })).toThrowError(expect.objectContaining({ failure: { kind: 'journal', issue: 'unavailable' } }))
  first.intents.move('a', 'PREPARED')
  close(first)
  expect(open().intents.get('a')?.state).toBe('PREPARED')
})

test('refuses a journal that a newer version of the app wrote, and leaves it alone', () => {
  close(open())
  const database = new DatabaseSync(file)
  database.exec('PRAGMA user_version = 999')
  database.close()
  expect(() => openJournal({ file, clock: systemClock })).toThrowError(expect.objectContaining({ failure: { kind: 'journal', issue: 'unavailable' } }))
  expect(readdirSync(folder).filter((name) => name.includes('corrupt'))).toEqual([])
})

test('nothing that was acknowledged is lost when the process is killed, ten times over', async () => {
  let acknowledged = 0
  for (let round = 0; round < 10; round += 1) {
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', join(import.meta.dirname, 'testing/writer.ts'), file], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
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
      // The one under way may be a step ahead of what it said.
      expect(state === 'PREPARED' ? ['PREPARED'] : ['PLANNED', 'PREPARED']).toContain(row?.state)
      expect(journal.intents.timeline(ref).at(-1)?.state).toBe(row?.state)
    }
    close(journal)
  }
  expect(acknowledged).toBeGreaterThan(200)
}, 60_000)

test('a torn write-ahead log costs the last entries at most, and the journal stays ready', () => {
  const journal = open()
  for (let count = 0; count < 50; count += 1) journal.intents.plan(anIntent(`r${count}`))
  const torn = join(folder, 'torn.db')
  copyFileSync(file, torn)
  copyFileSync(`${file}-wal`, `${torn}-wal`)
  close(journal)
  truncateSync(`${torn}-wal`, statSync(`${torn}-wal`).size - 3_000)

  const again = open(systemClock, torn)
  expect(again.state()).toBe('ready')
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
])('sets a corrupt file aside (%s), holds new risk back until the user agrees, and never deletes it', (_what, damage) => {
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

  // What reduces risk goes on, and is on disk.
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
  // What the user had settled in it stays gone, whatever was agreed to.
  expect(later.values.get(lostJournalMark)).toBe('journal.corrupt-2026-11-21T02-30-00-000Z.db')
})

test('the same request in flight twice is refused by its idempotency key [ORD-06]', () => {
  const journal = open()
  journal.intents.plan(anIntent('a', { idempotencyKey: 'desk-same-key' }))
  expect(() => journal.intents.plan(anIntent('b', { idempotencyKey: 'desk-same-key' }))).toThrow(/UNIQUE/)
  expect(journal.intents.get('b')).toBe(null)
  expect(journal.intents.timeline('b')).toEqual([])
  expect(journal.state()).toBe('ready')
})

test('what belongs together is written whole or not at all [ORD-06]', () => {
  const journal = open()
  journal.intents.plan(anIntent('a'))
  const halfway = () =>
    journal.together(() => {
      journal.intents.move('a', 'PREPARED', { intentId: 'dx_1' })
      journal.values.set('half', 'way')
      throw new Error('the process met its end here')
    })
  expect(halfway).toThrow('the process met its end here')
  expect(journal.intents.get('a')).toMatchObject({ state: 'PLANNED', intentId: null })
  expect(journal.intents.timeline('a').map(({ state }) => state)).toEqual(['PLANNED'])
  expect(journal.values.get('half')).toBe(null)
})

test('follows an intent through its states, and refuses a step that is none', () => {
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
  journal.intents.move('a', 'UNKNOWN', { reason: 'the answer was lost' }, 'timeout')
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
    ['UNKNOWN', 'timeout'],
    ['FINAL', null],
  ])
  // A reorganisation takes it back.
  expect(journal.intents.move('a', 'CONFIRMING', { confirmations: 2 }).state).toBe('CONFIRMING')
})

test('lists intents newest first, by wallet and in pages', () => {
  let now = 0
  const journal = open({ now: () => (now += 1), monotonic: () => 0 })
  for (let count = 1; count <= 5; count += 1) journal.intents.plan(anIntent(`r${count}`, { wallet: count % 2 === 0 ? '0xbb' : '0xaa' }))
  const page = journal.intents.list('practice', { wallet: '0xaa', beforeMs: null, limit: 2 })
  expect(page.total).toBe(3)
  expect(page.intents.map((row) => row.ref)).toEqual(['r5', 'r3'])
  const next = journal.intents.list('practice', { wallet: '0xaa', beforeMs: page.intents.at(-1)?.createdAtMs ?? null, limit: 2 })
  expect(next.intents.map((row) => row.ref)).toEqual(['r1'])

  // One that comes after they were counted is counted too, for its wallet and for all.
  journal.intents.plan(anIntent('r6', { wallet: '0xaa' }))
  const newest = { beforeMs: null, limit: 1 }
  const total = (wallet: string | null) => journal.intents.list('practice', { ...newest, wallet }).total
  expect([total('0xaa'), total('0xbb'), total(null), journal.intents.list('elsewhere', { ...newest, wallet: null }).total]).toEqual([4, 2, 6, 0])
})

test('keeps calls with one-time secrets, the key index, requests and values [KEY-16]', () => {
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
  expect(journal.secretOperations.move('o1', 'VERIFIED', { note: 'seen' })).toMatchObject({ keyId: 'k3', note: 'seen' })

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

  journal.values.set('a_b', '1')
  journal.values.set('axb', '2')
  expect(journal.values.withPrefix('a_')).toEqual([{ name: 'a_b', value: '1' }])
  journal.values.set('a_b', null)
  expect(journal.values.get('a_b')).toBe(null)
})

test('requests that wait to be written are there after a close', () => {
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

test('a folder that cannot be made leaves a journal in memory that takes no new risk', () => {
  writeFileSync(join(folder, 'not-a-folder'), '')
  const journal = open(systemClock, join(folder, 'not-a-folder', 'journal.db'))
  expect(journal.state()).toBe('memory_only')
  expect(journal.takesNewRisk()).toBe(false)
  journal.intents.plan(anIntent('a'))
  expect(journal.intents.get('a')?.state).toBe('PLANNED')
  expect(existsSync(join(folder, 'not-a-folder', 'journal.db'))).toBe(false)
})
