import { expect, test } from 'vitest'
import { agreeOnSize } from '../names/match.ts'
import { AccountState, OrderPage, PositionList } from '../schemas/account-resources.ts'
import { side } from '../schemas/words.ts'
import { listIn, listOf, oneOf } from './answer.ts'
import { documentedMay, may, must, noHabits } from './field.ts'
import { base, count, factor, flag, hourly, id, label, longestText, namedUsdc, percent, price, text, texts, time, totalUsdc, usdc } from './kinds.ts'
import { type Read, resource } from './resource.ts'

const position = resource({
  name: 'position',
  words: ['position'],
  sentence: 'A position.',
  source: 'not shown',
  fields: {
    id: may(['position_id', 'id'], id),
    pairId: must(['pair_id', 'market_id'], count),
    side: may(['side', 'direction'], side),
    size: may(['size', 'quantity'], base),
    notionalUsdc: may(['notional_usdc', 'notional', 'size_usdc'], usdc),
    entryPrice: may(['entry_price', 'average_entry_price'], price),
    markPrice: may(['mark_price', 'mark'], price),
    liquidationPrice: may(['liquidation_price', 'liq_price'], price),
    leverage: may(['leverage'], factor),
    marginUsdc: may(['margin_usdc', 'margin'], usdc),
    unrealisedPnl: may(['unrealised_pnl_usdc', 'pnl'], usdc),
    openedAtMs: may(['opened_at_ms', 'created_at'], time),
  },
  agree: { size: agreeOnSize },
  keyed: { key: 'id' },
})
const positions = listOf(position, ['positions', 'open_positions'], (list) => list)
const read = (json: unknown) => {
  const found = positions.read(json)
  return found.ok ? found.value : found.issues
}
const first = (json: unknown): Partial<Read<typeof position.fields>> => {
  const found = positions.read(json)
  return found.ok ? (found.value.items[0] ?? {}) : {}
}

const usual = { position_id: 'p1', pair_id: 1, side: 'long', size: '0.5', notional_usdc: '32500.00', entry_price: '64000.5', mark_price: '65000.0' }
const told = { id: 'p1', pairId: 1, side: 'long', size: '0.5', notionalUsdc: '32500', entryPrice: '64000.5', markPrice: '65000' }

test('the app reads the same values from an answer if fields are grouped, spelled differently, abbreviated or in another word order [ERR-02]', () => {
  for (const row of [
    usual,
    { ids: { position: 'p1', pair: 1 }, side: 'LONG', size: '0.5', notional: '32500.00', prices: { entry: '64000.5', mark: '65000.0' } },
    { positionId: 'p1', pairId: '1', direction: 'buy', qty: '0.5', notionalUsd: 32500, avgEntryPx: 64000.5, markPx: 65000.5 - 0.5 },
    {
      'position-id': 'p1',
      'market-id': '1',
      position: { side: 'Long', size_base: '0.5' },
      values: { notional_usdc: '32500.00' },
      price: { entry: '64000.5', mark: '65000.0' },
    },
    {
      position_id: 'p1',
      market: { id: 1 },
      side: 'long',
      size: { value: '0.5', unit: 'base' },
      notional: { amount: '32500.00', currency: 'USDC' },
      entryprice: '64000.5',
      markprice: '65000.0',
    },
  ])
    expect([row, first({ positions: [row] })]).toEqual([row, expect.objectContaining(told)])
})

test('the app reads a service answer inside any wrapper, and reads a list in an answer as an array, an object or a table [ERR-02]', () => {
  const { position_id: _, ...unnamed } = usual
  for (const json of [
    [usual],
    { positions: [usual] },
    { data: [usual] },
    { success: true, result: { data: { positions: { items: [usual], has_more: false } } } },
    { response: { payload: { open_positions: [usual] } }, time: 1 },
    { code: 0, data: { list: [usual], next_cursor: null } },
    { positions: { p1: unnamed } },
    { p1: unnamed },
    { positions: { columns: Object.keys(usual), rows: [Object.values(usual)] } },
    { positions: { edges: [{ node: usual }] } },
  ])
    expect([json, first(json)]).toEqual([json, expect.objectContaining(told)])
})

test('the app reads an empty list as an array, an object or a table, and refuses an answer with several lists of records [ERR-02]', () => {
  const columns = Object.keys(usual)
  for (const json of [
    [],
    { positions: [] },
    { data: { list: [] } },
    { positions: { columns, rows: [] } },
    { account: '0x7A3F', data: Object.fromEntries(columns.map((name) => [name, []])) },
  ])
    expect([json, positions.read(json)]).toMatchObject([json, { ok: true, value: { items: [] } }])
  expect(positions.read({ longs: [], shorts: [] }).ok).toBe(false)
})

