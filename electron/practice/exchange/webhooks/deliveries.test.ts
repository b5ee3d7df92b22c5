import { execFileSync } from 'node:child_process'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { selfSigned } from '../../../../e2e/support/practice/certificate.ts'
import { type Developer, openDeveloper } from '../../../../e2e/support/practice/developer.ts'
import { type Received, type Receiver, type ReceiverAnswer, startReceiver } from '../../../../e2e/support/practice/receiver.ts'
import { type Bench, start, text } from '../../../../e2e/support/practice/start.ts'
import type { PracticeEvent } from '../stream/lifecycle.ts'

let bench: Bench
let developer: Developer
let receiver: Receiver
beforeEach(async () => {
  bench = await start()
  developer = await openDeveloper(bench)
  receiver = await startReceiver()
})
afterEach(async () => {
  await receiver.stop()
  await bench.stop()
})

const webhooks = '/api/dex/developer/webhooks'
interface Subscription {
  readonly id: string
  readonly secret: string
}
async function subscribe(events: readonly string[] = ['*'], url = receiver.url): Promise<Subscription> {
  const created = await developer.call(`POST ${webhooks}`, { url, events })
  return { id: text(created, 'webhook.webhook_id'), secret: text(created, 'signing_secret') }
}
let made = 0
function announce(type: PracticeEvent = 'order.filled', more: { readonly data?: Record<string, unknown>; readonly revoked_event_id?: string } = {}): string {
  made += 1
  const id = `evt_${made}_${type}`
  bench.exchange.announce(bench.wallet.address, { id, type, created_at: 1795012320, data: {}, ...more })
  return id
}
const nowSeconds = () => bench.clock.now() / 1_000
const states = () => bench.exchange.deliveries().map(({ state }) => state)
const noted = (count: number) => expect.poll(() => bench.exchange.deliveries().reduce((sum, { attempts }) => sum + attempts.length, 0)).toBe(count)
const answers = (...each: ReceiverAnswer[]) => {
  const left = [...each]
  receiver.answer = () => left.shift() ?? 200
}
function opensslHmac(secret: string, { headers, body }: Received): string {
  const input = Buffer.concat([Buffer.from(`${headers['x-svc-timestamp']}.`), body])
  const printed = execFileSync('openssl', ['dgst', '-sha256', '-hmac', secret], { input }).toString()
  return printed.trim().split(' ').at(-1) ?? ''
}

test('the practice exchange delivers an event’s id, type, created_at and data by HTTP POST with the five documented headers [HOOK-05]', async () => {
  await subscribe()
  const data = { order_id: 'ord_1', note: 'Zürich ✓' }
  announce('order.accepted', { data })
  const [got] = await receiver.until(1)
  expect([got?.method, got?.path]).toEqual(['POST', '/hooks?a=1'])
  expect(got?.headers).toMatchObject({
    'user-agent': 'Svc-DEX-Webhook/1.0',
    'x-svc-event': 'order.accepted',
    'x-svc-event-id': got?.event.id,
    'x-svc-timestamp': String(nowSeconds()),
    'x-svc-signature': expect.stringMatching(/^v1=[0-9a-f]{64}$/),
  })
  expect(got?.event).toEqual({ id: `evt_${made}_order.accepted`, type: 'order.accepted', created_at: 1795012320, data })
  announce('transaction.pending', { revoked_event_id: 'evt_before' })
  const [, correction] = await receiver.until(2)
  expect(correction?.event).toMatchObject({ type: 'transaction.pending', revoked_event_id: 'evt_before' })
})

test('the practice exchange signs each delivery attempt with the webhook’s own secret, as openssl would; a forged body does not match [HOOK-06]', async () => {
  const [first, second] = [await subscribe(['order.filled']), await subscribe(['*'])]
  answers(500)
  announce('order.filled', { data: { text: 'ä€😀"\\' } })
  await receiver.until(2)
  await noted(2)
  bench.clock.advance(2_000)
  const all = await receiver.until(3)
  expect(new Set(all.map(({ event }) => event.id)).size).toBe(1)
  const signed = all.map((one) =>
    [first, second].filter(({ secret }) => one.headers['x-svc-signature'] === `v1=${opensslHmac(secret, one)}`).map(({ id }) => id),
  )
  expect(signed.flat().toSorted()).toEqual([first.id, second.id, signed[2]?.[0]].toSorted())
  const [repeated, at] = [all[2], Number(all[2]?.headers['x-svc-timestamp'])]
  expect(at - Number(all[0]?.headers['x-svc-timestamp'])).toBe(2)
  const forged = { ...repeated, body: Buffer.from('{}') } as Received
  expect([first, second].map(({ secret }) => `v1=${opensslHmac(secret, forged)}`)).not.toContain(repeated?.headers['x-svc-signature'])
})

