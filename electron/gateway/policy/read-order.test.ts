import { expect, test } from 'vitest'
import { type delegatedActions, delegatedScopes, preparedActionNames, preparedActions } from '../../../shared/api/actions.ts'
import { hashOfBody, type OrderItem, parseOnce, readExecute, readPrepare } from './read-order.ts'

const opening = { pair_id: 1, side: 'long', margin_mode: 'cross', leverage: 5, order_value_usdc: '100' }
const market = { reference_price: '90000', max_slippage_bps: 50 }
const position = { position_id: 'pos_1' }
const order = { order_id: 'ord_1' }
const open: OrderItem = { kind: 'open', pairId: 1, side: 'long', valueUsdc: '100', leverage: 5, clientOrderId: null }
const exit: OrderItem = { kind: 'exit', positionId: 'pos_1', orderId: null }

const executed: Readonly<Record<keyof typeof delegatedActions, readonly [payload: object, items: readonly OrderItem[]]>> = {
  open_position: [{ ...opening, ...market, take_profit: '99000' }, [open]],
  open_market: [{ ...opening, ...market, rest_if_unfilled: true }, [open]],
  create_limit: [{ ...opening, limit_price: '80000', time_in_force: 'gtc', post_only: true }, [open]],
  create_stop: [{ ...opening, trigger_price: '95000', time_in_force: 'ioc' }, [open]],
  increase: [{ ...position, order_value_usdc: '50.0', ...market }, [{ kind: 'increase', positionId: 'pos_1', valueUsdc: '50' }]],
  reduce: [{ ...position, size: '0.1', ...market }, [exit]],
  close: [{ ...position, ...market }, [exit]],
  invert: [{ ...position, ...market }, [{ kind: 'invert', positionId: 'pos_1', price: '90000' }]],
  cancel: [order, [{ kind: 'exit', positionId: null, orderId: 'ord_1' }]],
  replace: [
    { ...order, limit_price: '81000', take_profit: null },
    [{ kind: 'replace', orderId: 'ord_1', valueUsdc: null, limitPrice: '81000', triggerPrice: null }],
  ],
  set_tp: [{ ...position, price: '99000' }, [exit]],
  set_sl: [{ ...position, price: '80000' }, [exit]],
  clear_tp: [position, [exit]],
  clear_sl: [position, [exit]],
  isolated_manage: [{ ...position, margin_delta_usdc: '-25' }, [{ kind: 'take_margin', positionId: 'pos_1', amountUsdc: '25' }]],
  batch: [
    {
      actions: [
        { action: 'cancel', payload: order },
        { action: 'close', payload: { ...position, ...market } },
      ],
    },
    [{ kind: 'exit', positionId: null, orderId: 'ord_1' }, exit],
  ],
}
const prepared: Readonly<Record<keyof typeof preparedActions, readonly [payload: object, items: readonly OrderItem[]]>> = {
  open_position: [{ ...opening, ...market, client_order_id: 'mine' }, [{ ...open, clientOrderId: 'mine' }]],
  close_position_market: [{ ...position, size: '0.1', ...market }, [exit]],
  close_position_limit: [{ ...position, limit_price: '99000', time_in_force: 'gtc', post_only: false }, [exit]],
  invert_position: [{ ...position, ...market }, [{ kind: 'invert', positionId: 'pos_1', price: '90000' }]],
  update_tpsl: [{ ...position, take_profit: '99000', stop_loss: null }, [exit]],
  add_isolated_margin: [{ ...position, amount_usdc: '5' }, [exit]],
  reduce_isolated_margin: [{ ...position, amount_usdc: '5' }, [{ kind: 'take_margin', positionId: 'pos_1', amountUsdc: '5' }]],
  change_isolated_leverage: [{ ...position, leverage: 7 }, [{ kind: 'leverage', positionId: 'pos_1', leverage: 7 }]],
  cancel_order: [order, [{ kind: 'exit', positionId: null, orderId: 'ord_1' }]],
  replace_order: [{ ...order, order_value_usdc: '40' }, [{ kind: 'replace', orderId: 'ord_1', valueUsdc: '40', limitPrice: null, triggerPrice: null }]],
  add_collateral: [{ token: 'USDC', amount: '10' }, [{ kind: 'collateral' }]],
  withdraw_collateral: [{ token: 'USDC', amount: '10' }, [{ kind: 'collateral' }]],
}

const executions = Object.entries(executed)
const preparations = Object.entries(prepared)

