import { expect, test } from 'vitest'
import { parseJson } from '../../foreign/parse-json.ts'
import { keyOf, wordsOf } from '../names/name-words.ts'
import { readNumber } from './numbers.ts'
import { never, readTime } from './units.ts'

test('the app keeps every digit of a number in a JSON answer', () => {
  expect(parseJson('{"id": 90071992547409931234, "b": 12, "p": 0.12345678901234567890, "t": "9007199254740993", "n": 1.5e3}')).toEqual({
    id: '90071992547409931234',
    b: 12,
    p: '0.12345678901234567890',
    t: '9007199254740993',
    n: 1500,
  })
  for (const text of ['', '{', 'nothing', '['.repeat(200_000)]) expect(parseJson(text)).toBeUndefined()
})

test('the app reads a time in seconds, milliseconds, microseconds, nanoseconds or RFC 3339 with any offset as the same time [ERR-02]', () => {
  const at = Date.UTC(2026, 10, 18, 14, 32, 8)
  for (const value of [
    at,
    at / 1_000,
    at * 1_000,
    String(at),
    `${at}000000`,
    '2026-11-18T14:32:08Z',
    '2026-11-18T14:32:08',
    '2026-11-18 14:32:08',
    '2026-11-18 14:32:08 UTC',
    '2026-11-18T15:32:08+01:00',
    '2026-11-18T14:32:08.000000000Z',
    'Wed, 18 Nov 2026 14:32:08 GMT',
  ])
    expect([value, readTime(value)]).toEqual([value, at])
})

test('the app reads the usual spellings of “never” as no expiry, and refuses a time outside the years 2001 to 2262', () => {
  for (const value of [
    0,
    -1,
    '0',
    '-1',
    '9223372036854775807',
    9223372036854775807n.toString(),
    '0001-01-01T00:00:00Z',
    '9999-12-31T23:59:59Z',
    253_402_300_799,
    253_402_300_799_000,
    'never',
    'NONE',
  ])
    expect([value, readTime(value)]).toEqual([value, never])
  for (const value of [1, 12_345, 900_000_000, -5, 'soon', '12:00', '1970-01-01T00:00:00Z', true, null, {}, Number.NaN, Number.POSITIVE_INFINITY])
    expect([value, readTime(value)]).toEqual([value, undefined])
})

test('the app reads a number in an answer, even with an exponent, as plain decimal text, and splits off a unit after the number [ERR-02]', () => {
  expect(readNumber(1e-7)?.value).toBe('0.0000001')
  expect(readNumber('1.5e-7')?.value).toBe('0.00000015')
  expect(readNumber('96412.50')).toEqual({ value: '96412.5', pointed: true, suffix: null })
  expect(readNumber('1.84%')).toEqual({ value: '1.84', pointed: true, suffix: '%' })
  expect(readNumber('100.50 USDC')).toEqual({ value: '100.5', pointed: true, suffix: 'USDC' })
  for (const value of ['', 'NaN', '1,234.5', '0x10', null, undefined, {}, Number.NaN, true, '1'.repeat(300)]) expect(readNumber(value)).toBeUndefined()
})

test('the app splits different spellings of a field name (such as orderId and order_id) into the same words', () => {
  const known = new Set(['mark', 'price', 'liquidation', 'average', 'entry'])
  const same = (...names: string[]) => new Set(names.map((name) => keyOf(wordsOf(name, known)))).size
  expect(same('mark_price', 'markPx', 'MARK-PRICE', 'prices.mark', 'markprice', 'Mark Price')).toBe(1)
  expect(same('unrealised_pnl', 'uPnL', 'unrealizedProfit', 'unRealizedPnl', 'upnl', 'unrealized_profit_loss')).toBe(1)
  expect(same('take_profit', 'tp', 'takeProfit')).toBe(1)
  expect(same('liq_price', 'liquidationPrices', 'liquidationprice')).toBe(1)
  expect(same('price', 'size')).toBe(2)
})