test('the practice exchange delivers an event only to active webhooks that subscribe to this event or to all events [HOOK-02]', async () => {
  await subscribe(['order.filled', 'funding.charged'])
  announce('order.cancelled')
  const filled = announce('order.filled')
  const [got] = await receiver.until(1)
  expect(got?.event.id).toBe(filled)
  expect(bench.exchange.deliveries().map(({ type }) => type)).toEqual(['order.filled'])
})

test('the practice exchange attempts a delivery four times, with waits of 2, 4 and 8 seconds after the failures, and then gives up [HOOK-08]', async () => {
  await subscribe()
  receiver.answer = () => 500
  const beganAt = nowSeconds()
  announce()
  for (const [attempt, wait] of [2_000, 4_000, 8_000].entries()) {
    await noted(attempt + 1)
    bench.clock.advance(wait - 1)
    bench.clock.advance(1)
  }
  const all = await receiver.until(4)
  await noted(4)
  // Timestamps are whole seconds. An attempt that was one millisecond early would show the previous second.
  expect(all.map(({ headers }) => Number(headers['x-svc-timestamp']) - beganAt)).toEqual([0, 2, 6, 14])
  expect(new Set(all.map(({ headers, body }) => `${headers['x-svc-event-id']} ${body}`)).size).toBe(1)
  expect(bench.exchange.deliveries()).toMatchObject([
    {
      ...{ state: 'given_up', reason: null },
      attempts: [0, 2_000, 4_000, 8_000].map((waited_ms, index) => ({ attempt: index + 1, waited_ms, status: 500, failure: null })),
    },
  ])
  bench.clock.advance(3_600_000)
  answers(200)
  announce()
  expect((await receiver.until(5)).length).toBe(5)
})

test('the practice exchange counts a delivery as successful for any 2xx status of the receiver, but not for a redirect or any other status [HOOK-08]', async () => {
  await subscribe()
  const elsewhere = await startReceiver()
  answers(200, 201, 202, 204, 299)
  for (let each = 0; each < 5; each += 1) announce()
  await noted(5)
  expect(states()).toEqual(Array(5).fill('delivered'))
  const redirects = [301, 302, 307, 308].map((status) => ({ status, headers: { Location: elsewhere.url } }))
  answers(...redirects, 304, 400, 410, 503)
  for (let each = 0; each < 8; each += 1) announce()
  await noted(13)
  expect(
    bench.exchange
      .deliveries()
      .slice(5)
      .map(({ state, attempts }) => [state, attempts[0]?.status]),
  ).toEqual([301, 302, 307, 308, 304, 400, 410, 503].map((status) => ['pending', status]))
  expect(elsewhere.received).toEqual([])
  await elsewhere.stop()
})

test('the practice exchange waits at most 4 seconds for the webhook receiver’s response to a delivery [HOOK-08]', { timeout: 20_000 }, async () => {
  await subscribe()
  answers('nothing')
  announce()
  const [silent] = await receiver.until(1)
  const tookMs = (await silent?.closed) ?? 0
  expect([tookMs > 3_900, tookMs < 8_000]).toEqual([true, true])
  await noted(1)
  expect(bench.exchange.deliveries()[0]?.attempts).toMatchObject([{ status: null, failure: 'no answer within 4 s' }])
  bench.clock.advance(2_000)
  await receiver.until(2)
  await expect.poll(states).toEqual(['delivered'])
})

test('the practice exchange counts a delivery to a closed port, a cut connection or a host name that now means a private address as failed [HOOK-08] [HOOK-01]', async () => {
  const gone = await startReceiver()
  await gone.stop()
  await subscribe(['order.filled'], gone.url)
  await subscribe(['order.accepted'])
  answers('cut')
  announce('order.filled')
  announce('order.accepted')
  await noted(2)
  expect(bench.exchange.deliveries().map(({ state, attempts }) => [state, attempts[0]?.status, attempts[0]?.failure])).toEqual([
    ['pending', null, 'ECONNREFUSED'],
    ['pending', null, 'ECONNRESET'],
  ])
  let address = '93.184.216.34'
  const other = await start({ resolve: async () => [address] })
  const created = await (await openDeveloper(other)).call(`POST ${webhooks}`, { url: 'https://bots.example/in', events: ['*'] })
  expect(created.status).toBe(201)
  address = '10.1.2.3'
  other.exchange.announce(other.wallet.address, { id: 'evt_1', type: 'order.filled', created_at: 1, data: {} })
  await expect.poll(() => other.exchange.deliveries()[0]?.attempts[0]?.failure).toBe('bots.example resolves to 10.1.2.3, which is not a public address')
  await other.stop()
})

test('the practice exchange reads only the start of a webhook receiver’s large response to a delivery [HOOK-08]', async () => {
  await subscribe()
  answers({ status: 200, body: 'x'.repeat(8 * 1024 * 1024) })
  announce()
  await expect.poll(states).toEqual(['delivered'])
  announce()
  await receiver.until(2)
})

