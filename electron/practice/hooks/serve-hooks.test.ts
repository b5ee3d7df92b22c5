import { type Hex, recoverMessageAddress, stringToHex } from 'viem'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Dapp, startDapp } from '../../../e2e/support/practice/dapp.ts'
import { hook, join, type Member, pair, prepareOrder, relayOrder, send } from '../../../e2e/support/practice/practice-user.ts'
import { startReceiver } from '../../../e2e/support/practice/receiver.ts'
import { systemClock } from '../../../shared/time.ts'
import { createPracticeClock } from '../base/practice-clock.ts'
import { type Practice, startPractice } from '../practice.ts'

const patience = { timeout: 8_000 }

let practice: Practice
let dapp: Dapp
let member: Member

const call = (line: string, body?: unknown) => hook(practice.descriptor, line, body)
const sign = (): Promise<unknown> => dapp.request('personal_sign', [stringToHex('hello'), practice.descriptor.walletAddress])
const signer = async (signature: unknown) => recoverMessageAddress({ message: 'hello', signature: signature as Hex })

beforeAll(async () => {
  const started = await startPractice({ dataDir: null, seed: 1, port: 0, clock: createPracticeClock(systemClock), hooks: true })
  if (!started.ok) throw new Error(started.failure.detail)
  practice = started.value
  dapp = await startDapp(practice.descriptor.relayUrl, practice.descriptor.rpcUrl)
  await pair(practice.descriptor, dapp)
  member = await join(practice.descriptor, dapp)
}, 20_000)
afterEach(() => call('POST /wallet', { autoApprove: true, hold: false, rejectCode: null, signAs: null, account: 'main', chain: 8453 }))
afterAll(async () => {
  await dapp.stop()
  await practice.stop()
})

test('with the test hook “hold”, the practice phone leaves requests unanswered; once the test removes the hook, the phone answers them', async () => {
  await call('POST /wallet', { hold: true })
  const signature = sign()
  await expect.poll(() => practice.phone.state().requests, patience).toHaveLength(1)
  await call('POST /wallet', { hold: false })
  expect(await signer(await signature)).toBe(practice.phone.address)
})

test('the practice phone rejects requests with the error code that a test sets', async () => {
  await call('POST /wallet', { rejectCode: 4001 })
  await expect(sign()).rejects.toMatchObject({ code: 4001 })
})

test('a test can make the practice phone sign with an account other than the requested one', async () => {
  await call('POST /wallet', { signAs: 'other' })
  const other = await signer(await sign())
  expect(other).not.toBe(practice.phone.address)
  await call('POST /wallet', { signAs: null })
  expect(await signer(await sign())).toBe(practice.phone.address)
})

test('a test can make the practice phone switch to another account or chain', async () => {
  await call('POST /wallet', { account: 'other', chain: 1 })
  await expect.poll(() => dapp.provider.chainId, patience).toBe(1)
  await expect.poll(() => dapp.provider.accounts, patience).not.toContain(practice.phone.address)
})

test('if a test advances the practice clock, the time of the practice exchange, its chain and the phone advances too', async () => {
  const { clock, chain } = practice
  const prepared = await prepareOrder(member)
  const before = clock.now()
  await call('POST /clock', { advanceMs: 400_000 })
  expect(clock.now() - before).toBeGreaterThanOrEqual(400_000)
  expect(practice.phone.state().nowMs - before).toBeGreaterThanOrEqual(400_000)
  await expect.poll(() => chain.timestamp(), { timeout: 8_000 }).toBeGreaterThanOrEqual(Math.floor((before + 400_000) / 1_000))
  await expect(relayOrder(practice.descriptor, dapp, prepared)).rejects.toThrow('INTENT_EXPIRED')
})

