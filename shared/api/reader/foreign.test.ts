import { expect, test } from 'vitest'
import { AccountState, OrderPage, PositionList } from '../schemas/account-resources.ts'
import { CollateralState } from '../schemas/collateral.ts'
import { ExecutionReport } from '../schemas/intents.ts'
import { BreakerList } from '../schemas/keys/safety.ts'
import { CandleList, MarketCatalogue, MarkList } from '../schemas/markets/market-resources.ts'
import { FundingAnswer, LiquidationList, OpenInterestAnswer, VaultAnswer } from '../schemas/markets/market-state-resources.ts'
import { OrderBookList } from '../schemas/markets/order-book.ts'
import { OwnTokenMarket, OwnTokenMetrics } from '../schemas/markets/own-token.ts'
import { RiskPreviewAnswer } from '../schemas/markets/risk-preview.ts'
import { PositionHistoryPage, TradePage } from '../schemas/position-history.ts'

const page = (name: string, ...items: readonly object[]) => ({ [name]: { items, next_cursor: 0, has_more: false, limit: 9 } })
const trades = (...items: readonly object[]) => TradePage.parse(page('trades', ...items)).items
const order = (item: object) => OrderPage.parse(page('orders', { order_id: 1, ...item })).items[0]
const at = Date.UTC(2026, 10, 23, 8)

test('the app reads a record’s only time field under any name, but one of two times only under a known name', () => {
  expect(order({ conceived_utc: '2026-11-23T08:00:00Z' })?.atMs).toBe(at)
  expect(order({ conceived_millis: at })?.atMs).toBe(at)
  expect(order({ heard: '2026-11-23T08:00:00Z', seen: '2026-11-23T09:00:00Z' })?.atMs).toBeNull()
  // `conceived` is not a known name for a time. So the app does not read this number as a time, although it has as many digits as one.
  expect(order({ conceived: at })?.atMs).toBeNull()
  expect(order({ batch_number: at, slot_id: String(at) })?.atMs).toBeNull()
  expect(FundingAnswer.parse({ funding: { pair_id: 1, published_at: at, accrual_utc: '2026-11-23T09:00:00Z' } })).toMatchObject({
    updatedAtMs: at,
    nextAtMs: at + 3_600_000,
  })
  // Two time fields are missing, but the answer contains only one more time. So the app assigns that time to neither field.
  expect(FundingAnswer.parse({ funding: { pair_id: 1, published_at: null, accrual_utc: '2026-11-23T09:00:00Z' } }).nextAtMs).toBeNull()
})

test('the app reads the only time in a point of the account’s history, regardless of the time field’s name', () => {
  const past = [{ noted_sec: at / 1_000, long_usdc: '5', short_usdc: '6' }]
  expect(OpenInterestAnswer.parse({ open_interest: { long_usdc: '7', short_usdc: '8', series: past } }).history).toEqual([{ atMs: at, long: '5', short: '6' }])
  const table = { columns: ['noted_utc', 'nav_usdc'], rows: [['2026-11-23T08:00:00Z', '1.25']] }
  expect(VaultAnswer.parse({ vault: { nav_usdc: '1.3', past: table } })).toMatchObject({
    sharePriceUsdc: '1.3',
    history: [{ atMs: at, sharePriceUsdc: '1.25' }],
  })
  expect(OwnTokenMarket.parse({ price_wei: '395700000000000000', series: [{ noted_ns: `${at}000000`, price_wei: '395500000000000000' }] })).toMatchObject({
    price: '0.3957',
    history: [{ atMs: at, price: '0.3955' }],
  })
})

test('the app reads amounts in cents as hundredths of USDC, with or without a decimal point', () => {
  expect(trades({ trade_id: 1, fee_cents: '17.5599' })[0]?.feeUsdc).toBe('0.175599')
  expect(OpenInterestAnswer.parse({ open_interest: { long_cents: '4087303750', short_cents: 5 } })).toMatchObject({ long: '40873037.5', short: '0.05' })
})

