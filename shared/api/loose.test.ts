import fc from 'fast-check'
import { expect, test } from 'vitest'
import { endpoints } from './endpoints/all-endpoints.ts'
import { findField } from './loose.ts'

test('the app finds a field of a service answer by any of the field’s names, ignoring case and separators [ERR-02]', () => {
  for (const name of ['tick_size', 'tickSize', 'TICK-SIZE', 'price_step'])
    expect(findField({ [name]: '0.5' }, ['tick_size', 'price_step'])).toEqual({ name, value: '0.5' })
  expect(findField({ other: 1 }, ['tick_size'])).toBeNull()
  expect(findField({ tick_size: null, price_step: '0.5' }, ['tick_size', 'price_step'])?.value).toBe('0.5')
})

test('the app ignores a property that a service answer only inherits from its prototype', () => {
  expect(findField({}, ['constructor', 'toString'])).toBeNull()
})

test('the app reports the path of a required field that a service answer lacks', () => {
  const result = endpoints.getMarkets.response.read({ markets: [{ id: 2 }] })
  expect(result).toMatchObject({ ok: false, issues: [{ path: ['markets', 0, 'symbol'], message: 'missing' }] })
})

test('the app reads a service answer of any shape without throwing an error [ERR-02]', () => {
  const responses = Object.values(endpoints).map((endpoint) => endpoint.response)
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
      for (const response of responses) response.read(value)
    }),
    { numRuns: 60 },
  )
})

test('the app reads the same account from answers with missing, renamed or additional fields [ERR-02]', () => {
  const read = (value: unknown) => endpoints.getAccount.response.parse(value)
  const full = {
    equity: '100.5',
    collateral: null,
    freeMargin: null,
    marginUsedPercent: null,
    unrealisedPnl: null,
    healthFactor: null,
    liquidationState: null,
    wallet: null,
    marginUsdc: null,
  }
  expect(read({ equity_usdc: '100.50' })).toEqual({ ...full, unknownFields: null })
  expect(read({ account: { equity: 100.5 } })).toEqual({ ...full, unknownFields: null })
  expect(read({ data: { equityUsdc: '100.5', vip: true } })).toEqual({ ...full, unknownFields: '{"vip":true}' })
})
