import { expect, test } from 'vitest'
import { dialectHash } from './dialect-hash.ts'
import { writeDecimal, writeMoment, writeNever } from './forms.ts'
import { readId, writeId } from './ids.ts'
import { jsonText, NumberText, parseExact } from './json.ts'
import { createSpeaker } from './speaker.ts'
import { thesaurus } from './thesaurus.ts'

const position = {
  ...{ position_id: 'pos_1763866000000', pair_id: 1, symbol: 'BTC-PERP', side: 'long', size: '0.025', notional_usdc: '2400.25', entry_price: '96010.5' },
  ...{ mark_price: '96010.0', liquidation_price: null, leverage: 10, margin_mode: 'cross', margin_usdc: '240.03', unrealised_pnl_usdc: '-0.01' },
  ...{ funding_usdc: '0.00', take_profit: '150000', stop_loss: null },
}
const positions = (seed: number) =>
  jsonText(
    createSpeaker(seed).answer(
      'GET /api/dex/v1/positions',
      { success: true, wallet: '0xAbc', positions: [position] },
      { requestId: 'req-12345678', nowMs: 1_763_866_000_000, action: null },
    ),
  )

test('a seed has its bytes', () => {
  expect(positions(2)).toMatchInlineSnapshot(
    `"{"code":0,"msg":"success","user":"0xAbc","payload":[{"position-id":"1763866000000","product-id":1,"market":{"symbol":"BTC-PERP"},"side":"B","amount":"0.025","exposure-value-cents":"240025","open-price":"9.60105e4","mark":"9.6010e4","leverage-x":10,"margin-mode":"CROSS","margin-held-cents":"24003","pnl":{"open-cents":"-1"},"funding":{"total-cents":"0"},"profit-target":"1.50000e5"}]}"`,
  )
  expect(positions(3)).toMatchInlineSnapshot(
    `"[{"position-key":4611687782293387904,"perp-id":1,"product-code":"BTC-PERP","direction":"buy","amount-e18":"25000000000000000","notional":"2400.25","entry-x18":"96010500000000000000000","mark-px-x18":"96010000000000000000000","current-leverage":10,"margin-type":"crossed","posted-margin":"240.03","upl":"-0.01","accrued-funding":"0.00","take-profit-x18":"150000000000000000000000"}]"`,
  )
  expect(positions(4)).toMatchInlineSnapshot(
    `"{"meta":{"v":1},"payload":{"wallet-address":"0xAbc","positions":{"rows":[{"position-number":4611687782293387904,"instrument-id":1,"market":{"symbol":"BTC-PERP"},"way":"buy","quantity":0.025,"amounts":{"notional-usdc":{"value":"2400250000000000000000","decimals":18}},"avg-entry-price":96010.5,"fair-price":96010,"liq":null,"leverage":{"value":10},"margin-mode":"cross","margin":{"amount-usdc":{"value":"240030000000000000000","decimals":18}},"unrealised-pnl-usdc":{"value":"-10000000000000000","decimals":18},"funding-usdc":{"value":"0","decimals":18},"take-profit":150000,"exits":{"stop-loss":null}}]}}}"`,
  )
})

test.each([
  ['text', '1500.250', '"1500.250"'],
  ['number', '1500.250', '1500.25'],
  ['zeros', '1500.25', '"1500.25000000"'],
  ['exponent', '1500.25', '"1.50025e3"'],
  ['exponent', '-0.0025', '"-2.5e-3"'],
  ['exponent', '0', '"0e0"'],
  ['scaled_name', '1500.25', '"1500250000"'],
  ['scaled_object', '-0.01', '{"value":"-10000","decimals":6}'],
] as const)('writes a decimal as %s: %s is %s', (form, value, written) => {
  expect(jsonText(writeDecimal(value, form, 6))).toBe(written)
})

test.each([
  ['s', false, '1763866000.5'],
  ['ms', true, '"1763866000500"'],
  ['us', false, '1763866000500000'],
  ['ns', false, '1763866000500000000'],
  ['utc', false, '"2025-11-23T02:46:40.500Z"'],
  ['offset', false, '"2025-11-23T04:46:40.500+02:00"'],
] as const)('writes a time in %s', (unit, asText, written) => {
  expect(jsonText(writeMoment(1_763_866_000_500, unit, asText))).toBe(written)
})

test('writes never in each of its ways', () => {
  const never = (['null', 'zero', 'minus_one', 'largest', 'year_1', 'year_9999'] as const).map((each) => jsonText(writeNever(each, false)))
  expect(never).toEqual(['null', '0', '-1', '9223372036854775807', '"0001-01-01T00:00:00Z"', '"9999-12-31T23:59:59Z"'])
})

test('an id is the same id in each form, there and back', () => {
  for (const id of ['ord_1763866000000', 'ord_x17', 'ord_pBTC12', 'ord_0', 'ord_007'])
    for (const form of ['text', 'integer', 'big_integer', 'digits', 'hex'] as const) {
      const written = jsonText(writeId('order', form, id))
      expect([form, id, readId('order', form, parseExact(written))]).toEqual([form, id, id])
    }
  expect(jsonText(writeId('order', 'big_integer', 'ord_1763866000000'))).toBe('4611687782293387904')
  expect(readId('order', 'integer', 'ord_1')).toBeNull()
  expect(readId('order', 'text', 5)).toBeNull()
})

test('reads integers that a float cannot hold to the last digit', () => {
  expect(parseExact('{"id":4611687782293387905,"small":7,"text":"9"}')).toEqual({ id: new NumberText('4611687782293387905'), small: 7, text: '9' })
})

test('no name of the thesaurus says a unit, or stands for two sides of the same thing', () => {
  const units = /(^|[ /])(usdc|usd|ms|bps|pct|percent|e6|e8|e18|wei|cents|fraction)($|[ /])/
  for (const [concept, names] of Object.entries(thesaurus)) {
    expect([concept, names.filter((name) => units.test(name))]).toEqual([concept, []])
    expect([concept, new Set(names).size]).toEqual([concept, names.length])
  }
})

test('the hash is over every source that draws or writes', () => {
  expect(dialectHash()).toMatch(/^[0-9a-f]{64}$/)
  expect(dialectHash()).toBe(dialectHash())
})
