import { createHmac } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { createMemoryVault } from '../../../e2e/support/main/memory-vault.ts'
import { failure, startWorkspace, value } from '../../../e2e/support/main/workspace.ts'
import { createReceiver, type Faults, type Receiver, testSecret } from '../../../e2e/support/webhooks/receivers.ts'
import { serve } from '../../../e2e/support/webhooks/serve.ts'
import { createTestTime } from '../../../e2e/support/webhooks/test-time.ts'
import type { AppEvent, Input } from '../../../shared/ipc/contract.ts'
import { fail, ok } from '../../../shared/result.ts'
import { createSaveText } from '../../kernel/files/write-private.ts'
import { Secret } from '../../kernel/secret.ts'
import { createPost } from '../subscriptions/post.ts'
import { createReceiverTests, type ReceiverTestDeps } from '../webhook-services.ts'

type Start = Input<'receiverTest.start'>
const kept = { kind: 'webhook', webhookId: 'wh_1' } as const

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-desk-receiver-test-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

function open(over: Partial<ReceiverTestDeps> = {}) {
  const time = createTestTime()
  const events: AppEvent[] = []
  const copied: Secret[] = []
  const revealed: Secret[] = []
  const files: string[] = []
  const logged: unknown[] = []
  let ids = 0
  const tests = createReceiverTests({
    ...time,
    post: createPost(time),
    newId: () => `evt_test_${++ids}`,
    stored: { secretOf: async (id) => ok(id === 'wh_1' ? new Secret(testSecret) : null) },
    lookUp: async () => ['93.184.216.34'],
    copySecret: async (secret) => {
      copied.push(secret)
      return 30_000
    },
    reveal: (_label, secret) => {
      revealed.push(secret)
      return { closesInMs: 60_000 }
    },
    saveText: createSaveText({ chooseToSave: async () => files.shift() ?? null }),
    ...{ vault: createMemoryVault(), profileId: 'practice' },
    emit: (event) => events.push(event),
    log: (...given) => logged.push(given),
    ...over,
  })
  const { handlers } = tests
  const state = async () => value(await handlers['receiverTest.state']({}))
  const start = (url: string, change: Partial<Start> = {}) =>
    handlers['receiverTest.start']({ url, effectsUrl: null, signWith: kept, confirmHost: null, ...change })
  const finished = async (...given: Parameters<typeof start>) => {
    value(await start(...given))
    await tests.settled()
    const { run } = await state()
    if (run?.verdict == null) throw new Error('no report')
    return run
  }
  return { tests, handlers, state, start, finished, time, events, copied, revealed, files, logged }
}

const receiver = (time: ReturnType<typeof createTestTime>, faults: Faults = {}, secret = testSecret) => createReceiver(time, faults, secret)

function hesitant(inner: Receiver) {
  const { promise: reached, resolve: reach } = Promise.withResolvers<void>()
  const { promise: released, resolve: goOn } = Promise.withResolvers<void>()
  let taken = 0
  const take: Receiver['take'] = async (incoming) => {
    taken += 1
    if (taken === 2) {
      reach()
      await released
    }
    return inner.take(incoming)
  }
  return { receiver: { acted: inner.acted, take }, reached, goOn }
}

const idsOf = (checks: readonly { readonly id: string; readonly result: string }[], result: string) =>
  checks.filter((check) => check.result === result).map(({ id }) => id)

test('the receiver test passes a correct receiver, fails a broken one for each fault, and reports each check as it ends [HOOK-06] [HOOK-08]', async () => {
  const workspace = open()
  const right = receiver(workspace.time)
  await using served = await serve(right)
  const report = await workspace.finished(served.url, { effectsUrl: served.effectsUrl })
  expect(report).toMatchObject({ verdict: 'passed', url: served.url })
  expect(report.checks.filter(({ result }) => result !== 'passed')).toEqual([])
  expect(report.checks.map(({ id }) => id)).toEqual(report.planned)
  expect(workspace.events.filter((event) => event.type === 'invalidate' && event.queries.includes('receiverTest.state'))).toHaveLength(
    report.planned.length + 1,
  )
  expect((await workspace.state()).setup).toEqual({ url: served.url, effectsUrl: served.effectsUrl, signWith: kept })

  await using broken = await serve(receiver(workspace.time, { toleranceS: Number.POSITIVE_INFINITY }))
  const failed = await workspace.finished(broken.url)
  expect(failed.verdict).toBe('failed')
  expect(idsOf(failed.checks, 'failed')).toEqual(['stale'])
  expect(idsOf(failed.checks, 'unknown')).toEqual(['acted_once', 'acted_on_forged'])
  expect(failed.checks.find(({ id }) => id === 'stale')?.exchanges).toMatchObject([{ sent: { altered: 'old_timestamp' }, answered: { status: 204 } }])
})