test('the app reads parallel lists in an answer as a table’s columns only if they have the same length and contain plain values [ERR-02]', () => {
  expect(first({ pair_id: [1, 2], mark_price: ['1.5', '2.5'] })).toMatchObject({ pairId: 1, markPrice: '1.5' })
  expect(positions.read({ pair_id: [1, 2], mark_price: ['1.5'] }).ok).toBe(false)
  const row = { pair_id: 1, mark_price: '1.5' }
  expect(positions.read({ alpha: [row], beta: [row] }).ok).toBe(false)
})

test('the app reads a size in base units only if the field’s name or two other figures prove this unit [ERR-02]', () => {
  const row = { pair_id: 1, side: 'long', mark_price: '65000.0', margin: '100.00', leverage: 5 }
  expect(first([{ ...row, size_base: '0.01' }]).size).toBe('0.01')
  expect(first([{ ...row, size: '0.00769', notional_usdc: '500.00' }]).size).toBe('0.00769')
  // Margin times leverage is 500 USDC, so the size 500 must be in USDC and not in base units.
  const usdcSize = first([{ ...row, size: '500.00' }])
  expect([usdcSize.size, JSON.parse(usdcSize.unknownFields ?? '')]).toEqual([null, { size: '500.00', '?': { size: 'unit' } }])
  expect(first([{ pair_id: 1, side: 'long', size: '500.00' }]).size).toBeNull()
  expect(first([{ ...row, size_usdc: '500.00' }])).toMatchObject({ size: null, notionalUsdc: '500' })
})

test('the app reads a fixed-point number if its field name or a neighbouring field states the scale, and otherwise leaves the number unknown', () => {
  const fields = {
    equity: may(['equity_usdc', 'equity'], usdc),
    collateral: may(['collateral_usdc', 'collateral'], usdc),
    health: may(['health_factor'], factor),
  }
  const account = oneOf(resource({ name: 'account', words: ['account'], sentence: null, source: '', fields }))
  const value = (json: unknown) => {
    const found = account.read(json)
    return found.ok ? [found.value.equity, found.value.collateral] : found.issues
  }
  expect(value({ account: { equity_e6: 4998800000, collateral_usdc_e6: '5000000000' } })).toEqual(['4998.8', '5000'])
  expect(value({ equity: '4998800000', collateral: '5000000000', scale: 6 })).toEqual(['4998.8', '5000'])
  expect(value({ equity: { value: '4998800000', decimals: 6 }, collateral: { value: '5000000000', decimals: 6 } })).toEqual(['4998.8', '5000'])
  const order = resource({ name: 'order', words: ['order'], sentence: null, source: '', fields: { worth: may(['order_value'], usdc) } })
  const orders = listOf(order, ['orders'], ({ items }) => items.map(({ worth }) => worth))
  expect(orders.parse([{ order: { value: null } }, { order: { value: { value: '4998800000', decimals: 6 } } }])).toEqual([null, '4998.8'])
  expect(value({ equity_cents: 499880, collateral: '5000.00' })).toEqual(['4998.8', '5000'])
  expect(value({ equity: '4998800000', collateral: '5000000000' })).toEqual([null, null])
  expect(value({ equity: '12000000', collateral: '12000000.5' })).toEqual(['12000000', '12000000.5'])
  expect(value({ equity_wei: '4998800000000000000000', collateral: 0 })).toEqual(['4998.8', '0'])
})

test('the app leaves a ratio of unstated unit unknown, and converts percent, fractions, basis points and rates per period to one unit', () => {
  const vault = oneOf(
    resource({
      name: 'vault',
      words: ['vault'],
      sentence: null,
      source: '',
      fields: {
        used: may(['utilisation_pct', 'utilisation'], percent),
        rate: may(['funding_rate_1h_pct', 'funding_rate'], hourly),
        assets: may(['assets_usdc', 'tvl'], totalUsdc),
      },
    }),
  )
  const value = (json: unknown) => {
    const found = vault.read(json)
    return found.ok ? [found.value.used, found.value.rate] : found.issues
  }
  expect(value({ utilisation_pct: '42.5', funding_rate_1h_pct: '0.0125' })).toEqual(['42.5', '0.0125'])
  expect(value({ data: { utilization_fraction: '0.425', funding: { rate_hourly_bps: 1.25 } } })).toEqual(['42.5', '0.0125'])
  expect(value({ utilization: '42.5%', fundingRate8hPercent: '0.1' })).toEqual(['42.5', '0.0125'])
  expect(value({ utilisation: '0.425', funding_rate: '0.000125' })).toEqual([null, null])
})

