import { afterEach, beforeEach, expect, test } from 'vitest'
import { brief, type Developer, openDeveloper } from '../../../../e2e/support/practice/developer.ts'
import { at, type Bench, start, text } from '../../../../e2e/support/practice/start.ts'
import type { Faults } from '../../base/faults.ts'

let bench: Bench
let developer: Developer
let route: string
beforeEach(async () => {
  bench = await start()
  developer = await openDeveloper(bench)
  route = `POST /api/dex/developer/keys/${text(await developer.create(), 'key.key_id')}/execution-payment`
})
afterEach(() => bench.stop())

const word = (value: number | string) => (typeof value === 'number' ? value.toString(16) : value.slice(2).toLowerCase()).padStart(64, '0')

test('the practice exchange prepares an execution payment as an approval of exactly the requested amount; no money moves until it is sent [KEY-13]', async () => {
  const { chain, wallet, clock } = bench
  const payment = await developer.call(route, { amount_usdc: '25.5' })
  expect(payment.json).toEqual({
    success: true,
    key_id: route.split('/')[5],
    amount_usdc: '25.5',
    token: chain.usdc,
    spender: chain.router,
    transaction: {
      kind: 'approval',
      from: wallet.address,
      to: chain.usdc,
      data: `0x095ea7b3${word(chain.router)}${word(25_500_000)}`,
      value: '0x0',
      deadline: Math.floor(clock.now() / 1000) + 180,
    },
  })
  expect(at(await developer.call('GET /api/dex/developer/keys'), 'keys.0')).toMatchObject({ executor: null, agent: null })
})

test('for an execution payment without an amount, the practice exchange uses the default amount; it refuses amounts outside the limits [KEY-13]', async () => {
  expect(at(await developer.call(route), 'transaction.data')).toContain(word(10_000_000))
  expect(at(await developer.call(route, { amount_usdc: '0.000001' }), 'transaction.data')).toContain(word(1))
  expect((await developer.call(route, { amount_usdc: '1000' })).status).toBe(200)
  for (const amount_usdc of ['0', '-1', '1000.000001', '0.0000001', '1e3', 25, null, ''])
    expect([amount_usdc, brief(await developer.call(route, { amount_usdc }))]).toEqual([amount_usdc, '400 VALIDATION_ERROR'])
})

test('with its fault “payment”, the practice exchange returns a transaction that differs from the execution payment that it states [KEY-13]', async () => {
  const { chain, wallet, faults, clock } = bench
  const honest = { from: wallet.address, to: chain.usdc, data: `0x095ea7b3${word(chain.router)}${word(10_000_000)}`, value: '0x0' }
  const stranger = '0x000000000000000000000000000000000000dEaD'
  const said = async (fault: Faults['payment']) => {
    faults.payment = fault
    return at(await developer.call(route), 'transaction')
  }
  expect(await said(null)).toMatchObject(honest)
  expect(await said('spender')).toMatchObject({ ...honest, data: `0x095ea7b3${word(stranger)}${word(10_000_000)}` })
  expect(await said('unlimited')).toMatchObject({ ...honest, data: `0x095ea7b3${word(chain.router)}${'f'.repeat(64)}` })
  expect(await said('token')).toMatchObject({ ...honest, to: stranger })
  expect(await said('wallet')).toMatchObject({ ...honest, from: stranger })
  expect(await said('value')).toMatchObject({ ...honest, value: '0xde0b6b3a7640000' })
  expect(await said('selector')).toMatchObject({ ...honest, data: `0xa9059cbb${word(chain.router)}${word(10_000_000)}` })
  expect(Number(Reflect.get(Object(await said('expired')), 'deadline'))).toBeLessThan(clock.now() / 1000)
})
