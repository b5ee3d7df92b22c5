import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { brokenReceivers, createReceiver, type Faults, testSecret } from '../../../e2e/support/webhooks/receivers.ts'
import { serve } from '../../../e2e/support/webhooks/serve.ts'
import { createTestTime } from '../../../e2e/support/webhooks/test-time.ts'
import type { ReceiverReport } from '../../../shared/ipc/webhooks/receiver-test.ts'
import { countsText, reportJson, reportMarkdown } from '../../../shared/text/receiver-test-text.ts'
import { sentEvents } from '../../../shared/webhooks/events.ts'
import { Secret } from '../../kernel/secret.ts'
import { createPost } from '../subscriptions/post.ts'
import { type ReceiverTestParts, type ReceiverTestRequest, testReceiver } from './receiver-test.ts'
import { effectsAt, readTarget } from './target.ts'

async function runAgainst(faults: Faults, over: Partial<ReceiverTestRequest> & { readonly blind?: boolean; readonly hurried?: boolean } = {}) {
  const time = createTestTime()
  const receiver = createReceiver(time, faults)
  await using served = await serve(receiver)
  let ids = 0
  const report = await testReceiver(
    {
      post: createPost(time),
      clock: time.clock,
      // If not `hurried`, each wait takes five minutes longer, as on a computer that goes to sleep.
      sleep: (ms, signal) => time.sleep(over.hurried === false ? ms + 300_000 : ms, signal),
      newId: () => `evt_test_${++ids}`,
    },
    {
      target: { url: served.url, confirm: null },
      confirmHost: null,
      secret: new Secret(testSecret),
      throwaway: true,
      effects: over.blind ? null : effectsAt(served.effectsUrl),
      ...over,
    },
  )
  return { report, receiver, time, incoming: served.incoming }
}
const idsOf = (report: ReceiverReport | null, result: string) => report?.checks.filter((check) => check.result === result).map(({ id }) => id) ?? []

test('the receiver test passes a correct receiver on every check, and sends the same requests as the service [HOOK-05] [HOOK-07] [HOOK-08]', async () => {
  const { report, receiver, time, incoming } = await runAgainst({})
  expect(report).toMatchObject({ verdict: 'passed', secret: 'throwaway' })
  expect(report?.checks.filter(({ result }) => result !== 'passed')).toEqual([])
  expect(new Set(receiver.acted).size).toBe(receiver.acted.length)
  const types = incoming.map(({ headers }) => headers['x-svc-event'])
  expect(sentEvents.filter((type) => !types.includes(type))).toEqual([])
  expect(types).not.toContain('liquidation.warning')
  // The second request is the retry: the same event 2 s later, with a new timestamp and signature.
  const [first, second] = incoming.filter(({ raw }, at) =>
    incoming.some((other, place) => place !== at && other.raw.equals(raw) && other.headers['x-svc-event'] === 'position.changed'),
  )
  expect(second?.headers['x-svc-event-id']).toBe(first?.headers['x-svc-event-id'])
  expect(Number(second?.headers['x-svc-timestamp'])).toBe(Number(first?.headers['x-svc-timestamp']) + 2)
  expect(second?.headers['x-svc-signature']).toBe(
    `v1=${createHmac('sha256', testSecret)
      .update(`${second?.headers['x-svc-timestamp']}.`)
      .update(second?.raw ?? '')
      .digest('hex')}`,
  )
  expect(time.waits[0]).toBe(2_000)
  expect(incoming.every(({ headers }) => headers['user-agent'] === 'Svc-DEX-Webhook/1.0')).toBe(true)
  expect(incoming.some(({ headers }) => headers['x-svc-event-id']?.length === 96)).toBe(true)
})

test.each(brokenReceivers)(
  'the receiver test’s check $found detects a receiver that $fault [HOOK-06] [HOOK-07] [HOOK-08]',
  async ({ faults, found, besides = [] }) => {
    const { report } = await runAgainst(faults)
    expect(report?.verdict).toBe('failed')
    expect(idsOf(report, 'failed').toSorted()).toEqual([found, ...besides].toSorted())
  },
)

