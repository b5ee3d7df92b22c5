import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { systemClock } from '../../shared/time.ts'
import { openJournal, type SqliteJournal } from '../journal/sqlite-journal.ts'
import { failure, value } from '../testing/desk.ts'
import { createApprovals, patienceMs } from './approvals.ts'
import { createGrants } from './grants.ts'

const asked = {
  kind: 'run',
  profile: { id: 'p1', name: 'Main', kind: 'live' },
  key: { id: 'k1', label: 'bot', wallet: '0xA' },
  words: ['node', 'bot.js'],
  program: '/usr/bin/node',
  webhook: null,
  folder: '/home/me',
} as const
const request = { ...asked, words: [...asked.words] }

let folder: string
let journal: SqliteJournal
beforeEach(() => {
  vi.useFakeTimers()
  folder = mkdtempSync(join(tmpdir(), 'svc-desk-approvals-'))
  journal = openJournal({ file: join(folder, 'desk.db'), clock: systemClock })
})
afterEach(() => {
  journal.close()
  rmSync(folder, { recursive: true, force: true })
  vi.useRealTimers()
})

function set() {
  let ids = 0
  const newId = () => `id-${++ids}`
  const said: string[] = []
  const approvals = createApprovals({
    grants: createGrants({ values: journal.values, clock: systemClock, newId }),
    clock: systemClock,
    newId,
    changed: () => said.push('changed'),
    attract: () => said.push('attract'),
  })
  const pending = async () => value(await approvals.handlers['terminal.pending']({}))
  return { said, approvals, pending, ask: (gone = new AbortController().signal) => approvals.ask(request, () => said.push('asking'), gone) }
}

test('a question that nobody answers is over after a minute, and cannot be answered any more', async () => {
  const { ask, pending, approvals, said } = set()
  const verdict = ask()
  const [shown] = await pending()
  expect(said).toEqual(['asking', 'changed', 'attract'])
  expect((shown?.expiresAtMs ?? 0) - (shown?.atMs ?? 0)).toBe(patienceMs)
  await vi.advanceTimersByTimeAsync(patienceMs)
  expect(await verdict).toBe('expired')
  expect(await pending()).toEqual([])
  expect(failure(await approvals.handlers['terminal.answer']({ id: shown?.id ?? '', answer: 'once' }))).toEqual({ kind: 'not_found', what: 'request' })
})

test('one answer counts once', async () => {
  const { ask, pending, approvals } = set()
  const verdict = ask()
  const [shown] = await pending()
  value(await approvals.handlers['terminal.answer']({ id: shown?.id ?? '', answer: 'deny' }))
  expect(failure(await approvals.handlers['terminal.answer']({ id: shown?.id ?? '', answer: 'once' })).kind).toBe('not_found')
  expect(await verdict).toBe('denied')
})

test('so many may wait and no more; a command that has gone asks nothing', async () => {
  const { ask, pending } = set()
  const waiting = Array.from({ length: 8 }, () => ask())
  expect(await ask()).toBe('busy')
  expect(await ask(AbortSignal.abort())).toBe('withdrawn')
  expect(await pending()).toHaveLength(8)
  await vi.advanceTimersByTimeAsync(patienceMs)
  expect(await Promise.all(waiting)).toEqual(Array.from({ length: 8 }, () => 'expired'))
})

test('what was allowed for good outlives the app, and what another version wrote allows nothing', async () => {
  const first = set()
  const verdict = first.ask()
  const [shown] = await first.pending()
  value(await first.approvals.handlers['terminal.answer']({ id: shown?.id ?? '', answer: 'always' }))
  expect(await verdict).toBe('granted')
  expect(await set().ask()).toBe('granted_before')

  const [kept] = journal.values.withPrefix('terminal/grant/')
  journal.values.set(kept?.name ?? '', JSON.stringify({ ...JSON.parse(kept?.value ?? '{}'), program: undefined }))
  const later = set()
  void later.ask()
  expect(await later.pending()).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(patienceMs)
})
