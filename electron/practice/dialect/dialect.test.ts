import { afterAll, beforeAll, expect, test } from 'vitest'
import { allScopes, type Client, openClient, openPosition } from '../../../e2e/support/practice/orders.ts'
import { parseNumbers, readAnswer } from '../../../e2e/support/practice/read-answer.ts'
import { type Bench, bearer, start, text } from '../../../e2e/support/practice/start.ts'
import { absolute, compare, divide, equals, normalise, subtract } from '../../../shared/decimal.ts'
import type { Dialect } from './draw.ts'
import { jsonText } from './json.ts'
import { decimalsOf, isUsdcSize } from './plan.ts'
import { answers, type Field, type Resource, routeName, shapeOf } from './resources.ts'
import { createSpeaker } from './speaker.ts'
import { isRow, type Row } from './write-record.ts'

const own = new Map<string, Row>()
let bench: Bench
let client: Client
const seeds = Array.from({ length: 200 }, (_, index) => index * 7919 + 1)
const moment = { requestId: 'req-dialect-1', nowMs: 1_700_000_000_000, action: null }

beforeAll(async () => {
  bench = await start()
  client = await openClient(bench, allScopes)
  const positionId = await openPosition(bench, client, { take_profit: '150000' })
  await openPosition(bench, client, { pair_id: 2, side: 'short', margin_mode: 'isolated', leverage: 4 })
  await client.relay(
    await client.prepare({
      pair_id: 2,
      side: 'long',
      order_type: 'limit',
      leverage: 2,
      order_value_usdc: '600',
      limit_price: '2000.5',
      client_order_id: 'rests-below',
    }),
  )
  const mark = await bench.mark(1)
  const closing = await client.relay(
    await client.act('close_position_market', {
      position_id: positionId,
      size: '0.01',
      reference_price: mark,
      max_slippage_bps: 100,
      client_order_id: 'close-a-part',
    }),
  )
  await bench.chain.mine(1)
  const hash = text(closing, 'tx_hash')
  const { session, keyId } = await bench.newKey()
  await bench.call(`DELETE /api/dex/developer/keys/${keyId}`, bearer(session))
  const reads: readonly (readonly [string, string])[] = [
    ...['/status', '/meta', '/markets', '/snapshot', '/summaries', '/orderbook', '/vault', '/account', '/positions', '/orders', '/collateral'].map(
      (path) => [path, path] as const,
    ),
    ...['/transactions', '/trades', '/positions/history'].map((path) => [path, path] as const),
    ['/summary', '/summary?pair_id=1'],
    ['/candles', '/candles?pair_id=1&interval=1m&limit=5'],
    ['/markets/{pair_id}/funding', '/markets/1/funding'],
    ['/markets/{pair_id}/open-interest', '/markets/1/open-interest'],
    ['/orders/by-client-id', '/orders/by-client-id?client_order_id=rests-below'],
    ['/native/executions/{tx_hash}', `/native/executions/${hash}`],
  ]
  for (const [path, address] of reads) own.set(`GET /api/dex/v1${path}`, bodyOf(await client.read(address)))
  const open = [
    '/api/dex/marks?pair_ids=1,2',
    '/api/dex/liquidations',
    '/api/dex/circuit-breakers',
    '/api/public/baq-market',
    '/api/public/baq-metrics',
    '/api/dex/config',
  ]
  for (const path of open) own.set(`GET ${path.split('?')[0]}`, bodyOf(await bench.call(`GET ${path}`)))
  own.set('GET /api/dex/candles/history', bodyOf(await bench.call('GET /api/dex/candles/history?pair_id=1&interval=1d&limit=3')))
  for (const path of ['keys', 'audit', 'webhooks'])
    own.set(`GET /api/dex/developer/${path}`, bodyOf(await bench.call(`GET /api/dex/developer/${path}`, bearer(session))))
  const preview = { action: 'open_position', payload: await client.marketOrder() }
  own.set(
    'POST /api/dex/v1/risk/preview',
    bodyOf(await bench.call('POST /api/dex/v1/risk/preview', { headers: { 'X-Svc-API-Key': client.apiKey }, body: preview })),
  )
  own.set('POST /api/dex/developer/keys', bodyOf(await bench.call('POST /api/dex/developer/keys', { ...bearer(session), body: { label: 'Bot' } })))
})
afterAll(() => bench.stop())

