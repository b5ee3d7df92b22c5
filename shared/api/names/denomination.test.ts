import { expect, test } from 'vitest'
import type { AnswerReader } from '../reader/answer.ts'
import { OrderPage, PositionList } from '../schemas/account-resources.ts'
import { DelegatedStatus, ExecutionReport } from '../schemas/intents.ts'
import { BreakerList } from '../schemas/keys/safety.ts'
import { CandleList, MarkList } from '../schemas/markets/market-resources.ts'
import { OwnTokenMetrics } from '../schemas/markets/own-token.ts'
import { RiskPreviewAnswer } from '../schemas/markets/risk-preview.ts'

const page = (order: Readonly<Record<string, unknown>>) => ({ orders: { items: [order], next_cursor: 0, has_more: false, limit: 1 } })
const first = (order: Readonly<Record<string, unknown>>) => {
  const [found] = OrderPage.parse(page(order)).items
  if (found === undefined) throw new Error('No order was read')
  return found
}

test('the app reads a size as a USDC value only if the name of the size’s field says USDC', () => {
  expect(first({ orderId: 1, SzX8: '364000' }).orderValueUsdc).toBeNull()
  expect(first({ orderId: 1, size_usdc: '348.78' }).orderValueUsdc).toBe('348.78')
})

test('the app applies the decimals stated in one group of an answer only to the size in the same group', () => {
  expect(first({ oid: 7, amounts: { size: '364000', size_decimals: 8 }, fill: { size: '182000', size_decimals: 8 } }).filledSize).not.toBe('182000')
})

test('the app does not apply the decimals of a token amount (staked_decimals) to the percentage of the same quantity (staked_bps)', () => {
  const { stakedPercent } = OwnTokenMetrics.parse({ metrics: { staked: '267304351000000000000000000', staked_decimals: 18, staked_bps: 2731 } })
  expect(stakedPercent).toBe('27.31')
})

test('the app reads a list under an unknown name if the list is the only one in the service’s answer', () => {
  expect(MarkList.parse({ code: 0, msg: 'success', tape: [{ product_id: 1, mark_px: '95000.5' }] }).marks).toMatchObject([{ pairId: 1, mark: '95000.5' }])
})

test('the app reads a table of circuit breakers in a service answer, and does not mistake neighbouring fields for breakers', () => {
  const switches = { trading: { name: 'trading', triggered: '0' }, relay: { name: 'relay', triggered: '0' } }
  for (const json of [
    { status: 'ok', 'request-id': 'r', payload: switches },
    { ok: true, 'request-id': 'r', 'server-time': 0, result: { 'circuit-breakers': switches } },
  ])
    expect(BreakerList.parse(json).breakers).toMatchObject([
      { name: 'trading', tripped: false },
      { name: 'relay', tripped: false },
    ])
  const { breakers } = BreakerList.parse({ retCode: 0, retMsg: 'OK', breakers: { name: ['trading', 'relay'], engaged: [0, 1] } })
  expect(breakers.map(({ name, tripped }) => [name, tripped])).toEqual([
    ['trading', false],
    ['relay', true],
  ])
})

const hash = `0x${'ab'.repeat(32)}`

test('the app finds an execution’s finality inside or outside the answer’s group “chain”, which contains the other facts about the transaction', () => {
  for (const json of [
    { chain: { txHash: hash, confirmations: '1' }, status: 'PENDING_FINALITY', blockNumber: '103' },
    { payload: { command: { chain: { tx_hash: hash, confirmations: 1, block: 103 }, status: 'PENDING_FINALITY' } } },
    { success: true, result: { job: { tx: { hash }, onchain: { finality: 'PENDING_FINALITY' }, chain: { confirmations: '1', block: '103' } } } },
  ])
    expect(ExecutionReport.parse(json)).toMatchObject({ finality: 'PENDING_FINALITY', confirmations: 1, blockNumber: 103 })
})

test('the app reads an executor’s command from a property named “outcome”, although that property usually contains only the command’s results', () => {
  const results = [{ index: 0, command: 'create_limit', lifecycle: { state: 'DONE' } }]
  for (const outcome of [
    { 'cmd-id': 'cmd_1', command: 'create_limit', lifecycle: { state: 'DONE' }, chain: { 'tx-hash': hash }, results },
    { 'job-id': 'cmd_1', instruction: 'create_limit', stage: 'DONE', tx: { hash }, results: { columns: ['index', 'stage'], rows: [[0, 'DONE']] } },
  ]) {
    const read = DelegatedStatus.parse({ retCode: 0, retMsg: 'OK', outcome })
    expect(read).toMatchObject({ state: 'DONE', txHash: hash, results: [{ index: 0, state: 'DONE' }] })
  }
})

test('the app separates the letter in a candle field’s name (such as O for open) from the scale that follows the letter', () => {
  const [read] = CandleList.parse([{ T: 1795402800, OE8: '9530500000000', HX8: '9533690000000', LE8: '9495740000000', CX8: '9526660000000' }]).candles
  expect(read).toMatchObject({ open: '95305', high: '95336.9', low: '94957.4', close: '95266.6' })
})

test('the app never reads a number as a market symbol, and looks for the symbol in another property instead', () => {
  const [read] = PositionList.parse({ positions: [{ position_id: 'p', pair: '1', instrument: 'BTC-PERP', side: 'long' }] }).positions
  expect(read).toMatchObject({ pairId: 1, symbol: 'BTC-PERP' })
})

test('the app reads a token amount with stated decimals even if another property with the same name contains a fraction (0.273)', () => {
  const staked = { value: '267210705950000000000000000', decimals: 18 }
  expect(OwnTokenMetrics.parse({ Instrument: 'SVC', Staked: staked, Staking: { Staked: '0.27300000' } }).staked).toBe('267210705.95')
})

test('the service check does not suggest a profit from funding as a position’s profit, nor a margin as a liquidation price', () => {
  const offers = ({ inspect }: Pick<AnswerReader<unknown>, 'inspect'>, json: unknown) =>
    inspect(json).flatMap(({ fields }) => fields.flatMap(({ field, suggestions }) => suggestions.map(({ path }) => `${field} ${path}`)))
  expect(offers(PositionList, { positions: [{ position_id: 'p', pair_id: 1, side: 'long', funding_pnl: '1.5' }] })).not.toContain('unrealisedPnl funding_pnl')
  const preview = {
    ...{ executable: 1, entryPx: '9.5539e4', initialMarginX6: '50000000', preTradeMarginUsage: '1.00', margin: { after: '1.09' } },
    ...{ preTradeHealth: '2003.41', healthAfter: '1336.00', after: { equityX6: '9999540000' }, postTradeMarginX6: '149690000' },
    ...{ freeMarginAfterX6: '9849850000', postTradeWithdrawableX6: '9849820000' },
  }
  expect(offers(RiskPreviewAnswer, preview)).not.toContain('liquidationPrice margin.after')
})