test.each(executions)(
  'the gateway reads the execution %s, knows what it changes and which scopes it needs, and refuses any other field',
  (action, [payload, items]) => {
    const inner = action === 'batch' ? (['cancel', 'close'] as const) : []
    const read = readExecute({ action, payload: { ...payload, idempotency_key: 'a-key-0001' } }, {})
    expect(read).toMatchObject({
      ok: true,
      value: { items, idempotencyKey: 'a-key-0001', scopes: delegatedScopes(action as keyof typeof delegatedActions, inner) },
    })
    for (const [name, value] of Object.entries({ extra: 1, size_usdc: '1', constructor: '1', idempotency_key: 'short' }))
      expect(readExecute({ action, payload: { ...payload, [name]: value } }, {}), name).toMatchObject({ ok: false, failure: { code: 'BODY' } })
    for (const name of Object.keys(payload)) {
      expect(readExecute({ action, payload: { ...payload, [name]: { deep: 1 } } }, {}), name).toMatchObject({ ok: false })
      expect(readExecute({ action, payload: { ...payload, [name]: '' } }, {}), name).toMatchObject({ ok: false })
    }
  },
)

test.each(preparations)(
  'the gateway reads the preparation %s, knows what it changes and which scope it needs, and refuses any other field',
  (action, [payload, items]) => {
    const name = preparedActionNames.find((one) => one === action)
    expect(readPrepare({ action, payload }, {})).toMatchObject({ ok: true, value: { items, scopes: name === undefined ? [] : [preparedActions[name]] } })
    expect(readPrepare({ action, payload: { ...payload, extra: 1 } }, {})).toMatchObject({ ok: false, failure: { code: 'BODY' } })
    expect(readPrepare({ action, payload, prepare_only: true }, {})).toMatchObject({ ok: false })
  },
)

test('a number beyond its digits, a negative amount and zero are not read', () => {
  for (const change of [
    { order_value_usdc: '-1' },
    { order_value_usdc: '0' },
    { order_value_usdc: '1e400' },
    { leverage: 1.5 },
    { leverage: 0 },
    { pair_id: 2 ** 60 },
    { max_slippage_bps: 1_001 },
  ])
    expect(readExecute({ action: 'open_market', payload: { ...opening, ...market, ...change } }, {}), JSON.stringify(change)).toMatchObject({ ok: false })
})

test('a batch is read to its last action, and holds no other batch and no 33rd action', () => {
  const cancel = { action: 'cancel', payload: order }
  const batch = (actions: readonly unknown[]) => readExecute({ action: 'batch', payload: { actions } }, {})
  expect(batch(Array.from({ length: 32 }, () => cancel))).toMatchObject({ ok: true })
  for (const actions of [
    [],
    Array.from({ length: 33 }, () => cancel),
    [cancel, { action: 'batch', payload: { actions: [cancel] } }],
    [{ ...cancel, extra: 1 }],
    [{ action: 'cancel', payload: { ...order, x: 1 } }],
  ])
    expect(batch(actions)).toMatchObject({ ok: false })
})

test('a bot uses the names of its exchange: a renamed field is read under its new name only', () => {
  const names = { close: { position_id: 'positionRef' } }
  const renamed = { positionRef: 'pos_1', ...market }
  expect(readExecute({ action: 'close', payload: renamed }, names)).toMatchObject({ ok: true, value: { items: [exit], body: { payload: renamed } } })
  expect(readExecute({ action: 'close', payload: { ...position, ...market } }, names)).toMatchObject({ ok: false })
  expect(readExecute({ action: 'close', payload: { ...position, ...renamed } }, names)).toMatchObject({ ok: false })
})

test.each([
  ['{"a":1,"a":2}', 'twice'],
  ['{"a":{"b":1,"\\u0062":2}}', 'twice'],
  ['[{"a":1},{"a":":"}]', 'once'],
  ['{"a:b":"c:d\\":e"}', 'once'],
  ['{"__proto__":{}}', 'unread'],
  ['{"a":[{"__proto__":1}]}', 'unread'],
  ['{"a":1', 'not_json'],
  ['', 'not_json'],
  ['NaN', 'not_json'],
  [`${'['.repeat(20_000)}${']'.repeat(20_000)}`, 'not_json'],
])('the gateway sees whether JSON names a member twice: %s', (text, expected) => {
  const read = parseOnce(text)
  if (text.length > 1_000) expect(typeof read === 'string' || 'json' in read).toBe(true)
  else expect(typeof read === 'string' ? read : 'once').toBe(expected)
})

test('two bodies with the same members in another order have the same hash, any other change has another', () => {
  expect(hashOfBody({ a: 1, b: [{ c: '1', d: null }] })).toBe(hashOfBody({ b: [{ d: null, c: '1' }], a: 1 }))
  for (const other of [
    { a: 1, b: [{ c: 1, d: null }] },
    { a: 1, b: [{ c: '1' }] },
    { a: 1, b: { c: '1', d: null } },
  ])
    expect(hashOfBody({ a: 1, b: [{ c: '1', d: null }] })).not.toBe(hashOfBody(other))
})

test.each(['\u0000', 'ord\u001b', '\ud800'])('an id with a character that no id contains is refused: %j', (id) => {
  expect(readExecute({ action: 'cancel', payload: { order_id: id } }, {}).ok).toBe(false)
})
