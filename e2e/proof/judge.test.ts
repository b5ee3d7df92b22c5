import { expect, test } from 'vitest'
import { type Answered, judge } from './judge.ts'
import { views } from './views/all.ts'
import { nameOf } from './views/view.ts'

const viewOf = (name: string) => {
  const view = views.find((each) => nameOf(each) === name)
  if (view === undefined) throw new Error(`There is no ${name}`)
  return view
}

const position = { position_id: 'pos_1', pair_id: 1, symbol: 'BTC-PERP', side: 'long', size: '0.0026', notional_usdc: '249.25', mark_price: '95864.3' }
const shownPosition = {
  ...{ id: 'pos_1', pairId: 1, symbol: 'BTC-PERP', side: 'long', size: '0.0026', notionalUsdc: '249.25', markPrice: '95864.30' },
  ...{ entryPrice: null, liquidationPrice: null, leverage: null, marginMode: null, marginUsdc: null, unrealisedPnl: null, takeProfit: null, stopLoss: null },
}
const nothing: ReadonlySet<string> = new Set()
const answered = (route: string, told: object, sets: Partial<Answered> = {}): Answered => ({
  ...{ route, told: told as Answered['told'], sent: JSON.stringify(told), open: nothing, leftOut: nothing, derived: nothing },
  ...sets,
})

function verdictOn(field: string, shown: unknown, sets: Partial<Answered> = {}): string | undefined {
  const view = viewOf('account.positions')
  const found = judge(view, { positions: [{ ...shownPosition, [field]: shown }] }, answered(view.route, { positions: [position] }, sets), null)
  return found.find((one) => one.field === `account.positions positions.${field}`)?.verdict
}

test('the dialect proof judges a value in the app as right if it equals the exchange’s value, wrong if it differs, unknown if it is missing', () => {
  expect(verdictOn('markPrice', '95864.3000')).toBe('right')
  expect(verdictOn('markPrice', '95864.4')).toBe('wrong')
  expect(verdictOn('markPrice', null)).toBe('unknown')
  expect(verdictOn('side', 'short')).toBe('wrong')
  expect(verdictOn('entryPrice', null)).toBe('silent')
  expect(verdictOn('entryPrice', '95000')).toBe('wrong')
})

test('the dialect proof judges a size in the app as wrong if the exchange gave no unit; the app may omit a size that it must derive', () => {
  const of = (name: string) => new Set([`positions.${name}`])
  expect(verdictOn('size', '0.0026', { open: of('size') })).toBe('wrong')
  expect(verdictOn('size', null, { open: of('size') })).toBe('right')
  expect(verdictOn('size', null, { derived: of('size') })).toBe('silent')
  expect(verdictOn('size', '249.25', { derived: of('size') })).toBe('wrong')
  // Only the size may be missing (`derived`). The response contains the notional value, so an empty notional value counts as `unknown`.
  expect(verdictOn('notionalUsdc', null, { derived: of('size') })).toBe('unknown')
})

test('the dialect proof judges a value of an order as unknown if the exchange sent it but the app does not show it', () => {
  const view = viewOf('account.orders')
  const told = { orders: { items: [{ order_id: 'o1', client_order_id: 'c1', symbol: 'BTC-PERP', size: '0.01', price: '50000', order_value_usdc: '500' }] } }
  const shown = { orders: [{ id: 'o1', clientOrderId: 'c1', symbol: 'BTC-PERP' }] }
  const verdicts = judge(view, shown, answered(view.route, told, { derived: new Set(['orders.items.size']) }), null)
  expect(verdicts.find(({ field }) => field.endsWith('.orderValueUsdc'))?.verdict).toBe('unknown')
  expect(verdicts.find(({ field }) => field.endsWith('.size'))?.verdict).toBe('silent')
})

test('the dialect proof counts an invented row as wrong, a missing row as unknown, and a history point of which only the time is readable as empty', () => {
  const positions = viewOf('account.positions')
  const stranger = judge(positions, { positions: [{ ...shownPosition, symbol: 'ETH-PERP', id: 'pos_2' }] }, answered(positions.route, { positions: [] }), null)
  expect(stranger.find(({ field }) => field.endsWith('.id'))?.verdict).toBe('wrong')
  const none = judge(positions, { positions: [] }, answered(positions.route, { positions: [position] }), null)
  expect(none.find(({ field }) => field.endsWith('.id'))?.verdict).toBe('unknown')

  const funding = viewOf('markets.funding')
  const told = { funding: { pair_id: 1, funding_rate_1h_pct: '0.0054', history: [{ at_ms: 1_794_859_200_000, funding_rate_1h_pct: '0.0109' }] } }
  const pointAt = (open: ReadonlySet<string>) =>
    judge(funding, { history: [] }, answered(funding.route, told, { open }), null).find(({ field }) => field.endsWith('history.atMs'))?.verdict
  expect(pointAt(nothing)).toBe('unknown')
  expect(pointAt(new Set(['funding.history.funding_rate_1h_pct']))).toBe('silent')
})
