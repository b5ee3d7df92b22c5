import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { failure, value } from '../../e2e/support/main/workspace.ts'
import { type Clock, hour, minute } from '../../shared/time.ts'
import { type Approvals, createApprovals, patienceMs } from './terminal.ts'
import { createGrants } from './terminal-grants.ts'

const asked = {
  kind: 'run',
  profile: { id: 'p1', name: 'Main', kind: 'live' },
  key: { id: 'k1', label: 'bot', wallet: '0xA' },
  words: ['node', 'bot.js'],
  program: '/usr/bin/node',
  webhook: null,
  folder: '/home/me',
  caller: null,
  each: null,
  print: 'of its bytes',
  storedAtMs: [1, null],
} as const
const request: Parameters<Approvals['ask']>[0] = { ...asked, words: [...asked.words] }

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

let now = 0
let slept = 0
const clock: Clock = { now: () => Date.now() + now + slept, monotonic: () => Date.now() + now }

function set() {
  let ids = 0
  const newId = () => `id-${++ids}`
  const said: string[] = []
  const grants = createGrants({ clock, newId })
  const approvals = createApprovals({
    grants,
    clock,
    newId,
    changed: () => said.push('changed'),
    attract: () => said.push('attract'),
  })
  const pending = async () => value(await approvals.handlers['terminal.pending']({}))
  return {
    said,
    approvals,
    pending,
    grants,
    ask: (gone = new AbortController().signal, asked = request) => approvals.ask(asked, () => said.push('asking'), gone),
  }
}

test('the app’s request to approve a svc-desk command expires if the user does not answer for a minute, and then accepts no answer', async () => {
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

test('the app accepts only the first answer of the user to a svc-desk command’s approval request', async () => {
  const { ask, pending, approvals } = set()
  const verdict = ask()
  const [shown] = await pending()
  value(await approvals.handlers['terminal.answer']({ id: shown?.id ?? '', answer: 'deny' }))
  expect(failure(await approvals.handlers['terminal.answer']({ id: shown?.id ?? '', answer: 'once' })).kind).toBe('not_found')
  expect(await verdict).toBe('denied')
})

test('the app limits how many svc-desk commands wait for approval at once, and asks nothing about a command that has ended', async () => {
  const { ask, pending } = set()
  const waiting = Array.from({ length: 8 }, () => ask())
  expect(await ask()).toBe('busy')
  expect(await ask(AbortSignal.abort())).toBe('withdrawn')
  expect(await pending()).toHaveLength(8)
  await vi.advanceTimersByTimeAsync(patienceMs)
  expect(await Promise.all(waiting)).toEqual(Array.from({ length: 8 }, () => 'expired'))
})

async function allow(asked = request) {
  const { ask, pending, approvals, grants } = set()
  const verdict = ask(undefined, asked)
  const [shown] = await pending()
  value(await approvals.handlers['terminal.answer']({ id: shown?.id ?? '', answer: 'always' }))
  expect(await verdict).toBe('granted')
  /** Repeats the request. Returns `granted_before`, or `expired` if the app asks the user, who does not answer. */
  const again = async (change: Partial<typeof request> = {}) => {
    const next = ask(undefined, { ...asked, ...change })
    await vi.advanceTimersByTimeAsync(patienceMs)
    return next
  }
  return { again, grants }
}

test('an approval that lets a svc-desk command run again expires after 12 hours by the wall clock or the monotonic clock [V9]', async () => {
  const { again } = await allow()
  expect(await again()).toBe('granted_before')
  now += 12 * hour - 4 * minute
  expect(await again()).toBe('granted_before')
  now += 4 * minute
  expect(await again()).toBe('expired')

  const other = await allow()
  slept += 12 * hour
  expect(await other.again()).toBe('expired')
})

test('approvals that let svc-desk commands run again end when the app locks, and do not return after a restart [V9]', async () => {
  const { again, grants } = await allow()
  grants.clear()
  expect(await again()).toBe('expired')
  expect(set().grants.list()).toEqual([])
})

test.each([
  ['another program', { program: '/usr/bin/other' }],
  ['a program of the same name with other bytes', { print: 'of other bytes' }],
  ['a program that cannot be told', { print: null }],
  ['a secret that was rotated', { storedAtMs: [2, null] }],
  ['one word more', { words: [...asked.words, '--all'] }],
  ['another folder', { folder: '/tmp' }],
  ['another key', { key: { ...asked.key, id: 'k2' } }],
  ['another profile', { profile: { ...asked.profile, id: 'p2' } }],
])('the user’s permission for a terminal command does not cover %s; the app asks again [V9] [35]', async (_what, change) => {
  const { again } = await allow()
  expect(await again(change)).toBe('expired')
  expect(await again()).toBe('granted_before')
})

test('the app remembers no approval of a svc-desk command that must ask each time, even if the user answers “always” [V9]', async () => {
  const { again, grants } = await allow({ ...request, each: 'interpreter', print: null })
  expect(grants.list()).toEqual([])
  expect(await again()).toBe('expired')
})
