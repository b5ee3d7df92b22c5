import { encodeFunctionData } from 'viem'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Developer, openDeveloper } from '../../../../e2e/support/practice/developer.ts'
import { openStream } from '../../../../e2e/support/practice/event-stream.ts'
import { allScopes, type Client, openClient, openPosition, type Payload } from '../../../../e2e/support/practice/orders.ts'
import { type Receiver, startReceiver } from '../../../../e2e/support/practice/receiver.ts'
import { type Answer, at, type Bench, start, text } from '../../../../e2e/support/practice/start.ts'
import { routerArtifact } from '../../chain/contracts.ts'

let bench: Bench
let client: Client
let developer: Developer
let receiver: Receiver
beforeEach(async () => {
  bench = await start()
  developer = await openDeveloper(bench)
  client = await openClient(bench, allScopes)
  receiver = await startReceiver()
})
afterEach(async () => {
  await receiver.stop()
  await bench.stop()
})

const webhooks = '/api/dex/developer/webhooks'
const subscribe = (events: readonly string[] = ['*']) => developer.call(`POST ${webhooks}`, { url: receiver.url, events })
const mine = async (blocks = 1) => {
  await bench.chain.mine(blocks)
  await bench.exchange.settle()
}
const reorganise = async (depth: number, held?: 'waits') => {
  await bench.chain.reorganise(depth, held)
  await bench.exchange.settle()
}
async function relay(prepared: Answer): Promise<string> {
  const relayed = await client.relay(prepared)
  expect([relayed.status, relayed.text]).toEqual([200, relayed.text])
  return text(relayed, 'tx_hash')
}
const carryOut = async (action: string, payload: Payload) => {
  const hash = await relay(await client.act(action, payload))
  await mine()
  return hash
}
async function broadcast(prepared: Answer): Promise<string> {
  const listed = at(prepared, 'execution.transactions')
  let hash = ''
  for (const { from, to, data } of Array.isArray(listed) ? listed : []) {
    hash = bench.chain.broadcast({ from, to, data })
    await mine()
  }
  return hash
}
const report = (prepared: Answer, tx_hash: string) =>
  bench.call('POST /api/dex/actions/receipt', {
    body: { wallet: bench.wallet.address, intent_id: text(prepared, 'intent_id'), tx_hash, state: 'broadcast' },
  })
const limitOrder = { pair_id: 2, side: 'long', order_type: 'limit', leverage: 2, order_value_usdc: '600', limit_price: '1500.5' }
const announced = () => bench.exchange.deliveries().map(({ body }) => JSON.parse(body) as Record<string, unknown>)
const types = () => announced().map(({ type }) => type)
const withoutTransactions = () => types().filter((type) => !String(type).startsWith('transaction.'))

test('the practice exchange sends webhook events for an accepted and filled order, its position, and its transaction after 8 confirmations [HOOK-02] [HOOK-09]', async () => {
  await subscribe()
  const hash = await relay(await client.prepare(await client.marketOrder()))
  expect(types()).toEqual([])
  await mine()
  expect(types()).toEqual(['order.accepted', 'order.filled', 'position.changed'])
  await mine(6)
  expect(types()).toHaveLength(3)
  await mine()
  expect(types().slice(3)).toEqual(['transaction.confirmed'])
  expect(announced()[3]).toMatchObject({ created_at: Math.floor(bench.clock.now() / 1_000), data: { tx_hash: hash, intent_id: expect.stringMatching(/^dx_/) } })
  await mine(20)
  expect(types()).toHaveLength(4)
  const got = await receiver.until(4)
  expect(got.map(({ event }) => event.type)).toEqual(types())
  expect(got.every(({ event }) => Number.isInteger(event.created_at) && event.id.length <= 96)).toBe(true)
})