test('only one receiver test runs at a time; after the user stops one, it reports the results so far and another can start [HOOK-08]', async () => {
  const workspace = open()
  const slow = hesitant(receiver(workspace.time))
  await using served = await serve(slow.receiver)
  value(await workspace.start(served.url))
  await slow.reached
  expect((await workspace.state()).run).toMatchObject({ endedAtMs: null, verdict: null, checks: [{ id: 'valid', result: 'passed' }] })
  expect(failure(await workspace.start(served.url))).toMatchObject({ kind: 'wrong_state' })
  expect(failure(await workspace.handlers['receiverTest.saveReport']({ format: 'json' }))).toMatchObject({ kind: 'not_found' })

  value(await workspace.handlers['receiverTest.stop']({}))
  const { run } = await workspace.state()
  expect(run).toMatchObject({ verdict: 'stopped', endedAtMs: expect.any(Number) })
  expect(run?.checks.find(({ id }) => id === 'event_types')).toMatchObject({ result: 'unknown', why: { code: 'stopped' } })
  expect(run?.checks).toHaveLength(run?.planned.length ?? 0)
  slow.goOn()
  const sent = served.incoming.length
  expect(sent).toBe(2)
  expect((await workspace.finished(served.url)).verdict).toBe('passed')
})

test('the app starts only one receiver test if two starts arrive at the same time [HOOK-08]', async () => {
  const workspace = open()
  await using served = await serve(receiver(workspace.time))
  const answers = await Promise.all([workspace.start(served.url), workspace.start(served.url)])
  expect(answers.map((answer) => answer.ok)).toEqual([true, false])
  await workspace.tests.settled()
  expect(served.incoming.filter(({ headers }) => headers['x-svc-event'] === 'liquidation')).toHaveLength(2)
})

test('after the profile closes, a receiver test sends no more deliveries, and no other can start [HOOK-08]', async () => {
  const workspace = open()
  const slow = hesitant(receiver(workspace.time))
  await using served = await serve(slow.receiver)
  value(await workspace.start(served.url))
  await slow.reached
  workspace.tests.stop()
  await workspace.tests.settled()
  slow.goOn()
  expect(failure(await workspace.start(served.url))).toMatchObject({ kind: 'no_profile' })
  expect(served.incoming).toHaveLength(2)
})

test('a running receiver test ends when its profile closes [HOOK-08]', async () => {
  const workspace = await startWorkspace()
  const handlers = workspace.handlers()
  value(await handlers['receiverTest.makeThrowaway']({}))
  value(await handlers['receiverTest.copyThrowaway']({}))
  const [secret] = workspace.copied
  // The delivery's times come from the exchange's clock, so the receiver must use this clock too.
  const slow = hesitant(createReceiver({ clock: workspace.clock, sleep: async () => true }, {}, secret?.reveal()))
  await using served = await serve(slow.receiver)
  value(await handlers['receiverTest.start']({ url: served.url, effectsUrl: null, signWith: { kind: 'throwaway' }, confirmHost: null }))
  await slow.reached
  await workspace.stop()
  slow.goOn()
  expect(value(await handlers['receiverTest.state']({})).run).toMatchObject({
    verdict: 'stopped',
    checks: expect.arrayContaining([expect.objectContaining({ id: 'valid', result: 'passed' })]),
  })
  expect(served.incoming).toHaveLength(2)
})

