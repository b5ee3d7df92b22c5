import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hasLost, nothingRead, type PagedRows, type RowPage, seenRows, withAllSeen, withNewest, withOlder } from './paged-rows.ts'

interface Row {
  readonly key: string
  readonly state: number
}

function service(kind: 'row' | 'offset') {
  let rows: { readonly key: string; state: number }[] = []
  let made = 0
  return {
    rows: () => rows.map(({ key }) => key),
    arrive: (count: number) => {
      for (let index = 0; index < count; index += 1) {
        made += 1
        rows = [{ key: `${made}`, state: 0 }, ...rows]
      }
    },
    change: (place: number) => {
      const row = rows[place % Math.max(rows.length, 1)]
      if (row !== undefined) row.state += 1
    },
    page: (cursor: number | null, limit: number): RowPage<Row> => {
      const from = cursor === null ? 0 : kind === 'offset' ? cursor : rows.findIndex(({ key }) => Number(key) < cursor)
      const items = from < 0 ? [] : rows.slice(from, from + limit).map((row) => ({ ...row }))
      const hasMore = from >= 0 && from + limit < rows.length
      return { items, nextCursor: kind === 'offset' ? from + items.length : Number(items.at(-1)?.key ?? 0), hasMore, unreadable: false }
    },
  }
}

function readNewest(read: PagedRows<Row>, page: (cursor: number | null) => RowPage<Row>): PagedRows<Row> {
  const pages: RowPage<Row>[] = []
  for (;;) {
    const next: RowPage<Row> = page(pages.at(-1)?.nextCursor ?? null)
    pages.push(next)
    const done = withNewest(read, pages)
    if (done !== null) return done
  }
}

const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('arrive' as const), count: fc.integer({ min: 0, max: 9 }) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('older' as const), count: fc.constant(0) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('newest' as const), count: fc.integer({ min: 0, max: 3 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('change' as const), count: fc.nat(50) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('see' as const), count: fc.constant(0) }) },
)

test.each(['row', 'offset'] as const)(
  'the app’s paged lists neither lose nor repeat a row when new rows arrive between pages, if the cursor means the %s [ACC-02]',
  (kind) => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 1, max: 7 }), fc.array(step, { maxLength: 40 }), (begin, limit, steps) => {
        const { rows, arrive, change, page } = service(kind)
        arrive(begin)
        let read: PagedRows<Row> = nothingRead
        const all = () => read.rows.map(({ key }) => key)
        const doubled = () => all().length - new Set(all()).size
        for (const { do: what, count } of steps) {
          const before = all()
          if (what === 'arrive') arrive(count)
          if (what === 'change') change(count)
          if (what === 'see') read = withAllSeen(read)
          if (what === 'older' && !read.complete) read = withOlder(read, page(read.cursor, limit))
          if (what === 'newest')
            read = readNewest(read, (cursor) => {
              const answer = page(cursor, limit)
              if (cursor === null) arrive(count)
              return answer
            })
          expect(doubled()).toBe(0)
          expect(before.filter((key) => !new Set(all()).has(key))).toEqual([])
          const seen = seenRows(read).map(({ key }) => key)
          expect([...seen, ...read.unseen].toSorted()).toEqual(all().toSorted())
        }
        // Read to the end of the list, and then again from the top. After that, the table must contain every row.
        for (let round = 0; round < 2; round += 1) {
          read = readNewest(read, (cursor) => page(cursor, limit))
          while (!read.complete) read = withOlder(read, page(read.cursor, limit))
        }
        read = readNewest(read, (cursor) => page(cursor, limit))
        // If the cursor is an offset, the service may repeat a row or insert a new row below known rows. The table must lose no row, but the order may
        // differ.
        expect(kind === 'row' ? all() : all().toSorted()).toEqual(kind === 'row' ? rows() : rows().toSorted())
      }),
      { numRuns: 400 },
    )
  },
)

const at = (key: string): Row => ({ key, state: 0 })
const pageOf = (keys: string, more: boolean): RowPage<Row> => ({ items: [...keys].map(at), nextCursor: 1, hasMore: more, unreadable: false })
const keys = (read: PagedRows<Row> | null) => read?.rows.map(({ key }) => key).join('')

test('the app stops reading a list at its last page, and also if the service returns the same cursor again [ACC-02]', () => {
  expect(withOlder<Row>(nothingRead, pageOf('ba', false))).toMatchObject({ complete: true })
  const stuck = withOlder<Row>({ ...nothingRead, cursor: 1 }, pageOf('ba', true))
  expect(stuck).toMatchObject({ complete: true, cursor: 1 })
})

test('a table hides newly arrived rows until the user asks for them, but updates the rows that it already shows', () => {
  const read = withOlder<Row>(nothingRead, pageOf('cba', false))
  const newer = withNewest(read, [{ ...pageOf('edcba', false), items: ['e', 'd', 'c', 'b', 'a'].map((key) => ({ key, state: key === 'b' ? 5 : 0 })) }])
  if (newer === null) throw new Error('it reaches what is known')
  expect(keys(newer)).toBe('edcba')
  expect(seenRows(newer)).toEqual([at('c'), { key: 'b', state: 5 }, at('a')])
  expect(newer.unseen.size).toBe(2)
  expect(seenRows(withAllSeen(newer))).toHaveLength(5)
})

test('the app adds new rows to a table only once the newly read pages reach a known row, so that no gap remains [ACC-02]', () => {
  const read = withOlder<Row>(nothingRead, pageOf('cba', true))
  expect(withNewest(read, [pageOf('ihg', true)])).toBeNull()
  expect(keys(withNewest(read, [pageOf('ihg', true), pageOf('fedc', true)]))).toBe('ihgfedcba')
})

test('the app reports a row that disappeared from the newest pages as lost, but not a row that changed or moved to an older page [ACC-02]', () => {
  const { arrive, change, page } = service('row')
  arrive(9)
  const read = withOlder<Row>(withOlder<Row>(nothingRead, page(null, 4)), page(6, 4))
  expect(hasLost(read, [page(null, 4)])).toBe(false)
  arrive(2)
  change(3)
  expect(hasLost(read, [page(null, 4)])).toBe(false)
  const { items, ...rest } = page(null, 4)
  const without = (key: string) => hasLost(read, [{ ...rest, items: items.filter((row) => row.key !== key) }])
  expect(['11', '9', '8'].map(without)).toEqual([false, true, false])
  expect(
    hasLost(read, [{ items: [...items, ...page(8, 9).items].filter(({ key }) => key !== '3'), nextCursor: null, hasMore: false, unreadable: false }]),
  ).toBe(true)
  expect(hasLost(nothingRead, [page(null, 4)])).toBe(false)
})

test('the app does not count a row as lost if it may be among the rows that could not be read, and reports unreadable rows [ACC-02, ERR-02]', () => {
  const read = withOlder<Row>(nothingRead, pageOf('cba', false))
  const without = { ...pageOf('ca', false), unreadable: true }
  expect(hasLost(read, [{ ...without, unreadable: false }])).toBe(true)
  expect(hasLost(read, [without])).toBe(false)
  expect([read.unreadable, withNewest(read, [without])?.unreadable, withOlder(read, without).unreadable]).toEqual([false, true, true])
})