test('the practice exchange uses the same id for an event in every webhook, in every delivery attempt and in the event stream [HOOK-05] [ACC-04]', async () => {
  await subscribe(['*'])
  await subscribe(['order.filled', 'position.changed'])
  bench.faults.stream = {}
  const stream = await openStream(`${bench.hostUrl}/api/dex/v1/stream`, { 'X-Svc-API-Key': client.apiKey })
  await openPosition(bench, client)
  const onStream = await stream.until(({ data }) => 'type' in data, 3)
  await bench.exchange.settle()
  const idsOf = (type: string) => announced().flatMap((event) => (event.type === type ? [event.id] : []))
  for (const { data } of onStream) expect(idsOf(String(data.type))).toEqual(Array(data.type === 'order.accepted' ? 1 : 2).fill(data.id))
  const got = await receiver.until(5)
  expect(got.every(({ event, headers }) => headers['x-svc-event-id'] === event.id)).toBe(true)
  stream.close()
})

test('the practice exchange sends webhook events for partial fills, cancellations, funding, collateral and a liquidation as they happen [HOOK-02]', async () => {
  await subscribe()
  const mark = Number(await bench.mark(1))
  await relay(
    await client.prepare(
      await client.marketOrder({
        order_type: 'limit',
        order_value_usdc: '80000',
        limit_price: String(Math.floor(mark - 1)),
        reference_price: undefined,
        max_slippage_bps: undefined,
      }),
    ),
  )
  await mine()
  expect(withoutTransactions()).toEqual(['order.accepted'])
  bench.faults.priceShiftBps = -20
  await mine()
  expect(withoutTransactions().slice(1)).toEqual(['order.partially_filled', 'position.changed'])
  const order = await client.read('/orders')
  await broadcast(await client.act('cancel_order', { order_id: text(order, 'orders.items.0.order_id') }))
  expect(withoutTransactions().at(-1)).toBe('order.cancelled')
  const before = withoutTransactions().length
  bench.clock.advance(3_600_000)
  await mine()
  expect(withoutTransactions()[before]).toMatch(/^funding\.(charged|credited)$/)
  await broadcast(await client.act('add_collateral', { token: 'USDC', amount: '10' }))
  expect(withoutTransactions().at(-1)).toBe('collateral.changed')
  await openPosition(bench, client, { margin_mode: 'isolated', leverage: 20 })
  bench.faults.priceShiftBps = -1_500
  await mine()
  expect(withoutTransactions()).toContain('liquidation')
  expect(types()).not.toContain('liquidation.warning')
})

test('the practice exchange sends events only for transactions that it relayed, that an executor sent, or whose receipt a client reported [HOOK-09] [FLOW-05]', async () => {
  await subscribe()
  await carryOut('open_position', limitOrder)
  const order_id = text(await client.read('/orders'), 'orders.items.0.order_id')
  const cancel = await client.act('cancel_order', { order_id })
  const hash = await broadcast(cancel)
  await mine(10)
  const final = () => announced().filter(({ type }) => type === 'transaction.confirmed')
  // The exchange sees the effect of a transaction that the wallet sent, but learns the transaction’s hash only from a receipt.
  expect([types().includes('order.cancelled'), final().map((event) => at(event, 'data.tx_hash') === hash)]).toEqual([true, [false]])
  expect((await report(cancel, hash)).status).toBe(200)
  await mine()
  expect(final().at(-1)).toMatchObject({ data: { tx_hash: hash, intent_id: text(cancel, 'intent_id') } })
  expect((await report(cancel, `0x${'AB'.repeat(32)}`)).status).toBe(200)

  const { apiKey, keyId, session } = await bench.newKey({ scopes: allScopes })
  await bench.call(`PUT /api/dex/developer/keys/${keyId}/executor`, { headers: { Authorization: `Bearer ${session}` }, body: { executor: 'exec-fra-1' } })
  const sent = await bench.call('POST /api/dex/v1/orders/execute', {
    headers: { 'X-Svc-API-Key': apiKey },
    body: { action: 'create_limit', payload: { ...limitOrder, order_type: undefined } },
  })
  await mine(8)
  expect(final().map((event) => at(event, 'data.tx_hash'))).toEqual([expect.any(String), hash, text(sent, 'delegated.tx_hash')])
  expect(final().at(-1)).toMatchObject({ data: { command_id: text(sent, 'delegated.command_id') } })
})