test('the receiver test sends nothing to a public host until the user types the host’s name, and reports an invalid URL while the user types [HOOK-01]', async () => {
  const posted: string[] = []
  const workspace = open({ post: async (url) => ({ outcome: 'answered', status: posted.push(url) > 0 ? 204 : 0, ms: 1, excerpt: '' }) })
  const url = 'https://bots.example/in?room=7'
  const look = async (typed: string, effectsUrl: string | null = null) => value(await workspace.handlers['receiverTest.target']({ url: typed, effectsUrl }))
  expect(await look(url)).toEqual({ kind: 'read', confirm: 'bots.example', effectsIssue: null })
  expect(await look('http://127.0.0.1:4000/in', 'http://127.0.0.1:4000/effects')).toEqual({ kind: 'read', confirm: null, effectsIssue: null })
  expect(await look('http://bots.example/in')).toEqual({ kind: 'refused', issue: ['urlHttps'] })
  for (const effectsUrl of ['https://elsewhere.example/effects', 'ftp://bots.example/effects', 'effects'])
    expect(await look(url, effectsUrl)).toMatchObject({ kind: 'read', effectsIssue: 'other_host' })
  for (const confirmHost of [null, '', 'bots', 'bots.example.org'])
    expect(failure(await workspace.start(url, { confirmHost }))).toMatchObject({ kind: 'bad_input', field: 'confirmHost' })
  expect(failure(await workspace.start(url, { confirmHost: 'bots.example', effectsUrl: 'https://elsewhere.example/e' }))).toMatchObject({ field: 'effectsUrl' })
  expect(failure(await workspace.start('https://10.0.0.1/in', { confirmHost: '10.0.0.1' }))).toMatchObject({ kind: 'bad_input', field: 'url' })
  expect(posted).toEqual([])
  const report = await workspace.finished(url, { confirmHost: 'Bots.Example ' })
  expect(report.url).toBe('https://bots.example/in?…')
  expect(new Set(posted)).toEqual(new Set([url]))
})

test('a receiver test’s temporary secret reaches only the clipboard or the screen, on request, and never answers, logs or saved reports [HOOK-06] [AUTH-09]', async () => {
  const workspace = open()
  const throwaway = { signWith: { kind: 'throwaway' } } as const
  let current = receiver(workspace.time)
  await using served = await serve({ acted: [], take: (incoming) => current.take(incoming) })
  const told = [value(await workspace.handlers['receiverTest.copyThrowaway']({})), value(await workspace.handlers['receiverTest.revealThrowaway']({}))]
  const [secret] = workspace.copied.map((one) => one.reveal())
  expect(secret).toMatch(/^svc_whsec_[0-9a-f]{64}$/)
  expect(workspace.revealed.map((one) => one.reveal())).toEqual([secret])
  current = receiver(workspace.time, {}, secret)
  expect(await workspace.finished(served.url, throwaway)).toMatchObject({ verdict: 'passed' })

  workspace.files.push(join(folder, 'report.json'), join(folder, 'report.md'))
  const save = async (format: 'json' | 'markdown') => value(await workspace.handlers['receiverTest.saveReport']({ format })).path
  expect([await save('json'), await save('markdown'), await save('json')]).toEqual([join(folder, 'report.json'), join(folder, 'report.md'), null])
  const written = await Promise.all(['report.json', 'report.md'].map((name) => readFile(join(folder, name), 'utf8')))
  expect(JSON.parse(written[0] ?? '')).toMatchObject({ verdict: 'passed', secret: 'throwaway', url: served.url })
  expect(written[1]).toContain('# Receiver test: passed')
  const everything = [...written, JSON.stringify([told, await workspace.state(), workspace.events, workspace.logged])].join()
  expect(everything).toContain('evt_test_1')
  expect(everything).not.toContain(secret?.slice('svc_whsec_'.length))

  expect((await workspace.state()).throwaway).toBe(true)
  value(await workspace.handlers['receiverTest.makeThrowaway']({}))
  expect(await workspace.finished(served.url, throwaway)).toMatchObject({
    verdict: 'failed',
    checks: expect.arrayContaining([expect.objectContaining({ id: 'valid', result: 'failed' })]),
  })
})

test('the receiver test can send one sample event, signed like a delivery, and returns the receiver’s response without the secret [HOOK-05] [HOOK-06]', async () => {
  const workspace = open()
  const right = receiver(workspace.time)
  await using served = await serve(right)
  const sample = (change: Partial<Input<'receiverTest.sendSample'>> = {}) =>
    workspace.handlers['receiverTest.sendSample']({ url: served.url, signWith: kept, confirmHost: null, type: 'order.filled', ...change })
  expect(value(await sample())).toMatchObject({ outcome: 'answered', status: 204 })
  expect(right.acted).toEqual(['evt_test_1'])
  expect(served.incoming.map(({ headers }) => headers['x-svc-event'])).toEqual(['order.filled'])
  // The throwaway secret signs this sample, but the receiver has another secret.
  const refused = value(await sample({ signWith: { kind: 'throwaway' } }))
  expect(refused.status).toBeGreaterThanOrEqual(400)
  expect(JSON.stringify([refused, workspace.events, workspace.logged])).not.toContain('svc_whsec_')
  expect(failure(await sample({ url: 'https://bots.example/in' }))).toMatchObject({ kind: 'bad_input', field: 'confirmHost' })
  workspace.tests.stop()
  expect(failure(await sample())).toEqual({ kind: 'no_profile' })
  await workspace.tests.settled()
  expect(served.incoming).toHaveLength(2)
})

