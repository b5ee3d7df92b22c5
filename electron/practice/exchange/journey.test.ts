import { afterEach, expect, test } from 'vitest'
import { signTypedData } from '../../../e2e/support/practice/signing.ts'
import { at, type Bench, bearer, keyHeader, start, text } from '../../../e2e/support/practice/start.ts'

let bench: Bench
afterEach(() => bench.stop())

test('a client of the practice exchange can go all the way from the sign-in challenge to a position whose transaction is final [KEY-10] [FLOW-06] [GEN-08]', async () => {
  bench = await start()
  const { call, chain, wallet } = bench
  const session = await bench.signIn()
  const prepared = await call('POST /api/dex/developer/keys/prepare', { ...bearer(session), body: { label: 'desk', expires_in_days: 90 } })
  expect(prepared.status).toBe(200)
  expect(at(prepared, 'grant.typed_data.domain')).toEqual({ name: 'SvcDEX', version: '1', chainId: 8453, verifyingContract: chain.router })
  const created = await call('POST /api/dex/developer/keys', {
    ...bearer(session),
    body: {
      preparation_id: at(prepared, 'preparation_id'),
      signature: await signTypedData(wallet, prepared, 'grant.typed_data'),
      label: 'desk',
      expires_in_days: 90,
    },
  })
  expect(created.status).toBe(201)
  expect(at(created, 'key.agent')).toEqual({ address: at(prepared, 'agent.address'), granted: true })
  const key = keyHeader(text(created, 'api_key'))

  const order = await call('POST /api/dex/v1/orders/prepare', {
    headers: { ...key.headers, 'Idempotency-Key': 'journey-0001' },
    body: {
      action: 'open_position',
      payload: { pair_id: 1, side: 'long', leverage: 10, order_value_usdc: '2500', reference_price: await bench.mark(1), max_slippage_bps: 50 },
    },
  })
  expect(order.status).toBe(200)
  expect(at(order, 'execution.ready')).toBe(true)
  const relayed = await call('POST /api/dex/actions/relay', {
    body: { wallet: wallet.address, intent_id: at(order, 'intent_id'), signature: await signTypedData(wallet, order, 'execution.typed_data') },
  })
  expect(relayed.json).toEqual({ success: true, tx_hash: expect.stringMatching(/^0x[0-9a-f]{64}$/), state: 'submitted' })

  const finality = async () => at(await call(`GET /api/dex/v1/native/executions/${text(relayed, 'tx_hash')}`, key), 'finality')
  expect(await finality()).toBe('PENDING')
  await chain.mine(1)
  expect(await finality()).toBe('PENDING_FINALITY')
  const positions = await call('GET /api/dex/v1/positions', key)
  expect(at(positions, 'positions.0')).toMatchObject({ pair_id: 1, symbol: 'BTC-PERP', side: 'long', leverage: 10, margin_mode: 'cross' })
  await chain.mine(6)
  expect(await finality()).toBe('PENDING_FINALITY')
  await chain.mine(1)
  expect(await finality()).toBe('FINAL')
})
