import { expect, test } from 'vitest'
import { readFinality } from '../../signing/prepared-action.ts'
import { OrderPage, PositionList } from '../schemas/account-resources.ts'
import { DelegatedStatus, ExecutionReport } from '../schemas/intents.ts'
import { KeyList } from '../schemas/keys/key-resources.ts'
import { Snapshot } from '../schemas/markets/market-resources.ts'
import { TradePage } from '../schemas/position-history.ts'

const page = (name: string, ...items: readonly object[]) => ({ [name]: { items, next_cursor: 0, has_more: false, limit: 9 } })
const trades = (...items: readonly object[]) => TradePage.parse(page('trades', ...items)).items
const orders = (...items: readonly object[]) => OrderPage.parse(page('orders', ...items)).items

test('the app recognises an execution’s finality by its documented values, under any field name and in any wrapper', () => {
  const of = (json: unknown) => readFinality(ExecutionReport.parse(json))
  expect(of({ receipt: { tx_hash: '0x1', settled: 'PENDING_FINALITY', confirmations: 2 } })).toMatchObject({ finality: 'confirming', confirmations: 2 })
  expect(of({ code: 0, result: { Command: { Tx: { Hash: '0x1' }, SettlementStatus: 'FINAL', Confirmations: 9 } } })).toMatchObject({
    finality: 'final',
    confirmations: 9,
  })
  expect(of({ outcome: { anchoring: 'PendingFinality' } }).finality).toBe('confirming')
  expect(of({ chain_status: 'SAFE', node: 'ok' })).toMatchObject({ finality: 'other', raw: 'SAFE' })
})

test('the app reads a record inside a property named like one of the record’s own fields, unless the property contains a table', () => {
  const status = { command_id: 'cmd_1', phase: 'Completed', tx_hash: '0x1', results: [{ index: 0, state: 'executed' }] }
  for (const json of [{ outcome: status }, { ok: true, payload: { Outcome: status } }])
    expect(DelegatedStatus.parse(json)).toMatchObject({ commandId: 'cmd_1', state: 'Completed', results: [{ state: 'executed' }] })
  const marks = { market_id: [1, 2], mark: ['1.5', '2.5'], updated_at: [1_795_457_490, 1_795_457_490] }
  expect(Snapshot.parse({ snapshot: { sequence: 7, markets: marks } })).toMatchObject({ sequence: '7' })
})

test('the app understands the words for a side, type or status in any case, also with the field’s name as prefix', () => {
  const [one] = orders({ order_id: 1, side: 'SIDE_SELL', order_type: 'MKT', margin_mode: 'segregated', status: 'ORDER_STATUS_PARTIALLY_FILLED' })
  expect(one).toMatchObject({ side: 'short', type: 'market', marginMode: 'isolated', status: 'partially_filled' })
  expect(orders({ order_id: 1, side: 'sideways', order_type: 'iceberg', status: 'parked' })[0]).toMatchObject({
    side: 'sideways',
    type: 'iceberg',
    status: 'parked',
  })
})

test('the app reads a side (long or short) from a boolean flag, and reads no side if two fields contradict each other', () => {
  expect(orders({ order_id: 1, is_buy: false }, { order_id: 2, is_buy: true }).map(({ side }) => side)).toEqual(['short', 'long'])
  expect(orders({ order_id: 1, side: 'buy', is_buy: false })[0]?.side).toBeNull()
  expect(trades({ trade_id: 1, isLong: 0 })[0]?.side).toBe('short')
})

test('the app never reads one property of a service answer as two fields', () => {
  expect(trades({ trade_id: 1, bs: 'S', dir: 'close', liq: 'T' })[0]).toMatchObject({ side: 'short', did: 'close' })
  // `close` is not a side, so `dir` cannot be the side here. The app reads `dir` as the trade's action (`did`).
  expect(trades({ trade_id: 1, dir: 'close' })[0]).toMatchObject({ side: null, did: 'close' })
  expect(trades({ trade_id: 1, dir: 'close', is_buy: false })[0]).toMatchObject({ side: 'short', did: 'close' })
  expect(trades({ trade_id: 1, dir: 'north' })[0]).toMatchObject({ side: 'north', did: null })
})

test('the app reads a field under an unknown name only if exactly one property contains a word that fits the field', () => {
  expect(trades({ trade_id: 1, side: 'buy', flow: 'taker', flavour: 'OPEN' })[0]).toMatchObject({ role: 'taker', did: 'OPEN' })
  // Both `ours` and `theirs` could be the role, so the app reads neither.
  expect(trades({ trade_id: 1, ours: 'taker', theirs: 'maker' })[0]?.role).toBeNull()
  // In the second record, `flow` contains a word that is not a role. So the app does not read `flow` as the role in the first record either.
  expect(trades({ trade_id: 1, flow: 'taker' }, { trade_id: 2, flow: 'north' }).map(({ role }) => role)).toEqual([null, null])
  // `role` is a known field name, so the app accepts any value.
  expect(trades({ trade_id: 1, role: 'broker', flow: 'taker' })[0]?.role).toBe('broker')
  expect(trades({ trade_id: 1, flow: 'T' })[0]?.role).toBeNull()
})

test('the app does not list a property as unknown after it has recognised the property’s field by the value', () => {
  expect(trades({ trade_id: 1, flow: 'taker' })[0]?.unknownFields).toBeNull()
  expect(PositionList.parse({ positions: [{ pair_id: 1, posture: 'long', wrap: 'isolated' }] }).positions).toMatchObject([
    { side: 'long', marginMode: 'isolated', unknownFields: null },
  ])
})

test('the app reads an action under an unknown field name only if the API document lists that action', () => {
  expect(DelegatedStatus.parse({ execution: { command_id: 'c', verb: 'create_limit', state: 'executed' } })).toMatchObject({ state: 'executed' })
  const { results } = DelegatedStatus.parse({
    command_id: 'c',
    state: 'executed',
    results: [{ index: 0, what: 'create_limit', went: 'executed', order_id: 7 }],
  })
  expect(results).toMatchObject([{ action: 'create_limit', state: 'executed', orderId: '7' }])
})

test('the app reads “id” in an executor’s result as the affected order’s or position’s id, or as unknown if both are possible', () => {
  const of = (outcome: object) => DelegatedStatus.parse({ command_id: 'c', state: 'executed', results: [{ index: 0, ...outcome }] }).results?.[0]
  expect(of({ action: 'create_limit', id: 7 })).toMatchObject({ orderId: '7', positionId: null, unknownFields: null })
  expect(of({ action: 'set_tp', id: 7 })).toMatchObject({ orderId: null, positionId: '7' })
  expect(of({ action: 'cancel_order', id: 7, order_id: 8 })).toMatchObject({ orderId: '8', unknownFields: '{"id":"7"}' })
  expect(of({ action: 'open_market', id: 7 })).toMatchObject({ orderId: null, positionId: null, unknownFields: '{"id":"7"}' })
})

test('the app accepts an ambiguous word (such as “live”) as a state only if the name of its field means a state [ERR-02]', () => {
  const statusOf = (record: object) => KeyList.parse({ keys: [{ key_id: 'k1', ...record }] }).keys[0]?.status
  expect([{ 'ord-status': 'Live' }, { lifeState: 'ON' }, { ord_status: 'Off' }].map(statusOf)).toEqual(['active', 'active', 'revoked'])
  expect([{ environment: 'live' }, { ord_status: 'north' }, { a_status: 'live', b_status: 'live' }].map(statusOf)).toEqual(['unknown', 'unknown', 'unknown'])
})
