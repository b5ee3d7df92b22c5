import fc from 'fast-check'
import { expect, test } from 'vitest'
import { endpoints } from './endpoints/all.ts'
import { decimal, findField, looseObject, may, must, text, time } from './loose.ts'

const never = () => {}

test('finds a field under any of its names, whatever its case and separators [ERR-02]', () => {
  for (const name of ['tick_size', 'tickSize', 'TICK-SIZE', 'price_step'])
    expect(findField({ [name]: '0.5' }, ['tick_size', 'price_step'])).toEqual({ name, value: '0.5' })
  expect(findField({ other: 1 }, ['tick_size'])).toBeNull()
  expect(findField({ tick_size: null, price_step: '0.5' }, ['tick_size', 'price_step'])?.value).toBe('0.5')
})

test('does not find what only the prototype has', () => {
  expect(findField({}, ['constructor', 'toString'])).toBeNull()
})

test('a missing number is null and never 0; an unknown field is kept [ERR-02]', () => {
  const Thing = looseObject({ id: must(['id'], text), price: may(['price'], decimal) })
  expect(Thing.parse({ id: 'a', colour: 'blue', success: true })).toEqual({ id: 'a', price: null, unknownFields: '{"colour":"blue"}' })
  expect(Thing.parse({ id: 'a', price: null })).toEqual({ id: 'a', price: null, unknownFields: null })
  expect(Thing.parse({ id: 'a', price: 'soon' })).toEqual({ id: 'a', price: null, unknownFields: '{"price":"soon"}' })
})

test('names the path of what it needs and did not find', () => {
  const result = endpoints.getMarkets.response.safeParse({ markets: [{ id: 1, symbol: 'BTC-PERP' }, { id: 2 }] })
  expect(result.error?.issues[0]?.path).toEqual(['markets', 1, 'symbol'])
})

test('reads numbers as decimal text, without the exponent of a float [ERR-02]', () => {
  expect(decimal(1e-7, never)).toBe('0.0000001')
  expect(decimal('96412.50', never)).toBe('96412.5')
  expect(decimal(0, never)).toBe('0')
  for (const value of ['', 'NaN', null, undefined, {}, Number.NaN, true]) expect(decimal(value, never)).toBeUndefined()
})

test('reads ISO text, seconds and milliseconds as one time [ERR-02]', () => {
  const at = Date.UTC(2026, 10, 18, 14, 32, 8)
  for (const value of [
    '2026-11-18T14:32:08Z',
    '2026-11-18T14:32:08',
    '2026-11-18 14:32:08',
    '2026-11-18T15:32:08+01:00',
    at,
    at / 1_000,
    String(at),
    String(at / 1_000),
    at * 1_000,
  ]) {
    expect([value, time(value, never)]).toEqual([value, at])
  }
  for (const value of [0, -1, '0', 'soon', '', null, '12:00', Number.POSITIVE_INFINITY]) expect([value, time(value, never)]).toEqual([value, undefined])
})

test('no answer of any shape makes a reader throw [ERR-02]', () => {
  const responses = Object.values(endpoints).map((endpoint) => endpoint.response)
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
      for (const response of responses) response.safeParse(value)
    }),
    { numRuns: 60 },
  )
})

test('reads the same account from sparse, renamed and extended answers [ERR-02]', () => {
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
  }
  expect(read({ equity_usdc: '100.50' })).toEqual({ ...full, unknownFields: null })
  expect(read({ account: { equity: 100.5 } })).toEqual({ ...full, unknownFields: null })
  expect(read({ data: { equityUsdc: '100.5', vip: true } })).toEqual({ ...full, unknownFields: '{"vip":true}' })
})