test('the app reads a notional or a turnover in USDC, but assumes no unit for a volume', () => {
  const { markets } = MarketCatalogue.parse({ markets: [{ id: 1, symbol: 'A', min_notional: '10', limits: { max_notional: '500' } }] })
  expect(markets[0]).toMatchObject({ minOrderUsdc: '10', maxOrderUsdc: '500' })
  expect(OwnTokenMarket.parse({ turnover_24h: '12.5' }).volume24h).toBe('12.5')
  expect(OwnTokenMarket.parse({ volume_24h: '12.5' }).volume24h).toBeNull()
})

test('the app infers the unit of a trade’s size (USDC or base units) from the trade’s fee', () => {
  expect(trades({ trade_id: 1, price: '95434.2', size: '0.00368', fee_usdc: '0.1756' })[0]).toMatchObject({ size: '0.00368' })
  expect(trades({ trade_id: 1, price: '95434.2', size: '351.2', fee_usdc: '0.1756' })[0]?.size).toBe('0.00368002')
  // Near a price of one USDC, or without a fee, the size could be in either unit (USDC or base). So it remains unknown.
  expect(trades({ trade_id: 1, price: '1.08', size: '131', fee_usdc: '0.06' })[0]?.size).toBeNull()
  expect(trades({ trade_id: 1, price: '95434.2', size: '0.00368', fee_usdc: '0' })[0]?.size).toBeNull()
})

test('the app converts a record’s size in USDC to base units if the record contains only one price', () => {
  expect(trades({ trade_id: 1, price: '95434.2', size_usdc: '351.2' })[0]).toMatchObject({ size: '0.00368002', valueUsdc: '351.2' })
  expect(LiquidationList.parse({ liquidations: [{ pair_id: 1, price: '2', size_usd: '5' }] }).liquidations[0]?.size).toBe('2.5')
  expect(order({ price: '100', size_usdc: '50', filled_usdc: '25' })).toMatchObject({ size: '0.5', filledSize: '0.25' })
  // The record has two prices, a limit price and a fill price. So the app cannot convert the sizes to base units.
  expect(order({ price: '100', limit_price: '101', size_usdc: '50', filled_usdc: '25' })).toMatchObject({ size: null, filledSize: null })
  expect(order({ price: '100', quote_order_qty_usdc: '52.5' })).toMatchObject({ size: null, orderValueUsdc: '52.5' })
  expect(order({ price: '100', base_qty: '0.5', QuoteOrderQtyCents: '5250' })).toMatchObject({ size: '0.5', orderValueUsdc: '52.5' })
})

test('the app reads an answer’s field named “amount”, with or without a unit in the name, as the record’s main amount', () => {
  const { balances } = CollateralState.parse({
    data: [{ ccy: 'USDC', onchain_place: '0x73b9F5bD03f8474dE6C65295b8F6149997600267', amount_wei: '9999650000000000000000' }],
  })
  expect(balances[0]).toMatchObject({ token: 'USDC', contract: '0x73b9F5bD03f8474dE6C65295b8F6149997600267', balance: '9999.65' })
})

test('the app prefers the property with a readable value if two properties of an answer fit a field', () => {
  const report = { confirmation_status: 'PENDING_FINALITY', confirmation_count: 1, chain: { block: 555 } }
  expect(ExecutionReport.parse(report)).toMatchObject({ finality: 'PENDING_FINALITY', confirmations: 1, blockNumber: 555 })
})

test('the app reads the values before and after an order from a risk preview, in several spellings of their field names', () => {
  const preview = RiskPreviewAnswer.parse({
    preview: {
      would_succeed: 'true',
      margin_needed_usdc: '50',
      pre_trade_health: 9,
      post_trade_health: 8,
      projected_free_margin_usdc: '7',
      forced_close_price: '6',
    },
  })
  expect(preview).toMatchObject({ executable: true, marginRequired: '50', healthBefore: '9', healthAfter: '8', freeMarginAfter: '7', liquidationPrice: '6' })
})