test('after an app restart, the app shows the last receiver test’s report with its time, saves it unchanged, and can repeat the test [HOOK-08]', async () => {
  const vault = createMemoryVault()
  const workspace = open({ vault })
  const right = receiver(workspace.time)
  let current = receiver(workspace.time, { toleranceS: Number.POSITIVE_INFINITY })
  await using served = await serve({ acted: [], take: (incoming) => current.take(incoming) })
  const url = `${served.url}?room=tok_canary`
  const report = await workspace.finished(url)
  workspace.files.push(join(folder, 'first.json'))
  value(await workspace.handlers['receiverTest.saveReport']({ format: 'json' }))
  const { throwaway, ...first } = await workspace.state()
  expect(first.run).toEqual({ ...report, verdict: 'failed', earlier: false })

  const next = open({ vault })
  expect(await next.state()).toEqual({ throwaway, ...first, run: { ...report, earlier: true } })
  next.files.push(join(folder, 'again.json'))
  value(await next.handlers['receiverTest.saveReport']({ format: 'json' }))
  const [saved, savedAgain] = await Promise.all(['first.json', 'again.json'].map((name) => readFile(join(folder, name), 'utf8')))
  expect(savedAgain).toBe(saved)
  current = right
  const { url: setUp = '' } = (await next.state()).setup ?? {}
  expect(setUp).toBe(url)
  expect(await next.finished(setUp)).toMatchObject({ verdict: 'passed', earlier: false })
  expect((await open({ vault }).state()).run).toMatchObject({ verdict: 'passed', earlier: true })
})

test('a new receiver test replaces the earlier report; if the profile closes during the test, the report says that the test was stopped [HOOK-08]', async () => {
  const vault = createMemoryVault()
  const before = open({ vault })
  await using served = await serve(receiver(before.time))
  await before.finished(served.url)
  const workspace = open({ vault })
  const slow = hesitant(receiver(workspace.time))
  await using hesitating = await serve(slow.receiver)
  value(await workspace.start(hesitating.url))
  expect((await workspace.state()).run).toMatchObject({ url: hesitating.url, earlier: false, endedAtMs: null })
  await slow.reached
  // The app was killed during the second test, so the last report is that of the first test.
  expect((await open({ vault }).state()).run).toMatchObject({ url: served.url, verdict: 'passed', earlier: true })
  workspace.tests.stop()
  await workspace.tests.settled()
  slow.goOn()
  expect((await open({ vault }).state()).run).toMatchObject({ url: hesitating.url, verdict: 'stopped' })
})

test('receiver test reports never contain the signing secret or its signatures, even if the receiver’s answer contains them [HOOK-06] [AUTH-09]', async () => {
  const vault = createMemoryVault()
  const workspace = open({ vault })
  const inner = receiver(workspace.time)
  const other = `svc_whsec_${'b00b'.repeat(16)}`
  const due: string[] = []
  // This receiver prints the received and the expected signature in its answer, as some programs do.
  await using served = await serve({
    acted: inner.acted,
    take: async (incoming) => {
      const mac = createHmac('sha256', testSecret).update(`${incoming.headers['x-svc-timestamp']}.`).update(incoming.raw).digest()
      const ways = [mac.toString('hex'), mac.toString('hex').toUpperCase(), mac.toString('base64'), mac.toString('base64url')]
      const given = incoming.headers['x-svc-signature'] ?? 'v1='
      const says = `got ${given}, ${ways[(due.length / ways.length) % ways.length]} is due with ${testSecret}, with ${other} before`
      due.push(...ways)
      const answered = await inner.take(incoming)
      return { status: answered?.status === 204 ? 200 : (answered?.status ?? 500), says }
    },
  })
  await workspace.finished(served.url)
  workspace.files.push(join(folder, 'report.json'), join(folder, 'report.md'))
  for (const format of ['json', 'markdown'] as const) value(await workspace.handlers['receiverTest.saveReport']({ format }))
  const files = await Promise.all(['report.json', 'report.md'].map((name) => readFile(join(folder, name), 'utf8')))
  const everything = [
    ...files,
    JSON.stringify([await workspace.state(), await open({ vault }).state(), [...vault.values.values()].map((one) => one.reveal())]),
  ].join()
  expect(everything).toContain('got v1=[secret], [secret]')
  expect(due.length).toBeGreaterThan(100)
  const longest = [...due.map((one) => one.slice(0, 40)), testSecret.slice(10), other.slice(10)]
  expect(longest.filter((one) => everything.includes(one))).toEqual([])
  // The altered signature differs from the correct one only in its last digit, so the report must mask it too.
  const altered = everything.match(/last digit of the signature was changed.{0,200}/s)?.[0] ?? ''
  expect(altered).toContain('got v1=[secret]')
})

