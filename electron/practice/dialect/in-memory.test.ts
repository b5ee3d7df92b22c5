import { afterEach, beforeEach, expect, test } from 'vitest'
import { allScopes, type Client, openClient } from '../../../e2e/support/practice/orders.ts'
import { at, type Bench, start, text } from '../../../e2e/support/practice/start.ts'
import { asJson, jsonText } from './json.ts'
import { createSpeaker } from './speaker.ts'

let bench: Bench
let client: Client
beforeEach(async () => {
  bench = await start()
  client = await openClient(bench, allScopes)
})
afterEach(() => bench.stop())

test('the practice exchange’s simulated chain in memory also accepts the signing and call formats of a dialect [FLOW-02] [FLOW-03]', async () => {
  for (let seed = 1; seed <= 20; seed += 1) {
    const { requests } = createSpeaker(seed)
    bench.clock.advance(2_000)
    bench.faults.dialect = seed
    const order = {
      pair_id: 2,
      side: 'long',
      order_type: 'limit',
      leverage: 2,
      order_value_usdc: '600',
      limit_price: '2000.5',
      client_order_id: `memory-${seed}`,
    }
    expect([seed, (await client.relay(await client.prepare(order))).status]).toEqual([seed, 200])
    await bench.chain.mine(1)
    bench.faults.dialect = null
    const order_id = text(await client.read('/orders'), 'orders.items.0.order_id')
    bench.faults.dialect = seed
    const cancel = await bench.call('POST /api/dex/v1/orders/prepare', {
      headers: { 'X-Svc-API-Key': client.apiKey, 'Idempotency-Key': `cancel-in-${seed}`, 'Content-Type': 'application/json' },
      raw: jsonText(asJson({ action: 'cancel_order', payload: requests.writePayload('cancel_order', { order_id }) })),
    })
    const { from, to, data } = (at(cancel, 'execution.transactions') as Parameters<typeof bench.chain.broadcast>[0][])[0] ?? {
      from: '0x',
      to: '0x',
      data: '0x',
    }
    bench.chain.broadcast({ from, to, data })
    await bench.chain.mine(1)
    bench.faults.dialect = null
    expect([seed, at(await client.read('/orders'), 'orders.items.0.status')]).toEqual([seed, 'cancelled'])
  }
})