test('the app does not read a field “initial_margin_usage_pct” as the margin just because its name contains “margin”', () => {
  expect(AccountState.parse({ initial_margin_usage_pct: '1.5', equity: '7' })).toMatchObject({ marginUsedPercent: '1.5', marginUsdc: null, equity: '7' })
})

test('the app reads an order book’s bids and asks under other names (buyLevels, offers), with the scale that the size’s name states', () => {
  const book = { buyLevels: [{ px: '95807.2', szX8: '37127000' }], offers: { columns: ['px', 'szX8'], rows: [['95859.0', '17528000']] } }
  expect(OrderBookList.parse({ data: { pair_id: 1, ...book } }).books[0]).toMatchObject({
    bids: [{ price: '95807.2', size: '0.37127' }],
    asks: [{ price: '95859', size: '0.17528' }],
    sizeUnit: null,
  })
})

test('the app reads an object that maps symbols to markets as a list of markets, even if one symbol looks like a field name', () => {
  const symbols = ['BTC-PERP', 'ETH-PERP', 'TOP10.INDEX', 'XX/USDC', 'OP-PERP', 'YFI-PERP', 'XAU-PERP', 'EURUSD', '1000SATS-PERP', 'kSHIB-PERP']
  const map = Object.fromEntries(symbols.map((symbol, index) => [symbol, { id: index, ticker: symbol }]))
  expect(MarketCatalogue.parse(map).markets.map(({ symbol }) => symbol)).toEqual(symbols)
})

test('the app reads the only list inside a record as the record’s history, regardless of the list’s name and of its form (list or table)', () => {
  const rows = [
    [{ t: at, long_usdc: '5', short_usdc: '6' }],
    { columns: ['t', 'long_usdc', 'short_usdc'], rows: [[at, '5', '6']] },
    { t: [at], long_usdc: ['5'], short_usdc: ['6'] },
    { rows: [{ t: at, long_usdc: '5', short_usdc: '6' }] },
  ]
  for (const samples of rows)
    expect(OpenInterestAnswer.parse({ open_interest: { long_usdc: '7', short_usdc: '8', samples } })).toMatchObject({
      long: '7',
      history: [{ atMs: at, long: '5', short: '6' }],
    })
})

test('the app does not read a trade’s size in base units as its USDC value, even under another field name (such as position_size)', () => {
  expect(trades({ trade_id: 1, price: '95582.8', position_size: 0.00368, fee_usdc: '0.1758' })[0]).toMatchObject({ size: '0.00368', valueUsdc: null })
})

test('the app does not read a fraction of the token supply as an amount, even in a field whose name means an amount', () => {
  expect(OwnTokenMetrics.parse({ staked: '0.273', total_supply: '978714852.12' }).staked).toBeNull()
  expect(OwnTokenMetrics.parse({ staked: '0.273', staked_amount: '267231239.37', total_supply: '978714852.12' }).staked).toBe('267231239.37')
  const twice = { bonded_x18: '267219751660000000000000000', bonded: '2730.00000000', total_supply: '978714852.12' }
  expect(OwnTokenMetrics.parse(twice).staked).toBe('267219751.66')
  for (const share of [{ 'total-staked': '2.73e-1' }, { staked: '27.30' }, { total_staked: '27.30', staked: '0.273' }])
    expect(OwnTokenMetrics.parse({ ...share, staking: { staked: '267216495.05' }, supply: '978711034.54' }).staked).toBe('267216495.05')
  const { unknownFields } = OwnTokenMetrics.parse({ staked: '27.30', supply: '978711034.54' })
  expect(JSON.parse(unknownFields ?? '')).toEqual({ staked: '27.30', '?': { staked: 'unit' } })
  expect(OwnTokenMetrics.parse({ bonded: '2730', total_supply: '978714852.12' }).staked).toBeNull()
  expect(OwnTokenMetrics.parse({ staking: { staked: '5', staked_pct: '2.5' }, took: 3 })).toMatchObject({ staked: '5', stakedPercent: '2.5' })
})

