import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fromUnits, toUnits } from '../../../../shared/decimal.ts'
import { afterRows } from '../positions/ledger.ts'
import { type Book, emptyBook } from './book.ts'
import type { Change, LedgerRow } from './changes.ts'

const wallet = '0x8ba1f109551bD432803012645Ac136ddd64DBA72'

const rowsOf = (changes: readonly Change[]): LedgerRow[] =>
  changes.map((change, index) => ({ sequence: index + 1, wallet, atMs: index * 1_000, change, origin: null }))

const placed = (id: number, side: 'long' | 'short', size: string, closes: string | null): Change => ({
  kind: 'placed',
  order: {
    ...{ id: `ord_${id}`, opens: `pos_${id}`, intentId: null, clientOrderId: null, pairId: 1 + (id % 2), side, orderType: 'market' },
    ...{ marginMode: id % 3 === 0 ? 'isolated' : 'cross', leverage: 1 + (id % 7), closes, size, valueUsdc: null, price: null },
    ...{ takeProfit: null, stopLoss: null, createdAtMs: 0 },
  },
})

const happening = fc.record({
  what: fc.constantFrom('order', 'order', 'order', 'close', 'charge', 'funding', 'margin'),
  side: fc.constantFrom('long' as const, 'short' as const),
  /** Order size in thousandths of a base unit. */
  size: fc.integer({ min: 2, max: 5_000 }),
  price: fc.integer({ min: 1, max: 100_000 }),
  part: fc.integer({ min: 0, max: 4_999 }),
  target: fc.nat({ max: 30 }),
})
type Happening = typeof happening extends fc.Arbitrary<infer Each> ? Each : never

const thousandths = (count: number) => fromUnits(BigInt(count), 3)

const changesOf = ({ what, side, size, price, part, target }: Happening, id: number): Change[] => {
  const fill = (count: number): Change => ({ kind: 'filled', orderId: `ord_${id}`, price: String(price), size: thousandths(count), feeUsdc: '0.25' })
  switch (what) {
    case 'charge':
      return [{ kind: 'charged', usdc: '0.02' }]
    case 'funding':
      return [{ kind: 'funding', positionId: `pos_${target}`, amount: side === 'long' ? '-0.000123' : '0.000123' }]
    case 'margin':
      return [{ kind: 'margin', positionId: `pos_${target}`, amount: '1.5' }]
    default: {
      const first = 1 + (part % (size - 1))
      return [placed(id, side, thousandths(size), what === 'close' ? `pos_${target}` : null), fill(first), fill(size - first)]
    }
  }
}
const histories = fc.array(happening, { maxLength: 40 }).map((list) => list.flatMap((each, index) => changesOf(each, index)))

const units = (text: string): bigint => {
  const value = toUnits(text, 24)
  if (value === null) throw new Error(`Too fine: ${text}`)
  return value
}
const total = (values: readonly string[]): bigint => values.reduce((sum, value) => sum + units(value), 0n)

test('on the practice exchange, an account’s collateral equals realised results plus funding minus fees and network costs, to the cent', () => {
  fc.assert(
    fc.property(histories, (changes) => {
      const book = afterRows(emptyBook, rowsOf(changes))
      const charged = changes.reduce((sum, change) => sum + (change.kind === 'charged' ? units(change.usdc) : 0n), 0n)
      const fees = total(book.trades.map((trade) => trade.feeUsdc))
      const results = total(book.closed.map((closed) => closed.realisedPnlUsdc))
      const funding = total([...book.positions, ...book.closed].map((each) => each.fundingUsdc))
      expect(units(book.collateral)).toBe(results + funding - fees - charged)
    }),
  )
})