const bodyOf = (answer: { readonly status: number; readonly json: unknown; readonly text: string }): Row => {
  const short = shortened(answer.json)
  if (answer.status > 201 || !isRow(short)) throw new Error(answer.text)
  return short
}

const shortened = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.slice(0, 3).map(shortened)
    : isRow(value)
      ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shortened(inner)]))
      : value

const mainOf = (route: string, body: Row): unknown => {
  const shape = shapeOf(route, body)
  if (shape === null) return body
  const main = shape.main === null ? body : body[shape.main]
  return shape.as === 'page' && isRow(main) ? main.items : main
}

test('a dialect (a randomly chosen API format) writes the same response bytes for the same seed, and other bytes for another seed', () => {
  const route = 'GET /api/dex/v1/positions'
  const body = own.get(route) ?? {}
  const bytes = (seed: number) => jsonText(createSpeaker(seed).answer(route, body, moment))
  expect(bytes(5)).toBe(bytes(5))
  expect(new Set(seeds.map(bytes)).size).toBe(seeds.length)
})

test.each([0, 1, 2, 3])(
  'every value that the practice exchange sends in a dialect can be read exactly with the dialect’s rules (quarter %i of the tested dialects)',
  { timeout: 60_000 },
  (quarter) => {
    for (const seed of seeds.filter((_, index) => index % 4 === quarter)) {
      const { dialect, writer, answer } = createSpeaker(seed)
      for (const [route, body] of own) {
        const read = readAnswer(writer, route, body, parseNumbers(jsonText(answer(route, body, moment))))
        const shape = shapeOf(route, body)
        if (shape !== null) expect([seed, route, differences(shape.resource, read, mainOf(route, body), dialect)]).toEqual([seed, route, []])
      }
    }
  },
)

function differences(resource: Resource, read: unknown, meant: unknown, dialect: Dialect): unknown[] {
  if (Array.isArray(meant)) {
    const rows: unknown[] = Array.isArray(read) ? read : []
    if (rows.length !== meant.length) return [['rows', rows.length, meant.length]]
    const inOrder = (list: readonly unknown[]) =>
      resource.keyedBy === null ? list : list.toSorted((a, b) => keyOf(resource, a).localeCompare(keyOf(resource, b)))
    const found = inOrder(rows)
    return inOrder(meant).flatMap((row, index) => differences(resource, found[index], row, dialect))
  }
  if (!isRow(meant)) return [['no record', read, meant]]
  const row = isRow(read) ? read : {}
  return resource.fields.flatMap((field) => {
    const { kind, key } = field
    const value = meant[key]
    if (!(key in meant)) return []
    if (value !== null && typeof kind === 'object' && 'many' in kind) return differences(kind.many, row[key], value, dialect)
    if (value !== null && typeof kind === 'object' && 'one' in kind) return differences(kind.one, row[key], value, dialect)
    return isSame(field, resource, row[key], meant, dialect) ? [] : [[key, row[key], value]]
  })
}

const keyOf = ({ keyedBy }: Resource, row: unknown): string => (isRow(row) ? String(row[keyedBy ?? '']) : '')

function isSame({ kind, key }: Field, resource: Resource, read: unknown, row: Row, dialect: Dialect): boolean {
  const value = row[key]
  if (dialect.size.isOpen && resource.sizeWitnesses.includes(key)) return read === undefined
  if (kind === 'ms' || kind === 'iso') return read === (typeof value === 'string' ? Date.parse(value) : value)
  if (value === null) return read === null
  if (isUsdcSize(kind, dialect)) {
    const price = typeof kind === 'object' && 'base' in kind && kind.base !== null ? row[kind.base] : null
    return typeof price !== 'string' ? read === null : compare(absolute(subtract(String(read), String(value))), divide('0.01', price, 18)) <= 0
  }
  if (decimalsOf(kind, dialect) !== null) return equals(String(read), normalise(String(value)))
  if (kind === 'count') return read === String(value)
  return kind === 'flag' || typeof kind === 'object' ? read === value : true
}

test('the dialect tests cover the response of each GET route that dialects change, except three listed routes', () => {
  const written = new Set([...own.keys()].map(routeName))
  const left = Object.keys(answers).filter((route) => !written.has(route))
  expect(left.filter((route) => route.startsWith('GET '))).toEqual([
    'GET /markets/{id}/funding',
    'GET /markets/{id}/open-interest',
    'GET /executions/{command_id}',
  ])
})
