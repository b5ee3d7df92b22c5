import { expect, test } from 'vitest'
import { parseJson } from '../../foreign/parse-json.ts'
import { AccountState, OrderPage } from '../schemas/account-resources.ts'
import { KeyList } from '../schemas/keys/key-resources.ts'
import { MarketCatalogue } from '../schemas/markets/market-resources.ts'

const many = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, index) => make(index))
const named = (count: number, name: (index: number) => string, make: (index: number) => unknown) =>
  Object.fromEntries(many(count, (index) => [name(index), make(index)]))
const row = (index: number) => ({ id: index, order_id: index, pair_id: 1, symbol: 'BTC-PERP', side: 'long', mark_price: '65000.5', created_at: 1_790_000_000 })
const within = (depth: number, name: (index: number) => string, inner: unknown): unknown =>
  depth === 0 ? inner : { [name(depth)]: within(depth - 1, name, inner) }

const hostile: Readonly<Record<string, () => unknown>> = {
  'records that cannot be read': () => ({ data: many(50_000, () => ({})) }),
  'more columns than rows fill': () => ({ columns: many(100_000, (index) => `c${index}`), rows: many(100_000, () => []) }),
  'many places for one field, and as many that tell its unit': () => ({
    data: {
      ...named(
        8_000,
        (index) => `d${index}_unit`,
        () => 'usdc',
      ),
      ...named(
        4_000,
        (index) => `g${index}`,
        () => ({ mark_price: '15', equity: '7', equity_decimals: 3, unit: 'usdc' }),
      ),
    },
  }),
  'records of different names': () => ({
    data: many(60, (at) =>
      named(
        600,
        (index) => `f${at}_${index}`,
        () => 'long',
      ),
    ),
  }),
  'records that no plan is kept for': () => ({ data: many(4_000, (index) => ({ ...row(index), token: `SVC${index}0123456789abcdef` })) }),
  'many places deep inside': () => ({
    data: [
      {
        ...row(1),
        deep: within(
          60,
          (depth) => `g${depth}`,
          named(
            19_000,
            (index) => `mark_price_${index}`,
            () => 1,
          ),
        ),
      },
    ],
  }),
  'many places below long names': () => ({
    data: [
      {
        ...row(1),
        deep: within(
          60,
          (depth) => `${'n'.repeat(30_000)}${depth}`,
          named(
            19_000,
            (index) => `k${index}`,
            () => 1,
          ),
        ),
      },
    ],
  }),
}

test.each(Object.keys(hostile))('the parsers of service answers read or refuse %s within seconds [ERR-02]', (what) => {
  const json = parseJson(JSON.stringify(hostile[what]?.()))
  const { user } = process.cpuUsage()
  for (const { read } of [AccountState, OrderPage, KeyList, MarketCatalogue]) read(json)
  expect((process.cpuUsage().user - user) / 1_000).toBeLessThan(3_000)
})

test('the app reads only the start of an extremely long list in an answer, and marks the list as incomplete', () => {
  const found = OrderPage.read({ orders: { items: many(50_003, row), next_cursor: 0, has_more: false, limit: 50 } })
  expect(found.ok && [found.value.items.length, found.value.unreadable?.count]).toEqual([50_000, 3])
})
