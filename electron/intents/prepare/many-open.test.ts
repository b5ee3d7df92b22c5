import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Agent } from 'undici'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { keyCredential, type TestClient, testClient } from '../../../e2e/support/api/client.ts'
import { json, startService, type TestService } from '../../../e2e/support/api/service.ts'
import { anIntent } from '../../../e2e/support/journal/an-intent.ts'
import { createMemoryVault } from '../../../e2e/support/main/memory-vault.ts'
import { endpoints } from '../../../shared/api/endpoints/all-endpoints.ts'
import { ok } from '../../../shared/result.ts'
import { coalescing } from '../../service/api/kept-reads.ts'
import type { Credentials } from '../../service/credentials/credentials.ts'
import { polling } from '../../service/polling/polling-rate.ts'
import { openJournal, type SqliteJournal } from '../../store/journal/tables/sqlite-journal.ts'
import { createNamedLocks } from '../engine/engine-parts.ts'
import { createIntentCalls } from '../engine/intent-calls.ts'
import { createIntentRepository } from '../engine/intent-repository.ts'
import { createTracker, type Tracker } from '../engine/tracker.ts'
import { createSignedMethod } from '../methods/signed/signed.ts'

const count = 40
const profile = { id: 'practice', kind: 'live', hostUrl: 'http://127.0.0.1', practiceWallet: null } as const
const wallet = '0x00000000000000000000000000000000000000aa'
const hashOf = (index: number) => `0x${index.toString(16).padStart(64, '0')}`

let folder: string
let service: TestService
let client: TestClient
let journal: SqliteJournal
let tracker: Tracker
let arrived: { readonly path: string }[]

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-desk-'))
  service = await startService()
  // In this test, only the app’s own waits advance the simulated clock. So the results do not depend on the speed of the computer.
  const start = Date.now()
  client = testClient(service.hostUrl, new Agent({ connections: 4 }), { now: () => start, monotonic: () => 0 })
  arrived = []
  service.answer = (request, response) => {
    arrived.push({ path: request.path })
    if (request.path.includes('by-client-id')) json(response, 404, { code: 'NOT_FOUND' })
    else json(response, 200, request.path.includes('native') ? { finality: 'PENDING' } : { transactions: { items: [], next_cursor: null, has_more: false } })
  }
  journal = openJournal({ file: join(folder, 'journal.sqlite'), clock: client.clock })
  // Every second intent is SUBMITTED with a transaction; the others are UNKNOWN.
  for (let index = 0; index < count; index += 1) {
    const { ref } = journal.intents.plan(anIntent(`r${index}`, { wallet }))
    for (const state of ['PREPARED', 'ASKED', 'SIGNED', 'SENT'] as const)
      journal.intents.move(ref, state, { intentId: `dx_${index}`, deadlineMs: client.clock.now() + 3_600_000 })
    if (index % 2 === 0) journal.intents.move(ref, 'SUBMITTED', { txHash: hashOf(index) })
    else journal.intents.move(ref, 'UNKNOWN')
    client.advance(10)
  }
  const api = polling(coalescing(client.api, client.clock))
  const clock = { ...client.clock, known: () => true }
  const repository = createIntentRepository({
    profile,
    journal,
    vault: createMemoryVault(),
    emit: () => {},
    wallet: { shown: () => ok(wallet) },
    fillOf: async () => null,
  })
  const credentials: Pick<Credentials, 'forScope'> = { forScope: async () => ok({ ...keyCredential, wallet }) }
  const calls = createIntentCalls({ api, credentials })
  const method = createSignedMethod({ repository, calls, clock })
  tracker = createTracker({ ...{ profile, journal, locks: createNamedLocks(), clock, every: () => () => {} }, methodOf: () => method })
})
afterEach(async () => {
  await client.api.close()
  await service.close()
  journal.close()
  rmSync(folder, { recursive: true })
})

/** Runs the intent tracker once per simulated second, for `seconds` seconds. If a run takes longer than a second, the next run starts late. */
async function live(seconds: number): Promise<void> {
  const until = client.clock.monotonic() + seconds * 1_000
  while (client.clock.monotonic() < until) {
    const began = client.clock.monotonic()
    await tracker.tick()
    client.advance(Math.max(0, 1_000 - (client.clock.monotonic() - began)))
  }
}
/** The highest number of calls that were made within any one second. */
const busiest = () => Math.max(...client.admitted.map((from) => client.admitted.filter((at) => at >= from && at < from + 1_000).length))

test('with forty open intents, the app sends at most five requests a second, looks up every intent, and looks up the newest more often', async () => {
  await live(60)
  expect(busiest()).toBeLessThanOrEqual(5)
  const asked = (index: number) => client.records.filter(({ intentRef }) => intentRef === `r${index}`).length
  const times = Array.from({ length: count }, (_, index) => asked(index))
  expect(Math.min(...times)).toBeGreaterThanOrEqual(1)
  expect(times.at(-2)).toBeGreaterThan(3 * (times[0] ?? 0))
})

test('the app sends a read that the user requested before its background lookups of open intents', async () => {
  const passing = live(3)
  await expect.poll(() => arrived.length).toBeGreaterThan(0)
  const before = arrived.length
  const credential = { ...keyCredential, wallet }
  const pressed = client.api.call(endpoints.getPositions, { params: {}, query: {}, body: undefined, credential })
  await pressed
  const place = arrived.findIndex(({ path }) => path.endsWith('/positions'))
  expect(place).toBeGreaterThanOrEqual(0)
  // Only calls that had already started may arrive before the user’s call.
  expect(place - before).toBeLessThanOrEqual(5)
  await passing
})

test('a 429 from the service pauses the app’s background polling, but a cancellation by the user is sent at once', async () => {
  service.answer = (request, response) => {
    if (request.method === 'POST') return json(response, 400, { code: 'VALIDATION_ERROR' })
    arrived.push({ path: request.path })
    json(response, 429, { code: 'RATE_LIMITED' }, { 'retry-after': '30' })
  }
  await tracker.tick()
  const first = arrived.length
  await live(20)
  expect(arrived.length).toBe(first)
  const began = client.clock.monotonic()
  const answer = await client.api.call(endpoints.prepareOrder, {
    params: {},
    query: {},
    body: { action: 'cancel_order', payload: {} },
    credential: { ...keyCredential, wallet },
    urgency: 'exit',
  })
  expect(answer).toMatchObject({ ok: false, failure: { sent: 'answered', failure: { code: 'VALIDATION_ERROR' } } })
  expect(client.clock.monotonic() - began).toBeLessThan(1_000)
})