test('the receiver test reports as unknown whether the receiver acted on a delivery, if the receiver does not report its actions [HOOK-07]', async () => {
  const { report } = await runAgainst({ actsTwice: true }, { blind: true })
  expect(report?.verdict).toBe('passed')
  expect(idsOf(report, 'unknown')).toEqual(['acted_once', 'acted_on_forged'])
})

test('the receiver test retries after 2, 4 and 8 s when the receiver fails temporarily, and then stops [HOOK-08]', async () => {
  const once = await runAgainst({ answers: ({ type, id }, { seen }) => (type === 'order.filled' && !seen.has(id) ? { status: 503 } : undefined) })
  expect(once.report?.verdict).toBe('passed')
  expect(once.report?.checks[0]?.why).toEqual({ code: 'taken', count: 1, retried: 1 })

  const always = await runAgainst({ answers: () => ({ status: 500 }) })
  expect(always.time.waits).toEqual([2_000, 4_000, 8_000])
  const [valid] = always.report?.checks ?? []
  expect(valid).toMatchObject({ id: 'valid', result: 'failed', why: { code: 'not_taken', got: { status: 500 }, attempt: 4 } })
  const first = valid?.exchanges[0]?.sent.timestampS ?? 0
  expect(valid?.exchanges.map(({ sent }) => [sent.attempt, sent.timestampS - first])).toEqual([
    [1, 0],
    [2, 2],
    [3, 6],
    [4, 14],
  ])
  expect(new Set(valid?.exchanges.map(({ sent }) => sent.eventId)).size).toBe(1)
  // This receiver accepts no valid delivery, so its refusals of forged deliveries prove nothing. The checks with forged deliveries therefore don't
  // pass.
  expect(idsOf(always.report, 'passed')).toEqual(['in_time', 'redirect'])
  expect(always.report?.checks.find(({ id }) => id === 'acted_once')?.why).toEqual({ code: 'not_tried' })
})

test('the receiver test reports an unreachable address once and skips the other checks', async () => {
  const time = createTestTime()
  const served = await serve(createReceiver(time))
  await served[Symbol.asyncDispose]()
  const parts = { post: createPost(time), clock: time.clock, sleep: time.sleep, newId: () => 'evt_1' }
  const target = { url: served.url, confirm: null }
  const report = await testReceiver(parts, { target, confirmHost: null, secret: new Secret(testSecret), throwaway: false, effects: null })
  expect(idsOf(report, 'failed')).toEqual(['valid'])
  expect(report?.checks[0]?.why).toMatchObject({ code: 'not_taken', got: { outcome: 'unreachable', code: 'ECONNREFUSED' } })
  expect(report?.checks.flatMap(({ exchanges }) => exchanges)).toHaveLength(1)
})

test('the receiver test stops at once when the user asks for it, and automatically after 5 minutes', async () => {
  const stop = new AbortController()
  const stopped = await runAgainst({}, { signal: stop.signal, onCheck: ({ id }) => id === 'event_types' && stop.abort() })
  expect(stopped.report?.verdict).toBe('stopped')
  expect(idsOf(stopped.report, 'passed').filter((id) => id !== 'in_time' && id !== 'redirect')).toEqual(['valid', 'event_types'])
  expect(stopped.incoming).toHaveLength(12)

  const { time, report } = await runAgainst({}, { hurried: false })
  expect(time.clock.monotonic()).toBeGreaterThan(300_000)
  expect(report?.verdict).toBe('stopped')
  expect(report?.checks.find(({ id }) => id === 'stale')).toMatchObject({ result: 'unknown', why: { code: 'out_of_time' }, exchanges: [] })
})