test('a test can switch faults of the practice exchange on by name, and remove them again', async () => {
  const markets = () => send(`${practice.descriptor.hostUrl}/api/dex/markets`)
  await call('POST /faults', { html: true })
  expect((await markets()).headers.get('Content-Type')).toMatch('text/html')
  await call('DELETE /faults')
  expect((await markets()).body).toHaveProperty('markets')
  await expect(call('POST /faults', { hmtl: true })).rejects.toThrow('400')
})

test('if a test sets a dialect, the practice exchange’s responses use it, and the test can read their true values by route or request id [GEN-09]', async () => {
  await call('POST /faults', { dialect: 5 })
  await send(`${practice.descriptor.hostUrl}/api/dex/marks?pair_ids=1`)
  expect(await call('GET /truth?route=GET%20/api/dex/marks')).toMatchObject([
    {
      route: 'GET /api/dex/marks',
      seed: 5,
      fields: expect.arrayContaining([expect.objectContaining({ field: 'pair_id', unit: 'count', value: '1', standing: 'told' })]),
    },
  ])
  expect(await call('GET /truth?request_id=nobody-asked-so')).toEqual([])
  await call('DELETE /faults')
  expect(await call('GET /altered')).toEqual([])
})

test('a test can read which calls the practice exchange answered and what it executed', async () => {
  const hash = await relayOrder(practice.descriptor, dapp, await prepareOrder(member))
  expect(await call('GET /effects')).toMatchObject({
    relayed: expect.arrayContaining([{ intent_id: expect.any(String), tx_hash: hash }]),
    keys: [{ label: 'test' }],
  })
  expect(await call('GET /calls')).toContainEqual(
    expect.objectContaining({ method: 'POST', route: '/api/dex/v1/orders/prepare', status: 200, action: 'open_position' }),
  )
})

test('a test can pause the practice chain, mine blocks and reorganise the chain', async () => {
  const { chain } = practice
  await call('POST /chain', { pause: true })
  const head = await chain.blockNumber()
  await call('POST /chain', { mine: 5 })
  expect(await chain.blockNumber()).toBe(head + 5n)
  const hash = await relayOrder(practice.descriptor, dapp, await prepareOrder(member))
  await call('POST /chain', { mine: 1 })
  expect(await chain.transaction(hash)).toMatchObject({ status: 'success', confirmations: 1 })
  await call('POST /chain', { reorg: 3, pause: false })
  expect(await chain.transaction(hash)).toBeNull()
})

test('a test can stop the practice wallet relay, hold back its messages and cut its connections', { timeout: 30_000 }, async () => {
  await call('POST /relay', { hold: true })
  const signature = sign()
  await call('POST /relay', { dropSockets: true })
  await expect.poll(() => practice.phone.state().relay, patience).toBe('down')
  await expect.poll(() => practice.phone.state().relay, { timeout: 8_000 }).toBe('up')
  expect(practice.phone.state().requests).toEqual([])
  await call('POST /relay', { hold: false })
  expect(await signer(await signature)).toBe(practice.phone.address)
  await call('POST /relay', { up: false })
  await expect.poll(() => practice.phone.state().relay, patience).toBe('down')
  await call('POST /relay', { up: true })
  await expect.poll(() => practice.phone.state().relay, { timeout: 8_000 }).toBe('up')
})

test('the test hooks of practice mode refuse requests without their access token and requests with invalid input', async () => {
  expect((await send(`${practice.descriptor.hooksUrl}/effects`)).status).toBe(401)
  await expect(call('POST /wallet', { autoaprove: true })).rejects.toThrow('400')
  await expect(call('POST /clock', { advanceMs: -1 })).rejects.toThrow('400')
  await expect(call('GET /nothing')).rejects.toThrow('404')
})