test('the app leaves a field unknown if two properties contradict each other, unless one has the field’s exact name at the top level [ERR-02]', () => {
  const differing = { pair_id: 1, prices: { mark: '1.5' }, mark: { price: '2.5' } }
  expect(first([differing])).toMatchObject({ markPrice: null, unknownFields: expect.stringContaining('conflict') })
  expect(first([{ ...differing, mark: { price: '1.50' } }]).markPrice).toBe('1.5')
  expect(first([{ ...differing, mark_price: '3.5' }]).markPrice).toBe('3.5')
})

test('the app ignores fields in a group about another subject (such as an order) or about an earlier state of the same subject', () => {
  for (const row of [
    { pair_id: 1, previous: { mark_price: '1.5' } },
    { pair_id: 1, order: { size_base: '2.5', leverage: 3 } },
    { pair_id: 1, market: { leverage: 50 }, max_leverage: 50 },
    { pair_id: 1, maintenance: { margin: '5.5' } },
    { pair_id: 1, initial_margin: '5.5' },
  ])
    expect([row, first([row])]).toEqual([row, expect.objectContaining({ markPrice: null, size: null, leverage: null, marginUsdc: null })])
})

test('the app keeps a list’s readable records if one record is unreadable, and never reads a list of only unreadable records as empty', () => {
  const list = read({ positions: [usual, { side: 'long', note: 'SVC0123456789abcdef' }, usual] })
  expect(list).toMatchObject({
    items: [told, told],
    unreadable: { count: 1, samples: [{ why: 'pair_id missing', raw: '{"side":"long","note":"SVC[redacted]"}' }] },
  })
  expect(positions.read({ positions: [{ side: 'long' }] }).ok).toBe(false)
  expect(read({ positions: [] })).toMatchObject({ items: [], unreadable: null })
  expect(positions.read({}).ok).toBe(false)
})

test('the app reads a field from the path and in the unit that a field map states for the field', () => {
  const row = { pair_id: 1, exposure: { n: '500.00' }, foo: '0.25', mark_price: '2.5' }
  const map = { position: { size: { path: 'foo', unit: 'base' }, notionalUsdc: { path: 'exposure.n' } } }
  const found = positions.read({ positions: [row] }, { fieldMap: map })
  expect(found.ok && found.value.items[0]).toMatchObject({ size: '0.25', notionalUsdc: '500', markPrice: '2.5', unknownFields: null })
  expect(first([row])).toMatchObject({ size: null, notionalUsdc: null })
})

test('the app reads a documented field of an answer under its documented name, even if a field map names another path', () => {
  const page = oneOf(
    resource({ name: 'page', words: ['page'], sentence: null, source: '', fields: { state: documentedMay(['state'], text), note: may(['note'], text) } }),
  )
  const fieldMap = { page: { state: { path: 'other' }, note: { path: 'other' } } }
  expect(page.read({ state: 'open', other: 'closed', note: 'mine' }, { fieldMap })).toMatchObject({ ok: true, value: { state: 'open', note: 'closed' } })
})

test('the service check lists the fields that the app could read, the unknown fields with the reason, and suggestions for missing fields', () => {
  const [seen] = positions.inspect({ positions: [{ pair_id: 1, size: '500.00', liquidationLevel: '1.5', api_key: 'SVC0123456789abcdef' }] })
  const of = (name: string) => seen?.fields.find(({ field }) => field === name)
  expect(of('pairId')).toMatchObject({ state: 'read', path: 'pair_id', required: true })
  expect(of('size')).toMatchObject({ state: 'unknown', path: 'size', reason: 'unit' })
  expect(of('liquidationPrice')).toMatchObject({ state: 'missing', suggestions: [{ path: 'liquidationLevel', preview: '1.5', why: 'words' }] })
  expect(JSON.stringify(seen)).not.toContain('0123456789')
})

