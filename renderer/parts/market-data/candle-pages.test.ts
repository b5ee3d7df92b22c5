import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Candle } from '../../../shared/ipc/reads/markets.ts'
import { day, hour, minute } from '../../../shared/time.ts'
import { type CandlePages, joinNewest, joinOlder, nextPage, noPages } from './market-chart.tsx'

/** A candle of a market that trades without pause. Its prices tell the test its index, and whether it was closed when it was read. */
const candle = (index: number, now: number): Candle => ({
  timeMs: index * minute,
  open: String(index),
  high: String(index + 1),
  low: String(index),
  close: index < now ? `${index}.5` : `${index}.${now % 10}1`,
  volume: '1',
})

/** A simulated service. Candle `now` is still open, and the history starts with candle `oldest`. */
const service = (oldest: number, now: number) => ({
  newest: (limit: number) => range(Math.max(oldest, now + 1 - limit), now + 1, now),
  before: (beforeMs: number, limit: number, inclusive: boolean) => {
    const end = Math.min(now + 1, beforeMs / minute + (inclusive ? 1 : 0))
    return range(Math.max(oldest, end - limit), end, now)
  },
})
const range = (from: number, to: number, now: number): Candle[] => Array.from({ length: Math.max(0, to - from) }, (_, step) => candle(from + step, now))

const page = (pages: CandlePages) => {
  const next = nextPage(pages, minute)
  if (next === null) throw new Error('nothing is asked for')
  return next
}

test('MKT-03: the app joins pages of candles without losing or doubling one, even if candles close between the reads', () => {
  fc.assert(
    fc.property(
      fc.record({
        oldest: fc.integer({ min: 0, max: 3_000 }),
        length: fc.integer({ min: 1, max: 4_000 }),
        newestLimit: fc.integer({ min: 1, max: 600 }),
        // True if a page that the service returns also contains the candle at the requested time `before`.
        inclusive: fc.boolean(),
        steps: fc.array(fc.record({ closes: fc.integer({ min: 0, max: 3 }), read: fc.constantFrom('older', 'newest', 'both', 'late') }), { maxLength: 40 }),
      }),
      ({ oldest, length, newestLimit, inclusive, steps }) => {
        let now = oldest + length - 1
        let pages = joinNewest(noPages, service(oldest, now).newest(newestLimit), minute)
        let seen = now
        for (const { closes, read } of steps) {
          const asked = nextPage(pages, minute)
          const early = asked === null ? null : service(oldest, now).before(asked.beforeMs, asked.limit, inclusive)
          now += closes
          const fresh = () => {
            pages = joinNewest(pages, service(oldest, now).newest(newestLimit), minute)
            seen = now
          }
          // `late`: the service made this page before the candles closed, but the page arrives after the newest candles.
          if (read === 'newest' || read === 'late') fresh()
          if (read !== 'newest' && asked !== null) {
            const candles = read === 'late' ? (early ?? []) : service(oldest, now).before(asked.beforeMs, asked.limit, inclusive)
            pages = joinOlder(pages, asked, { candles, sources: [] })
          }
          if (read === 'both') fresh()
          const times = pages.candles.map(({ timeMs }) => timeMs / minute)
          const first = times[0] ?? seen
          expect(times).toEqual(Array.from({ length: seen - first + 1 }, (_, step) => first + step))
          expect(first).toBeGreaterThanOrEqual(oldest)
          // Every candle that was read again after it had closed has its final close price.
          const reached = pages.candles.filter(({ timeMs }) => timeMs / minute < seen && timeMs / minute > seen - newestLimit)
          expect(reached.every(({ close }) => close.endsWith('.5'))).toBe(true)
          if (pages.end === 'oldest') expect(first).toBe(oldest)
        }
      },
    ),
    { numRuns: 300 },
  )
})

test('MKT-03: the app reads at most 50,000 candles of a series, even when the service returns more than requested', () => {
  for (const surplus of [0, 700]) {
    let pages = joinNewest(noPages, service(0, 200_000).newest(500), minute)
    let asked = 0
    for (let next = nextPage(pages, minute); next !== null; next = nextPage(pages, minute)) {
      asked += next.limit
      pages = joinOlder(pages, next, { candles: service(0, 200_000).before(next.beforeMs, next.limit + surplus, false), sources: [] })
    }
    expect([asked, pages.paged, pages.candles.length, pages.end]).toEqual([50_000, 50_000, 50_500, 'full'])
    expect(pages.candles[0]?.timeMs).toBe((200_000 - 50_500 + 1) * minute)
  }
})

test('the app ends the candle history at an empty page, and at a page that contains no older candle', () => {
  const pages = joinNewest(noPages, service(10, 12).newest(500), minute)
  expect(joinOlder(pages, page(pages), { candles: [], sources: [] }).end).toBe('oldest')
  expect(joinOlder(pages, page(pages), { candles: [candle(10, 12)], sources: [] })).toMatchObject({ end: 'oldest', candles: pages.candles })
  expect(nextPage(joinOlder(pages, page(pages), { candles: [], sources: [] }), minute)).toBe(null)
  expect(nextPage(noPages, minute)).toBe(null)
})

test('the app drops older candles if a gap separates them from the newest page, and then ignores an older page requested before', () => {
  const pages = joinNewest(noPages, service(0, 2_000).newest(500), minute)
  const asked = page(pages)
  const later = joinNewest(pages, service(0, 9_000).newest(500), minute)
  expect(later.candles).toHaveLength(500)
  expect(joinOlder(later, asked, { candles: service(0, 2_000).before(asked.beforeMs, 100, false), sources: [] })).toBe(later)
  expect(joinNewest(pages, service(0, 2_500).newest(500), minute).candles).toHaveLength(1_000)
})

test('when the app reads the newest candles again, it ignores unchanged candles and keeps candles that a shorter answer lacks', () => {
  const newest = service(0, 2_000).newest(500)
  const pages = joinNewest(noPages, newest, minute)
  expect(joinNewest(pages, newest, minute)).toBe(pages)
  expect(joinNewest(pages, [], minute)).toBe(pages)
  expect(joinNewest(pages, newest.slice(0, 499), minute).candles).toEqual(newest)
})

test('MKT-03: the app marks the start of a data source where the service states it, otherwise at the first page of candles that names the source', () => {
  let pages = joinNewest(noPages, service(0, 9_000).newest(500), minute)
  const older = (...named: { name: string; untilMs: number | null }[]) => {
    const asked = page(pages)
    pages = joinOlder(pages, asked, { candles: service(0, 9_000).before(asked.beforeMs, asked.limit, false), sources: named })
    return asked.beforeMs
  }
  const [venue, archive] = [
    { name: 'venue', untilMs: null },
    { name: 'archive', untilMs: null },
  ]
  older()
  expect(pages.sources).toEqual([])
  const first = older(venue)
  const second = older(venue, archive)
  older(archive, { name: 'library', untilMs: 77 * minute })
  expect(pages.sources).toEqual([
    { name: 'venue', untilMs: first },
    { name: 'archive', untilMs: second },
    { name: 'library', untilMs: 77 * minute },
  ])
})

test('the app reads daily and weekly candles in smaller pages, which shows the start of a data source more exactly', () => {
  const pages = joinNewest(noPages, service(0, 9_000).newest(500), minute)
  expect([nextPage(pages, hour)?.limit, nextPage(pages, day)?.limit, nextPage(pages, 7 * day)?.limit]).toEqual([1_000, 250, 250])
})
