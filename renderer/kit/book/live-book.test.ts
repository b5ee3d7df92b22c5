import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fromUnits, toUnits } from '../../../shared/decimal.ts'
import { type BookRow, type BookSide, createLiveBook, groupings, ownRows, unitsOf } from './book-rows.ts'

/** A reference implementation of the book in whole ticks and lots, which the test compares with the real one. */
function model(levels: ReadonlyMap<bigint, bigint>, side: BookSide, group: bigint, most: number) {
  const grouped = new Map<bigint, bigint>()
  for (const [tick, lots] of levels) {
    if (lots <= 0n) continue
    const at = side === 'bid' ? (tick / group) * group : ((tick + group - 1n) / group) * group
    grouped.set(at, (grouped.get(at) ?? 0n) + lots)
  }
  let total = 0n
  return [...grouped]
    .sort(([a], [b]) => (side === 'bid' ? Number(b - a) : Number(a - b)))
    .map(([at, lots]) => {
      total += lots
      return { at, lots, total }
    })
    .slice(0, most)
}

const tickDecimals = 3
const lotDecimals = 5
const priceText = (tick: bigint) => fromUnits(tick, tickDecimals)
const sizeText = (lots: bigint) => fromUnits(lots, lotDecimals)
const shown = ({ price, size, total }: BookRow) => ({ at: price / 10n ** 15n, lots: size / 10n ** 13n, total: total / 10n ** 13n })

test('MKT-03: after any updates and grouping, every order book row has the same size and total as in a simple model with exact integers', () => {
  const level = fc.record({ tick: fc.bigInt({ min: 1n, max: 4_000n }), lots: fc.bigInt({ min: 0n, max: 10n ** 12n }) })
  const step = fc.oneof(
    fc.record({ kind: fc.constant('apply' as const), side: fc.constantFrom<BookSide>('bid', 'ask'), level }),
    fc.record({ kind: fc.constant('replace' as const), bids: fc.array(level), asks: fc.array(level) }),
    fc.record({ kind: fc.constant('look' as const), group: fc.constantFrom(...groupings), most: fc.integer({ min: 1, max: 30 }) }),
  )
  fc.assert(
    fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
      const book = createLiveBook()
      let told = 0
      book.onChange(() => {
        told += 1
      })
      let known = { bid: new Map<bigint, bigint>(), ask: new Map<bigint, bigint>() }
      const look = (group: number, most: number) => {
        for (const side of ['bid', 'ask'] as const) {
          expect(book.rows(side, BigInt(group) * 10n ** 15n, most).map(shown)).toEqual(model(known[side], side, BigInt(group), most))
          const [best] = model(known[side], side, 1n, 1)
          expect(book.best(side)).toBe(best === undefined ? null : best.at * 10n ** 15n)
        }
      }
      let unseen = 0
      for (const one of steps) {
        if (one.kind === 'look') {
          look(one.group, one.most)
          // Between two reads, the order book notifies at most once, even after many updates.
          expect(told).toBe(unseen === 0 ? 0 : 1)
          told = 0
          unseen = 0
          continue
        }
        unseen += 1
        if (one.kind === 'apply') {
          known[one.side].set(one.level.tick, one.level.lots)
          book.apply(one.side, priceText(one.level.tick), sizeText(one.level.lots))
        } else {
          const side = (levels: readonly { tick: bigint; lots: bigint }[]) => new Map(levels.map(({ tick, lots }) => [tick, lots]))
          known = { bid: side(one.bids), ask: side(one.asks) }
          const written = (levels: ReadonlyMap<bigint, bigint>) => [...levels].map(([tick, lots]) => ({ price: priceText(tick), size: sizeText(lots) }))
          book.replace({ bids: written(known.bid), asks: written(known.ask) })
        }
      }
      for (const group of groupings) look(group, 30)
    }),
    { numRuns: 200 },
  )
})

test('the order book never shows a group of price levels at a better price than any level in the group', () => {
  const book = createLiveBook()
  book.replace({ bids: [{ price: '100.7', size: '1' }], asks: [{ price: '101.2', size: '2' }] })
  expect(book.rows('bid', unitsOf('0.5'), 5).map(({ price }) => price)).toEqual([unitsOf('100.5')])
  expect(book.rows('ask', unitsOf('0.5'), 5).map(({ price }) => price)).toEqual([unitsOf('101.5')])
})

test('the order book marks the user’s orders only in rows of their own side, even if the other side has a row at the same price', () => {
  const step = unitsOf('5')
  const own = [unitsOf('99'), unitsOf('103')]
  expect([...ownRows(own, unitsOf('99.5'), step, 'bid')]).toEqual([unitsOf('95')])
  expect([...ownRows(own, unitsOf('99.9'), step, 'ask')]).toEqual([unitsOf('105')])
  expect([...ownRows(own, null, step, 'ask')]).toEqual([])
})

test('the order book rounds prices and sizes that have more decimals than its unit', () => {
  expect(unitsOf(`0.${'1'.repeat(30)}`)).toBe(toUnits(`0.${'1'.repeat(18)}`, 18))
})
