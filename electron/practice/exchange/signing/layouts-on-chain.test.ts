import type { Hex } from 'viem'
import { expect, test } from 'vitest'
import { benchOnChain } from '../../../../e2e/support/practice/on-chain.ts'
import { type Answer, at, keyHeader, text } from '../../../../e2e/support/practice/start.ts'
import { asJson, jsonText } from '../../dialect/json.ts'
import { createSpeaker } from '../../dialect/speaker.ts'

const on = benchOnChain()
let sent = 0

async function prepare(seed: number, action: string, payload: Record<string, unknown>): Promise<Answer> {
  sent += 1
  on.bench.faults.dialect = seed
  const body = { action, payload: createSpeaker(seed).requests.writePayload(action, payload) }
  const headers = { ...keyHeader(on.client.apiKey).headers, 'Idempotency-Key': `in-dialect-${sent}`, 'Content-Type': 'application/json' }
  const prepared = await on.bench.call('POST /api/dex/v1/orders/prepare', { headers, raw: jsonText(asJson(body)) })
  on.bench.faults.dialect = null
  if (at(prepared, 'execution.ready') !== true) throw new Error(`${seed} ${action}: ${prepared.text}`)
  return prepared
}

const rows = async (path: string, name: string): Promise<unknown[]> => {
  const listed = at(await on.client.read(path), name)
  return Array.isArray(listed) ? listed : []
}

async function relayed(seed: number, prepared: Answer): Promise<void> {
  const answer = await on.client.relay(prepared)
  expect([seed, answer.status, answer.text]).toEqual([seed, 200, expect.stringContaining('submitted')])
  await on.mine()
  expect([seed, (await on.chain.transaction(text(answer, 'tx_hash') as Hex))?.status]).toEqual([seed, 'success'])
}

async function broadcast(seed: number, action: string, payload: Record<string, unknown>): Promise<void> {
  const hashes = await on.broadcast(await prepare(seed, action, payload))
  const ends = await Promise.all(hashes.map(async (hash) => (await on.chain.transaction(hash))?.status))
  expect([seed, action, ends.length > 0, ends.filter((end) => end !== 'success')]).toEqual([seed, action, true, []])
}

type Forms = readonly [order: string, position: string]

function seedWith([order, position]: Forms, from: number): number {
  for (let seed = from; ; seed += 1) {
    const { ids } = createSpeaker(seed).dialect
    if (ids.order === order && ids.position === position) return seed
  }
}

test.each<Forms>([
  ['text', 'digits'],
  ['digits', 'text'],
  ['integer', 'hex'],
  ['hex', 'integer'],
  ['big_integer', 'big_integer'],
  ['text', 'text'],
])(
  'the practice chain accepts all intents and calls of a generated signing format, with order ids as %s and position ids as %s [FLOW-02] [FLOW-03]',
  { timeout: 120_000 },
  async (...forms) => {
    const seed = seedWith(forms, 300)
    const { bench, client, trader } = on
    const value = { leverage: 4, order_value_usdc: '400', max_slippage_bps: 100 }
    const reference = await bench.mark(2)
    await relayed(seed, await prepare(seed, 'open_position', { ...value, pair_id: 2, side: 'long', margin_mode: 'isolated', reference_price: reference }))
    const limit = { pair_id: 2, side: 'long', order_type: 'limit', leverage: 2, order_value_usdc: '300', limit_price: '2000.5' }
    await relayed(seed, await prepare(seed, 'open_position', limit))
    const position_id = at((await rows('/positions', 'positions'))[0], 'position_id')
    const order_id = text(await client.read('/orders'), 'orders.items.0.order_id')

    await broadcast(seed, 'update_tpsl', { position_id, take_profit: '9000', stop_loss: '1000.5' })
    await broadcast(seed, 'add_isolated_margin', { position_id, amount_usdc: '5.25' })
    await broadcast(seed, 'reduce_isolated_margin', { position_id, amount_usdc: '1.25' })
    await broadcast(seed, 'change_isolated_leverage', { position_id, leverage: 3 })
    expect((await rows('/positions', 'positions'))[0]).toMatchObject({ take_profit: '9000', stop_loss: '1000.5', leverage: 3 })

    await broadcast(seed, 'replace_order', { order_id, limit_price: '2100.5' })
    expect(at(await client.read('/orders'), 'orders.items.0')).toMatchObject({ limit_price: '2100.5', status: 'open' })
    await broadcast(seed, 'cancel_order', { order_id })
    expect(at(await client.read('/orders'), 'orders.items.0.status')).toBe('cancelled')

    await broadcast(seed, 'add_collateral', { token: 'USDC', amount: '25.5' })
    await broadcast(seed, 'withdraw_collateral', { token: 'USDC', amount: '10' })
    expect(await on.chain.holdings(on.chain.usdc, trader.account.address)).toMatchObject({ allowance: 0n })

    const prices = { reference_price: await bench.mark(2), max_slippage_bps: 100 }
    await relayed(seed, await prepare(seed, 'invert_position', { position_id, ...prices }))
    const turned = at((await rows('/positions', 'positions'))[0], 'position_id')
    await relayed(seed, await prepare(seed, 'close_position_market', { position_id: turned, ...prices }))
    expect(await rows('/positions', 'positions')).toEqual([])
  },
)

test('the practice exchange refuses a signature over altered typed data, and its chain reverts a call in an unknown format', { timeout: 60_000 }, async () => {
  const order = { pair_id: 2, side: 'long', leverage: 4, order_value_usdc: '400', max_slippage_bps: 100, reference_price: await on.bench.mark(2) }
  on.bench.faults.alteration = 'amount_doubled'
  const altered = await prepare(7, 'open_position', order)
  on.bench.faults.alteration = null
  expect(on.bench.exchange.altered()).toEqual([{ intent_id: text(altered, 'intent_id'), alteration: 'amount_doubled' }])
  expect((await on.client.relay(altered)).text).toContain('BAD_SIGNATURE')
  const hash = await on.trader.send(on.chain.router, '0xdeadbeef')
  await on.mine()
  expect((await on.chain.transaction(hash))?.status).toBe('reverted')
})