test('the app reads service answers of any depth and size up to fixed limits, and never throws [ERR-02]', () => {
  let deep: unknown = { mark_price: '1.5' }
  for (let depth = 0; depth < 5_000; depth += 1) deep = { data: deep }
  const wide = Object.fromEntries(Array.from({ length: 30_000 }, (_, index) => [`name${index}`, { value: index }]))
  for (const json of [deep, { positions: [{ pair_id: 1, deep }] }, { positions: [{ pair_id: 1, mark_price: '9'.repeat(5_000) }] }]) positions.read(json)
  const inGroups = (depth: number): unknown => Array.from({ length: depth }).reduce((inner: unknown) => ({ group: inner }), { mark_price: '1.5' })
  expect([60, 70].map((depth) => first([{ pair_id: 1, deep: inGroups(depth) }]).markPrice)).toEqual(['1.5', null])
  // The reader stops after 20,000 properties, before it reaches `leverage`.
  expect(first([{ pair_id: 1, mark_price: '1.5', ...wide, leverage: 5 }])).toMatchObject({ pairId: 1, markPrice: '1.5', leverage: null })
})

test('the app refuses a value in an answer that is too long, but only shortens a display name that is too long [ERR-02]', () => {
  const market = oneOf(
    resource({ name: 'market', words: ['market'], sentence: null, source: '', fields: { symbol: may(['symbol'], label), note: may(['note'], text) } }),
  )
  const long = 'n'.repeat(longestText + 1)
  expect(market.read({ symbol: long, note: long })).toMatchObject({ ok: true, value: { symbol: `${'n'.repeat(longestText - 1)}…`, note: null } })
})

test('the app reads a flag such as “yes” as true, and a list of words from an array, from separated text or from flags', () => {
  const key = oneOf(
    resource({
      name: 'key',
      words: ['key'],
      sentence: null,
      source: '',
      fields: { active: may(['active'], flag), scopes: may(['scopes'], texts), label: may(['label'], text), oi: may(['open_interest_long'], namedUsdc) },
    }),
  )
  for (const scopes of [
    ['market:read', 'account:read'],
    'market:read,account:read',
    'market:read account:read',
    { 'market:read': true, 'account:read': true, 'trade:prepare': false },
  ])
    expect(key.read({ key: { isActive: 'yes', scopes } })).toMatchObject({ ok: true, value: { active: true, scopes: ['market:read', 'account:read'] } })
  expect(listIn(position, ['positions'], 7, () => {}, {})).toBeUndefined()
})

test('the app does not read a small integer as a price if the service writes large prices with unstated decimals [ERR-02]', () => {
  const habits = noHabits()
  const markOf = (mark_price: unknown) => PositionList.read({ positions: [{ position_id: 'p', pair_id: 1, side: 'long', mark_price }] }, { habits })
  const said = (price: unknown) => {
    const read = markOf(price)
    return read.ok ? read.value.positions.map(({ markPrice, unknownFields }) => [markPrice, unknownFields]) : null
  }
  expect(said('50')).toEqual([['50', null]])
  expect(said('9641250000000')).toEqual([[null, expect.stringContaining('scale')]])
  expect(said('50')).toEqual([[null, expect.stringContaining('scale')]])
  expect(said('0.5')).toEqual([['0.5', null]])
  // An earlier price had a decimal point. So integers are not scaled by decimals.
  expect(said('50')).toEqual([['50', null]])
})

test('the app applies “amount_decimals” to the field “amount”, and to no other size if the record has no “amount” [ERR-02]', () => {
  const read = (record: object) => {
    const answer = OrderPage.read({ orders: { items: [{ order_id: 1, value_usdc: '3514.1', ...record }] } })
    const [one] = answer.ok ? answer.value.items : []
    return [one?.size, one?.filledSize, one?.price]
  }
  const told = { amount: '36600000000000000', amount_decimals: 18, price: 96016 }
  expect(read(told)).toEqual(['0.0366', null, '96016'])
  expect(read({ sizes: { amount: '36600000000000000', amount_decimals: 18 }, price: 96016 })).toEqual(['0.0366', null, '96016'])
  // The record has no field `amount`. So `amount_decimals` may describe any amount, or be meant only for display.
  expect(read({ size_base: '0.0366', amount_decimals: 18, price: 96016 })).toEqual(['0.0366', null, null])
})

test('the app does not read a small integer as an amount if the service writes large amounts with unstated decimals [ERR-02]', () => {
  const habits = noHabits()
  const equityOf = (equity: unknown) => {
    const answer = AccountState.read({ account: { equity } }, { habits })
    return answer.ok ? answer.value.equity : undefined
  }
  expect(equityOf('4998800')).toBe('4998800')
  expect([equityOf('4998800000'), equityOf('4998800'), equityOf('0'), equityOf('4998.8'), equityOf('4998')]).toEqual([null, null, '0', '4998.8', '4998'])
})