test('on the practice exchange, the size of each position equals the sum of its fills', () => {
  fc.assert(
    fc.property(histories, (changes) => {
      const opening = changes.filter((change) => change.kind !== 'placed' || change.order.closes === null)
      const known = new Set(opening.flatMap((change) => (change.kind === 'placed' ? [change.order.id] : [])))
      const book = afterRows(emptyBook, rowsOf(opening.filter((change) => change.kind !== 'filled' || known.has(change.orderId))))
      for (const pairId of [1, 2]) {
        const signed = (side: 'long' | 'short', size: string) => (side === 'long' ? units(size) : -units(size))
        const filled = book.trades.filter((trade) => trade.pairId === pairId).reduce((sum, trade) => sum + signed(trade.side, trade.size), 0n)
        const held = book.positions.filter((each) => each.pairId === pairId).reduce((sum, each) => sum + signed(each.side, each.size), 0n)
        expect(held).toBe(filled)
      }
    }),
  )
})

test('if the practice exchange applies the rows of its ledger in two steps, the resulting state is the same as in one step', () => {
  fc.assert(
    fc.property(histories, fc.nat({ max: 100 }), (changes, cut) => {
      const rows = rowsOf(changes)
      const at = Math.min(cut, rows.length)
      expect(afterRows(afterRows(emptyBook, rows.slice(0, at)), rows.slice(at))).toEqual(afterRows(emptyBook, rows))
    }),
  )
})

test('on the practice exchange, an account has at most one position per market and margin mode, never of size zero or negative margin', () => {
  fc.assert(
    fc.property(histories, (changes) => {
      const { positions }: Book = afterRows(emptyBook, rowsOf(changes))
      expect(new Set(positions.map(({ pairId, marginMode }) => `${pairId} ${marginMode}`)).size).toBe(positions.length)
      for (const { size, marginMode, ownMargin } of positions) {
        expect(units(size)).toBeGreaterThan(0n)
        expect(ownMargin !== null).toBe(marginMode === 'isolated')
        if (ownMargin !== null) expect(units(ownMargin)).toBeGreaterThanOrEqual(0n)
      }
    }),
  )
})

test('the practice exchange reports for each trade its effect on the position, the realised PnL and whether its order was maker or taker', () => {
  const origin = { intentId: 'dx_1', txHash: `0x${'1'.repeat(64)}` } as never // Placeholder: the code under test checks only that it is not `null`
  const rows: LedgerRow[] = []
  const put = (change: Change, asked: boolean) => rows.push({ sequence: rows.length + 1, wallet, atMs: rows.length, change, origin: asked ? origin : null })
  const trade = (id: number, side: 'long' | 'short', size: string, price: string, how: { closes?: string; waited?: boolean } = {}) => {
    const { order } = placed(id, side, size, how.closes ?? null) as Extract<Change, { kind: 'placed' }>
    put({ kind: 'placed', order: { ...order, pairId: 1, marginMode: 'cross', ...(how.waited === true ? { orderType: 'limit', price } : {}) } }, true)
    put({ kind: 'filled', orderId: `ord_${id}`, price, size, feeUsdc: '0.25' }, how.waited !== true)
  }
  trade(1, 'long', '2', '100')
  trade(2, 'long', '2', '110', { waited: true })
  trade(3, 'short', '1', '115')
  trade(4, 'short', '5', '95')
  trade(5, 'long', '1', '90', { closes: 'pos_4' })
  trade(6, 'long', '1', '97', { closes: 'pos_4', waited: true })
  const { trades, closed } = afterRows(emptyBook, rows)
  expect(trades.map(({ effect, realisedPnlUsdc, role }) => [effect, realisedPnlUsdc, role])).toEqual([
    ['open', null, 'taker'],
    ['increase', null, 'maker'],
    ['reduce', '10', 'taker'],
    ['invert', '-30', 'taker'],
    ['reduce', '5', 'taker'],
    ['close', '-2', 'maker'],
  ])
  expect(closed.map(({ realisedPnlUsdc }) => realisedPnlUsdc)).toEqual(['10', '-30', '5', '-2'])
})