test('the receiver test does not blame the receiver for a delivery that was cut off because the user stopped the test [HOOK-08]', async () => {
  const time = createTestTime()
  const stop = new AbortController()
  let sent = 0
  const post: ReceiverTestParts['post'] = async () => {
    sent += 1
    if (sent === 1) return { outcome: 'answered', status: 401, ms: 1, excerpt: '' }
    stop.abort()
    return { outcome: 'stopped', ms: 1 }
  }
  const report = await testReceiver(
    { post, clock: time.clock, sleep: time.sleep, newId: () => 'evt_1' },
    {
      ...{ target: { url: 'http://127.0.0.1:9/in', confirm: null }, confirmHost: null, secret: new Secret(testSecret), throwaway: false, effects: null },
      signal: stop.signal,
    },
  )
  expect(idsOf(report, 'failed')).toEqual(['valid'])
  expect(report?.checks.find(({ id }) => id === 'whole_secret')).toMatchObject({ result: 'unknown', why: { code: 'stopped' } })
})

test('the receiver test sends nothing to a public host until the user types the host’s name', async () => {
  const lookUp = async () => ['93.184.216.34']
  expect(await readTarget('https://bots.example/in', lookUp)).toEqual({ ok: true, value: { url: 'https://bots.example/in', confirm: 'bots.example' } })
  expect(await readTarget('http://localhost:4000/in', lookUp)).toMatchObject({ ok: true, value: { confirm: null } })
  expect(await readTarget('https://bots.example/in', async () => ['10.0.0.1'])).toMatchObject({ ok: false, failure: expect.stringContaining('10.0.0.1') })
  expect(await readTarget('http://bots.example/in', lookUp)).toMatchObject({ ok: false })
  for (const confirmHost of [null, '', 'bots', 'bots.example.org']) {
    const time = createTestTime()
    const receiver = createReceiver(time)
    await using served = await serve(receiver)
    const parts = { post: createPost(time), clock: time.clock, sleep: time.sleep, newId: () => 'evt_1' }
    const target = { url: served.url, confirm: 'bots.example' }
    expect(await testReceiver(parts, { target, confirmHost, secret: new Secret(testSecret), throwaway: true, effects: null })).toBe(null)
    expect(served.incoming).toEqual([])
  }
})

test('the receiver test’s report lists every request and its answer, but neither the secret nor a signature [HOOK-08]', async () => {
  const { report, incoming } = await runAgainst({})
  if (report === null) throw new Error('no report')
  const texts = [reportJson(report), reportMarkdown(report)]
  for (const text of texts) {
    expect(text).not.toContain('f00d')
    for (const { headers } of incoming) expect(text).not.toContain(headers['x-svc-signature']?.slice(3) || testSecret)
    expect(text).toContain('the last digit of the signature was changed')
    expect(text).toContain('evt_test_1')
  }
  expect(JSON.parse(texts[0] ?? '')).toMatchObject({ verdict: 'passed', startedAt: '2027-01-15T08:00:00.000Z', checks: expect.any(Array) })
  expect(texts[1]).toContain(`# Receiver test: passed`)
  expect(texts[1]).toContain(countsText(report))
})

test('the receiver test’s report replaces special characters in the receiver’s answer, and masks the secret and the URL’s query', async () => {
  const time = createTestTime()
  const answer = { outcome: 'answered', status: 200, ms: 1, excerpt: `got ${testSecret}|\`` } as const
  const report = await testReceiver(
    { post: async () => answer, clock: time.clock, sleep: time.sleep, newId: () => 'evt_1' },
    { target: { url: 'http://127.0.0.1:9/in?token=abc', confirm: null }, confirmHost: null, secret: new Secret(testSecret), throwaway: false, effects: null },
  )
  if (report === null) throw new Error('no report')
  expect(report.url).toBe('http://127.0.0.1:9/in?…')
  expect(reportJson(report)).toContain('got [secret]')
  expect(`${reportJson(report)}${reportMarkdown(report)}`).not.toContain('f00d')
  expect(reportMarkdown(report)).toContain("`200 got [secret]¦'`")
})