test('tests can add sample keys and audit entries for the practice phone’s wallet, and put faults into responses about keys', async () => {
  await call('POST /faults', { keySecret: 'wrong', keyRecord: 'other_wallet', callerIp: '203.0.113.7', ipInRefusal: true, clockSkewMs: 60_000 })
  const created = await member.manage('POST /keys', { ip_allowlist: ['127.0.0.1'] })
  expect(created).toMatchObject({ status: 201, body: { key: { wallet: '0x000000000000000000000000000000000000dEaD' } } })
  await call('DELETE /faults')
  const sample = await call('POST /sample', { keys: 64, audit: 5_000 })
  expect(sample).toMatchObject({
    keys: expect.arrayContaining([{ key_id: expect.stringMatching(/^key_/), label: 'grid-btc', api_key: expect.stringMatching(/^SVC/) }]),
  })
  expect((await member.manage('GET /keys')).body).toMatchObject({ active: 10, keys: { length: 64 } })
  expect((await member.manage('GET /audit')).body).toMatchObject({ has_more: false })
  await expect(call('POST /sample', { keys: 65 })).rejects.toThrow('400')
})

test('tests can add a trading history for the practice phone’s wallet, and a fault can add new rows between two page requests', async () => {
  const past = await call('POST /past', { trades: 500, days: 365 })
  expect(past).toMatchObject({ trades: 500, orders: expect.any(Number), closed: expect.any(Number), intents: expect.any(Number) })
  const trades = async (query: string) => (await member.get(`/trades?${query}`)).body.trades as { items: { trade_id: string }[]; next_cursor: number }
  await call('POST /faults', { rowsArrive: 20 })
  const first = await trades('limit=200')
  const second = await trades(`limit=200&cursor=${first.next_cursor}`)
  const ids = [...first.items, ...second.items].map(({ trade_id }) => trade_id)
  expect([ids.length, new Set(ids).size]).toEqual([400, 400])
  await call('DELETE /faults')
  await expect(call('POST /past', { trades: 0 })).rejects.toThrow('400')
})

test('tests can make the practice exchange deliver an event of any type except liquidation.warning, and read the delivery attempts [HOOK-05] [HOOK-02]', async () => {
  const receiver = await startReceiver()
  const created = await member.manage('POST /webhooks', { url: receiver.url, events: ['*'] })
  const { webhook_id } = created.body.webhook as { webhook_id: string }
  const all = [
    ...['order.accepted', 'order.filled', 'order.partially_filled', 'order.cancelled', 'position.changed', 'liquidation', 'funding.charged'],
    ...['funding.credited', 'collateral.changed', 'transaction.confirmed', 'transaction.reverted', 'transaction.pending', 'chain.reorg'],
  ]
  for (const type of all) expect(await call('POST /deliver', { type })).toMatchObject({ event_id: expect.any(String), webhook_ids: [webhook_id] })
  const got = await receiver.until(all.length)
  expect(got.map(({ event }) => event.type)).toEqual(all)
  expect(got.filter(({ event }) => event.revoked_event_id !== undefined).map(({ event }) => event.type)).toEqual(['transaction.pending', 'chain.reorg'])
  await call('POST /deliver', { type: 'chain.reorg', webhookId: webhook_id, revokedEventId: got[0]?.event.id })
  expect((await receiver.until(all.length + 1)).at(-1)?.event).toMatchObject({ revoked_event_id: got[0]?.event.id })
  await expect(call('POST /deliver', { type: 'liquidation.warning' })).rejects.toThrow('400')
  expect(await call('POST /deliver', { type: 'order.filled', webhookId: 'wh_other' })).toMatchObject({ webhook_ids: [] })
  await expect
    .poll(() => call('GET /deliveries'), patience)
    .toContainEqual(
      expect.objectContaining({
        event_id: got[0]?.event.id,
        state: 'delivered',
        attempts: [expect.objectContaining({ attempt: 1, status: 200, waited_ms: 0 })],
      }),
    )
  await member.manage(`DELETE /webhooks/${webhook_id}`)
  await receiver.stop()
})

test('a test can make the practice phone end every pairing', async () => {
  const ended = new Promise((resolve) => dapp.provider.once('disconnect', resolve))
  await call('POST /wallet', { disconnect: true })
  await ended
  expect(practice.phone.state().sessions).toEqual([])
})
