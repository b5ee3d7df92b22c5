import { expect, test } from 'vitest'
import { writeDecimal, writeMoment, writeNever } from './forms.ts'
import { readId, writeId } from './ids.ts'
import { jsonText, NumberText, parseExact } from './json.ts'
import { otherNames } from './requests.ts'
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

test('the bytes that a dialect writes for a given seed match the bytes in the stored snapshots', () => {
  expect(positions(2)).toMatchInlineSnapshot(
    `"{"server_time":1763866000000,"took":3,"response":{"user":"0xAbc","data":{"list":[{"holding_id":"0x0000000000000000000000000000000000000000000000000000019aae9b3a80","market":{"id":"1"},"ticker":"BTC-PERP","is_buy":true,"amount":"0.02500000","value_usd":2400.25,"price":{"entry_wei":"96010500000000000000000","mark_wei":"96010000000000000000000"},"leverage_x":"10","margin":{"mode":"crossed","amount_usd":240.03},"paper_profit_usd":-0.01,"funding":{"total_usd":0},"profit_target_wei":"150000000000000000000000"}]}}}"`,
  )
  expect(positions(3)).toMatchInlineSnapshot(
    `"{"success":true,"Trader":"0xAbc","payload":[{"PositionNumber":1763866000000,"AssetIndex":"1","Ticker":"BTC-PERP","Exposure":"Long","BaseQty":"0.025","Notional":"2400250000","NotionalDecimals":6,"CostBasisPrice":"9601050000000","CostBasisPriceDecimals":8,"Prices":{"Mark":"9601000000000","MarkDecimals":8},"Gearing":"10","MgnMode":"Cross","InitialMargin":"240030000","InitialMarginDecimals":6,"UnrealisedProfit":"-10000","UnrealisedProfitDecimals":6,"FundingPnl":"0","FundingPnlDecimals":6,"TakeProfit":"15000000000000","TakeProfitDecimals":8}]}"`,
  )
  expect(positions(4)).toMatchInlineSnapshot(
    `"{"code":0,"msg":"success","result":{"Account":"0xAbc","Holdings":[{"PosId":4611687782293387904,"ContractId":1,"Ticker":"BTC-PERP","PosSide":"long","SzX8":"2500000","NotionalUsdc":"2400.25","OpenPrice":"96010.50000000","MrkPx":"96010.00000000","Leverage":10,"MarginMode":"shared","CollateralInPositionUsdc":"240.03","UnrealisedPnlUsdc":"-0.01","CumFundingUsdc":"0.00","Tp":{"Price":"150000.00000000"}}]}}"`,
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
] as const)('an API dialect writes a decimal as %s: %s becomes %s', (form, value, written) => {
  expect(jsonText(writeDecimal(value, form, 6))).toBe(written)
})

test.each([
  ['s', false, '1763866000.5'],
  ['ms', true, '"1763866000500"'],
  ['us', false, '1763866000500000'],
  ['ns', false, '1763866000500000000'],
  ['utc', false, '"2025-11-23T02:46:40.500Z"'],
  ['offset', false, '"2025-11-23T04:46:40.500+02:00"'],
] as const)('an API dialect writes a time in this unit or form: %s', (unit, asText, written) => {
  expect(jsonText(writeMoment(1_763_866_000_500, unit, asText))).toBe(written)
})

test('a dialect can write an expiry that means “never” in six forms, such as null, 0 and the year 9999', () => {
  const never = (['null', 'zero', 'minus_one', 'largest', 'year_1', 'year_9999'] as const).map((each) => jsonText(writeNever(each, false)))
  expect(never).toEqual(['null', '0', '-1', '9223372036854775807', '"0001-01-01T00:00:00Z"', '"9999-12-31T23:59:59Z"'])
})

test('a dialect can write an order id in each possible form, and reads the written form back as the same id', () => {
  for (const id of ['ord_1763866000000', 'ord_x17', 'ord_pBTC12', 'ord_0', 'ord_007'])
    for (const form of ['text', 'integer', 'big_integer', 'digits', 'hex'] as const) {
      const written = jsonText(writeId('order', form, id))
      expect([form, id, readId('order', form, parseExact(written))]).toEqual([form, id, id])
    }
  expect(jsonText(writeId('order', 'big_integer', 'ord_1763866000000'))).toBe('4611687782293387904')
  expect(readId('order', 'integer', 'ord_1')).toBeNull()
  expect(readId('order', 'text', 5)).toBeNull()
})

test('the dialects’ JSON parser reads an integer exactly, even if a floating-point number cannot represent it', () => {
  expect(parseExact('{"id":4611687782293387905,"small":7,"text":"9"}')).toEqual({ id: new NumberText('4611687782293387905'), small: 7, text: '9' })
})

test('the practice exchange’s log of true values marks a size’s unit as unknown if no field name in the record shows the unit', () => {
  const candles = [{ t: 1_763_866_000_000, o: '1', h: '3', l: '1', c: '2', v: '12.5' }]
  const standings = Array.from({ length: 40 }, (_, seed) => {
    const { truth } = createSpeaker(seed)
    const volume = truth('GET /api/dex/candles', { candles, pair_id: 1, interval: '1h' }).find(({ field }) => field === 'v')
    return `${/base|coin/i.test(volume?.path.join(' ') ?? '') ? 'named' : 'not named'}: ${volume?.standing}`
  })
  expect([...new Set(standings)].toSorted()).toEqual(['named: told', 'not named: open'])
  const told = (seed: number) => createSpeaker(seed).truth('GET /api/dex/v1/positions', { positions: [position] })
  expect(Array.from({ length: 40 }, (_, seed) => told(seed).find(({ field }) => field === 'size')?.standing)).toContain('told')
})

test('in the dialects’ list of alternative field names, no name contains a unit, and no name occurs twice for one field', () => {
  const units = /(^|[ /])(usdc|usd|ms|bps|pct|percent|e6|e8|e18|wei|cents|fraction)($|[ /])/
  for (const [concept, names] of Object.entries(thesaurus)) {
    expect([concept, names.filter((name) => units.test(name))]).toEqual([concept, []])
    expect([concept, new Set(names).size]).toEqual([concept, names.length])
  }
})

test('in the dialects’ list of alternative field names, no two fields of requests share a name', () => {
  const names = [...Object.keys(otherNames), ...Object.values(otherNames).flat()]
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
})