test('the app reads a field named “marked at” as a price, and never as a time', () => {
  expect(MarkList.parse({ marks: [{ pair_id: 1, marked_at: '95881.0' }] }).marks[0]?.mark).toBe('95881')
  expect(MarkList.parse({ marks: [{ pair_id: 1, marked_at: at }] }).marks[0]?.mark).toBeNull()
})

test('the app infers a position’s side from its prices if all prices imply the same side', () => {
  const side = (item: object) => {
    const found = PositionList.read({ positions: [{ pair_id: 1, direction: 1, ...item }] })
    return found.ok ? found.value.positions[0]?.side : null
  }
  expect(side({ entry_price: '100', liquidation_price: '80' })).toBe('long')
  expect(side({ entry_price: '100', liquidation_price: '120', mark_price: '90', unrealised_pnl_usdc: '5' })).toBe('short')
  expect(side({ entry_price: '100', liquidation_price: '80', mark_price: '90', unrealised_pnl_usdc: '5' })).toBeNull()
  expect(side({ entry_price: '100', liquidation_price: '0' })).toBeNull()
  expect(side({ entry_price: '100' })).toBeNull()
})

test('the app reads the sides 1 and -1 as long and short only if the answer contains both numbers', () => {
  const sides = (...numbers: readonly unknown[]) => trades(...numbers.map((direction, index) => ({ trade_id: index, direction }))).map(({ side }) => side)
  expect(sides(1, -1, '1')).toEqual(['long', 'short', 'long'])
  expect(sides(1, 1)).toEqual([null, null])
  expect(sides(1, 0, -1)).toEqual([null, null, null])
})

test('the app prefers, among several properties that match a field, the one whose name contains all words of the field’s known name', () => {
  const { items } = PositionHistoryPage.parse(page('history', { record_id: 7, position_key: 9, exit_price: '5' }))
  expect(items[0]).toMatchObject({ closeId: '7', id: '9' })
})

test('the app reads an amount and a percentage with almost the same name as two separate values if each name states its unit', () => {
  expect(OwnTokenMetrics.parse({ stakedAmountX18: '2000000000000000000', stakedAmountBp: '2730' })).toMatchObject({ staked: '2', stakedPercent: '27.3' })
  expect(VaultAnswer.parse({ vault: { unitsOutstanding: '5000000000000000000', unitsOutstandingDecimals: 18 } }).shares).toBe('5')
})

test('the app reads circuit breakers by their names, regardless of how the name of their list is spelled', () => {
  const { breakers } = BreakerList.parse({
    code: 0,
    data: { 'circuit-breakers': { trading: { name: 'trading', engaged: '0' }, relay: { name: 'relay', engaged: '1' } } },
  })
  expect(breakers.map(({ name, tripped }) => [name, tripped])).toEqual([
    ['trading', false],
    ['relay', true],
  ])
})

test('the app reads a property whose name is a verb, such as open or filled, as a price or size and not as a time', () => {
  const bars = {
    CandleTimeSec: [at / 1_000],
    Open: ['9435710000000'],
    OpenDecimals: [8],
    H: ['9487960000000'],
    HDecimals: [8],
    L: ['9428100000000'],
    LDecimals: [8],
  }
  const { candles } = CandleList.parse({ data: { bars: { ...bars, PriceClose: ['9482270000000'], PriceCloseDecimals: [8] } } })
  expect(candles).toMatchObject([{ timeMs: at, open: '94357.1', close: '94822.7', volume: null }])
  expect(trades({ trade_id: 1, filled: '3680000000000000' })[0]?.atMs).toBeNull()
})

test('the app applies decimals that a group of an answer states only to the price in that group', () => {
  const { markets } = MarketCatalogue.parse({ markets: [{ id: 1, symbol: 'A', pxDecimals: 1, steps: { price: '10000000', priceDecimals: 8 } }] })
  expect(markets[0]).toMatchObject({ priceDecimals: 1, tickSize: '0.1' })
})
