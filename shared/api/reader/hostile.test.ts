import { expect, test } from 'vitest'
import { hostileRecords, many, row } from '../../../e2e/support/api/hostile-bodies.ts'
import { parseJson } from '../../foreign/parse-json.ts'
import { AccountState, OrderPage } from '../schemas/account-resources.ts'
import { KeyList } from '../schemas/keys/key-resources.ts'
import { MarketCatalogue } from '../schemas/markets/market-resources.ts'

test.each(Object.keys(hostileRecords))('the parsers of service answers read or refuse %s within seconds [ERR-02]', (what) => {
  const json = parseJson(JSON.stringify(hostileRecords[what]?.()))
  const { user } = process.cpuUsage()
  for (const { read } of [AccountState, OrderPage, KeyList, MarketCatalogue]) read(json)
  expect((process.cpuUsage().user - user) / 1_000).toBeLessThan(3_000)
})

test('the app reads only the start of an extremely long list in an answer, and marks the list as incomplete', () => {
  const found = OrderPage.read({ orders: { items: many(50_003, row), next_cursor: 0, has_more: false, limit: 50 } })
  expect(found.ok && [found.value.items.length, found.value.unreadable?.count]).toEqual([50_000, 3])
})

test('the app reads only the first wide records of a list if their names differ, and all of them if their names are the same', () => {
  const wide = (index: number, prefix: string) => ({ ...row(index), ...Object.fromEntries(many(600, (at) => [`${prefix}${at}`, 'x'])) })
  const read = (prefix: (index: number) => string) => {
    const found = OrderPage.read({ orders: { items: many(60, (index) => wide(index, prefix(index))), next_cursor: 0, has_more: false, limit: 60 } })
    return found.ok ? [found.value.items.length, found.value.unreadable?.count ?? 0] : null
  }
  expect(read((index) => `f${index}_`)).toEqual([3, 57])
  expect(read(() => 'f')).toEqual([60, 0])
})