test('the practice exchange sends a webhook event for a reverted transaction once the transaction is final [HOOK-09]', async () => {
  await subscribe(['transaction.confirmed', 'transaction.reverted'])
  bench.chain.revertNext()
  const hash = await relay(await client.prepare(await client.marketOrder()))
  await mine(7)
  expect(types()).toEqual([])
  await mine()
  expect(announced()).toMatchObject([{ type: 'transaction.reverted', data: { tx_hash: hash } }])
})

test('the practice exchange sends a correction for each event that a reorganisation has undone [HOOK-07]', async () => {
  await subscribe()
  await carryOut('open_position', limitOrder)
  await mine(7)
  const told = announced()
  expect(told.map(({ type }) => type)).toEqual(['order.accepted', 'transaction.confirmed'])
  await reorganise(9)
  const corrections = announced().slice(2)
  expect(corrections.map(({ type, revoked_event_id }) => [type, revoked_event_id])).toEqual([
    ['chain.reorg', told[0]?.id],
    ['chain.reorg', told[1]?.id],
    ['transaction.pending', told[1]?.id],
  ])
  expect(new Set(announced().map(({ id }) => id)).size).toBe(5)
  await mine(10)
  expect(types()).toHaveLength(5)
})

test('if a change happens again after a reorganisation, the practice exchange sends an event for the change again, with a new id [HOOK-07]', async () => {
  await subscribe()
  await carryOut('open_position', limitOrder)
  await mine(7)
  await reorganise(9, 'waits')
  await mine(8)
  expect(types()).toEqual([
    ...['order.accepted', 'transaction.confirmed', 'chain.reorg', 'chain.reorg', 'transaction.pending'],
    ...['order.accepted', 'transaction.confirmed'],
  ])
  expect(new Set(announced().map(({ id }) => id)).size).toBe(7)
})

test('the practice exchange sends a correction only for an event that it sent before, and only to webhooks that subscribe to the event type [HOOK-02] [HOOK-07]', async () => {
  await subscribe(['transaction.confirmed', 'transaction.pending'])
  await carryOut('open_position', limitOrder)
  await reorganise(2)
  expect(types()).toEqual([])
  await carryOut('open_position', limitOrder)
  await mine(7)
  await reorganise(9)
  expect(types()).toEqual(['transaction.confirmed', 'transaction.pending'])
})

test('the practice exchange sends to a webhook only events that happen after the webhook’s creation and while it is not disabled [HOOK-02] [HOOK-04]', async () => {
  await carryOut('open_position', limitOrder)
  await mine(8)
  const created = await subscribe()
  await mine(2)
  expect(types()).toEqual([])
  await carryOut('open_position', limitOrder)
  expect(types()).toEqual(['order.accepted'])
  await developer.call(`DELETE ${webhooks}/${text(created, 'webhook.webhook_id')}`)
  await mine(8)
  await carryOut('open_position', limitOrder)
  expect(types()).toEqual(['order.accepted'])
})

test('the practice exchange sends to each wallet’s webhooks only events of that wallet’s account [HOOK-02]', async () => {
  expect(bench.exchange.announce('0x000000000000000000000000000000000000dEaD', { id: 'evt_1', type: 'order.filled', created_at: 1, data: {} })).toEqual([])
  await subscribe()
  const stranger = encodeFunctionData({ abi: routerArtifact.abi, functionName: 'withdraw', args: [1_000_000n] })
  bench.chain.broadcast({ from: '0x000000000000000000000000000000000000dEaD', to: bench.chain.router, data: stranger })
  await mine()
  expect(types()).toEqual([])
})

test('the practice exchange sends the webhook events that it missed once its chain is reachable again [HOOK-09]', async () => {
  await subscribe(['transaction.confirmed'])
  const hash = await relay(await client.prepare(limitOrder))
  bench.chain.setAway(true)
  await bench.chain.mine(8)
  bench.chain.setAway(false)
  await mine()
  expect(announced()).toMatchObject([{ type: 'transaction.confirmed', data: { tx_hash: hash } }])
})