test('the practice exchange connects over TLS only to a webhook receiver with a trusted certificate [HOOK-05]', async () => {
  const certificate = selfSigned()
  const secure = await startReceiver(certificate)
  const trusting = await start({ receiverAuthority: certificate.cert })
  for (const [each, outcome] of [
    [trusting, { state: 'delivered', attempts: [{ status: 200 }] }],
    [bench, { state: 'pending', attempts: [{ status: null, failure: 'DEPTH_ZERO_SELF_SIGNED_CERT' }] }],
  ] as const) {
    const created = await (await openDeveloper(each)).call(`POST ${webhooks}`, { url: secure.url, events: ['*'] })
    expect(created.status).toBe(201)
    each.exchange.announce(each.wallet.address, { id: 'evt_1', type: 'order.filled', created_at: 1, data: {} })
    await expect.poll(() => each.exchange.deliveries()).toMatchObject([outcome])
  }
  expect(secure.received).toHaveLength(1)
  await trusting.stop()
  await secure.stop()
})

test('the practice exchange sends nothing to a disabled webhook, not even pending retries of deliveries [HOOK-04] [HOOK-08]', async () => {
  const { id } = await subscribe()
  receiver.answer = () => 500
  announce()
  await noted(1)
  await developer.call(`DELETE ${webhooks}/${id}`)
  announce()
  expect(bench.exchange.deliveries()).toMatchObject([{ state: 'dropped', reason: 'disabled', attempts: [{ status: 500 }] }])
  bench.clock.advance(60_000)
  const { id: later } = await subscribe()
  announce()
  await receiver.until(2)
  expect(bench.exchange.deliveries().map(({ webhook_id, attempts }) => [webhook_id, attempts.length])).toEqual([
    [id, 1],
    [later, expect.any(Number)],
  ])
})

test('with its fault “deliveries”, the practice exchange duplicates or drops webhook events, or delays them and sends the newest first [HOOK-07]', async () => {
  await subscribe()
  bench.faults.deliveries = { duplicate: true }
  const twice = announce()
  expect((await receiver.until(2)).map(({ event }) => event.id)).toEqual([twice, twice])
  bench.faults.deliveries = { holdBack: true }
  const held = [announce('order.accepted'), announce('order.filled'), announce('position.changed')]
  expect(states().slice(2)).toEqual(['pending', 'pending', 'pending'])
  bench.faults.deliveries = null
  await bench.exchange.faultsChanged()
  expect((await receiver.until(5)).slice(2).map(({ event }) => event.id)).toEqual(held.toReversed())
  bench.faults.deliveries = { drop: ['order.filled'] }
  announce('order.filled')
  const kept = announce('order.cancelled')
  expect((await receiver.until(6)).at(-1)?.event.id).toBe(kept)
  expect(bench.exchange.deliveries().slice(5)).toMatchObject([{ state: 'dropped', reason: 'fault', attempts: [] }, { type: 'order.cancelled' }])
})

test('the practice exchange keeps at most 256 pending events per webhook; one slow webhook does not delay another [HOOK-08]', async () => {
  const slow = await startReceiver()
  slow.answer = () => 'nothing'
  const { id } = await subscribe(['*'], slow.url)
  for (let each = 0; each < 300; each += 1) announce()
  const full = bench.exchange.deliveries().filter(({ reason }) => reason === 'queue_full')
  expect([full.length, full[0]?.attempts]).toEqual([44, []])
  await subscribe()
  const last = announce()
  expect((await receiver.until(1))[0]?.event.id).toBe(last)
  await developer.call(`DELETE ${webhooks}/${id}`)
  expect(bench.exchange.deliveries().filter(({ webhook_id, state }) => webhook_id === id && state === 'pending')).toEqual([])
  await slow.stop()
})

test('when practice mode stops, the practice exchange leaves no connection open and makes no further delivery attempt [HOOK-08]', async () => {
  const other = await start()
  const owner = await openDeveloper(other)
  for (const events of [['order.filled'], ['order.accepted']]) await owner.call(`POST ${webhooks}`, { url: receiver.url, events })
  receiver.answer = ({ event }) => (event.type === 'order.filled' ? 'nothing' : 500)
  for (const type of ['order.filled', 'order.accepted'] as const)
    other.exchange.announce(other.wallet.address, { id: `evt_${type}`, type, created_at: 1, data: {} })
  const all = await receiver.until(2)
  await expect.poll(() => other.exchange.deliveries()[1]?.attempts).toHaveLength(1)
  await other.stop()
  const silent = all.find(({ event }) => event.type === 'order.filled')
  expect(await silent?.closed).toBeLessThan(4_000)
  other.clock.advance(60_000)
  expect(receiver.received).toHaveLength(2)
})
