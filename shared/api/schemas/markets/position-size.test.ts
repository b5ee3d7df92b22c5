import { expect, test } from 'vitest'
import { OrderPage, PositionList } from '../account-resources.ts'
import { TradePage } from '../position-history.ts'

const long = { position_id: 'p1', pair_id: 1, side: 'long', entry_price: '64000.5', mark_price: '65000.5' }
const sizeOf = (...records: readonly Record<string, unknown>[]) => {
  const read = PositionList.read({ positions: records.map((record, index) => ({ ...long, position_id: `p${index}`, ...record })) })
  return read.ok ? read.value.positions.map(({ size, rawSize }) => [size, rawSize ?? null]) : null
}

test('the app reads a size of unstated unit in base units only if the profit confirms it, and never if the field’s name says USDC [ERR-02]', () => {
  expect(sizeOf({ size: '0.5', unrealised_pnl: '500.00' })).toEqual([['0.5', null]])
  expect(sizeOf({ size: '32500', unrealised_pnl: '507.80' })).toEqual([[null, '32500']])
  // A profit close to zero does not show the unit of the size. The same is true for a profit that fits neither base units nor USDC.
  for (const pnl of ['0', '0.05', '90.00']) expect(sizeOf({ size: '0.5', unrealised_pnl: pnl })).toEqual([[null, '0.5']])
  expect(sizeOf({ size: '0.5', unrealised_pnl: '500.00', mark_price: '64000.6' })).toEqual([[null, '0.5']])
})

test('the app infers the decimals of an integer size if exactly one number of decimals fits two other figures of the position [ERR-02]', () => {
  const backed = { notional_usdc: '32500.25', unrealised_pnl: '500.00' }
  expect(sizeOf({ size: '50000000', ...backed })).toEqual([['0.5', null]])
  expect(sizeOf({ size: 500_000_000_000_000_000n.toString(), ...backed })).toEqual([['0.5', null]])
  expect(sizeOf({ size: '500000000000000000', notional_usdc: '32500.25', margin_usdc: '6500.05', leverage: 5 })).toEqual([['0.5', null]])
  // The first size matches only the notional, which may be chance. The second size equals the notional if scaled by 6 decimals, so it is in USDC and
  // not in base units.
  expect(sizeOf({ size: '50000000', notional_usdc: '32500.25' })).toEqual([[null, '50000000']])
  expect(sizeOf({ size: '32500250000', ...backed })).toEqual([[null, '32500250000']])
  // At a price of 10,000 USDC, both readings have the same value: 4 decimals in USDC, and 8 decimals in base units. So the size remains unknown.
  const even = { entry_price: '9900.5', mark_price: '10000.5', notional_usdc: '5000.25', unrealised_pnl: '50.00' }
  expect(sizeOf({ size: '50000000', ...even })).toEqual([[null, '50000000']])
  expect(sizeOf({ size: '50000000', ...backed }, { size: '500000', ...backed })).toEqual([
    [null, '50000000'],
    [null, '500000'],
  ])
  expect(sizeOf({ size: '50000000', ...backed }, { size: '0.25' })).toEqual([
    ['0.5', null],
    [null, '0.25'],
  ])
})

test('the app keeps a position’s size of unknown unit only as raw text without its sign, and never as a size [ERR-02]', () => {
  expect(sizeOf({ size: -250.5 }, { size: '7' }, {}, { size: 'much' })).toEqual([
    [null, '250.5'],
    [null, '7'],
    [null, null],
    [null, null],
  ])
  expect(sizeOf({ size: '0.5', notional_usdc: '32500.25' })).toEqual([['0.5', null]])
})

test('the app ignores integer prices that contradict a position’s size and notional, and never rescales the size to make them fit [ERR-02]', () => {
  const small = {
    entry_price: '1200',
    mark_price: '1230',
    liquidation_price: '900',
    notional_usdc: '61.5',
    margin_usdc: '12.3',
    leverage: '5',
    unrealised_pnl: '1.5',
  }
  const read = (change: Record<string, unknown>) => {
    const answer = PositionList.read({ positions: [{ ...long, ...small, ...change }] })
    const [one] = answer.ok ? answer.value.positions : []
    return [one?.size, one?.entryPrice, one?.markPrice, one?.liquidationPrice, one?.unknownFields?.includes('scale') ?? false]
  }
  expect(read({ size_base: '5000000' })).toEqual(['5000000', null, null, null, true])
  expect(read({ size: '5000000' })).toEqual([null, '1200', '1230', '900', false])
  expect(read({ size_base: '0.05' })).toEqual(['0.05', '1200', '1230', '900', false])
})

test('the app reads a USDC size as an order’s, fill’s or liquidation’s value, and converts the value to base units at the record’s price [ERR-02]', () => {
  const page = (name: string, ...items: readonly object[]) => ({ [name]: { items, next_cursor: 0, has_more: false, limit: 9 } })
  const half = { price: '64000', size: '32000.00' }
  const [order, other] = OrderPage.parse(
    page(
      'orders',
      { order_id: 1, ...half, filled_size: '16000.00', order_value_usdc: '32000' },
      { order_id: 2, ...half, limit_price: '65000', filled_size: '40000' },
    ),
  ).items
  expect([order?.size, order?.filledSize, order?.unknownFields]).toEqual(['0.5', '0.25', null])
  expect([other?.size, other?.filledSize]).toEqual([null, null])
  const [trade] = TradePage.parse(page('trades', { trade_id: 1, ...half, fee_usdc: '16' })).items
  expect([trade?.size, trade?.valueUsdc, trade?.unknownFields]).toEqual(['0.5', '32000', null])
  const [named] = OrderPage.parse(page('orders', { order_id: 1, price: '64000', 'amount-usdc': '32000.00' })).items
  expect([named?.size, named?.unknownFields]).toEqual(['0.5', null])
  // The two records imply different units, so the app reads neither size.
  const two = TradePage.parse(page('trades', { trade_id: 1, ...half, fee_usdc: '16' }, { trade_id: 2, price: '64000', size: '0.5', fee_usdc: '16' })).items
  expect(two.map(({ size, valueUsdc }) => [size, valueUsdc])).toEqual([
    [null, null],
    [null, null],
  ])
})