test('the app rejects a stored receiver test report if any part of it is invalid [HOOK-08]', async () => {
  const vault = createMemoryVault()
  const workspace = open({ vault })
  await using served = await serve(receiver(workspace.time))
  await workspace.finished(served.url)
  const good: unknown = JSON.parse(vault.values.get('receiver-test/practice')?.reveal() ?? '')
  const { setup, report } = z.object({ setup: z.looseObject({}), report: z.looseObject({}) }).parse(good)
  const wrong = [
    '',
    '{}',
    ...[{ setup }, { setup, report, more: 1 }, { setup, report: { ...report, verdict: 'fine' } }, { setup, report: { ...report, checks: [{}] } }].map((one) =>
      JSON.stringify(one),
    ),
  ]
  for (const text of wrong) {
    vault.values.set('receiver-test/practice', new Secret(text))
    const next = open({ vault })
    expect(await next.state(), text).toEqual({ throwaway: false, setup: null, run: null })
    expect(failure(await next.handlers['receiverTest.saveReport']({ format: 'json' }))).toMatchObject({ kind: 'not_found' })
  }
  vault.values.set('receiver-test/practice', new Secret(JSON.stringify(good)))
  expect((await open({ vault }).state()).run).toMatchObject({ verdict: 'passed', earlier: true })
  // If storing the result fails, the test still runs and shows its report.
  vault.raw.set = () => Promise.reject(new Error('full'))
  const full = open({ vault })
  expect(await full.finished(served.url)).toMatchObject({ verdict: 'passed', earlier: false })
})

test('the receiver test signs nothing if the secret is missing or the keychain does not return it', async () => {
  const workspace = open()
  expect(failure(await workspace.start('http://127.0.0.1:9/in', { signWith: { kind: 'webhook', webhookId: 'wh_2' } }))).toEqual({
    kind: 'not_found',
    what: 'secret',
  })
  const locked = open({ stored: { secretOf: async () => fail({ kind: 'keychain', code: 'locked', detail: null }) } })
  expect(failure(await locked.start('http://127.0.0.1:9/in'))).toMatchObject({ kind: 'keychain', code: 'locked' })
  // A failed start leaves no test running. So the second start is not refused as a second test; it fails for the same reason as the first.
  expect(failure(await locked.start('http://127.0.0.1:9/in'))).toMatchObject({ kind: 'keychain' })
})

test('if the app itself fails during a receiver test, the test ends, and the app logs and reports the failure', async () => {
  const workspace = open({
    post: async () => {
      throw new Error('broken')
    },
  })
  value(await workspace.start('http://127.0.0.1:9/in'))
  await workspace.tests.settled()
  expect(await workspace.state()).toMatchObject({ run: null })
  expect(workspace.logged).toEqual([['receiver test', { error: 'broken' }]])
  expect(workspace.events).toContainEqual(expect.objectContaining({ type: 'notice', severity: 'danger' }))
  value(await workspace.start('http://127.0.0.1:9/in'))
})

test('the app shows a receiver test’s report from an earlier app version in its original wording', async () => {
  const vault = createMemoryVault()
  const exchange = {
    sent: { type: 'order.filled', eventId: 'evt_1', attempt: 1, timestampS: 1_800_000_000, bytes: 200, altered: 'the signature is all zeros' },
    answered: { status: 204, ms: 3, text: '204 ok' },
  }
  const check = {
    id: 'wrong_signature',
    title: 'Refuses a wrong signature',
    rule: 'HOOK-06',
    result: 'failed',
    why: 'a wrong signature: answered 204',
    exchanges: [exchange],
  }
  const report = { verdict: 'failed', url: 'http://127.0.0.1:9/', secret: 'own', startedAtMs: 1, endedAtMs: 2, checks: [check] }
  const stored = { setup: { url: 'http://127.0.0.1:9/', effectsUrl: null, signWith: { kind: 'throwaway' } }, report }
  vault.values.set('receiver-test/practice', new Secret(JSON.stringify(stored)))
  const run = (await open({ vault }).state()).run
  expect(run?.checks).toMatchObject([
    {
      why: { code: 'as_stored', text: 'a wrong signature: answered 204' },
      exchanges: [{ sent: { altered: { text: 'the signature is all zeros' } }, answered: { status: 204, said: '204 ok' } }],
    },
  ])
})
