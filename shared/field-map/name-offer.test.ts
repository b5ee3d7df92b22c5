import { expect, test } from 'vitest'
import { limitOrder, longBtc, mark } from '../../e2e/support/fixtures/ticket.ts'
import { invalidFieldsOf } from '../api/invalid-fields.ts'
import type { ActionTicket, DelegatedTicket, OpenTicket } from '../ipc/intents/tickets.ts'
import { preparedBody } from '../ticket/actions/action-payload.ts'
import { delegatedBody } from '../ticket/delegated/delegated-payload.ts'
import { entryIssue } from './check-entry.ts'
import type { RequestNames } from './field-map-entries.ts'
import { nameOffer } from './name-offer.ts'
import { sentByBody, sentByExecute, sentByPrepare } from './sent-names.ts'

const cancel: ActionTicket = { action: 'cancel_order', order: limitOrder }
const close: ActionTicket = { action: 'close_position_market', position: longBtc, size: '0.1', referencePrice: mark, maxSlippageBps: 50 }
const wholeClose: ActionTicket = { ...close, size: null }
const deposit: ActionTicket = { action: 'add_collateral', token: 'USDC', amount: '5', permit: false }

const offer = (ticket: ActionTicket, refusal: unknown, names: RequestNames = {}) =>
  nameOffer(invalidFieldsOf(refusal), sentByPrepare(preparedBody(ticket, 'desk-1'), names))
const fields = (found: ReturnType<typeof offer>) => found?.candidates.map(({ field }) => field) ?? null

test.each([
  { detail: [{ loc: ['body', 'payload', 'orderId'], msg: 'field required' }] },
  { type: 'about:blank', title: 'Bad request', status: 400, errors: [{ pointer: '#/payload/orderId', detail: 'is required' }] },
  { errors: { orderId: ['is required'] } },
  'orderId is required',
  'unknown field `order_id`, expected `orderId`',
])('the app finds the field name that the service asks for, in any form of refusal: %j', (refusal) => {
  expect(offer(cancel, refusal)).toEqual({
    asks: 'orderId',
    candidates: [{ request: 'cancel_order', field: 'order_id', sent: 'order_id' }],
    respelling: true,
  })
})

test('the app compares a refusal with the name that it actually sent if the field map already renamed the refused field', () => {
  expect(offer(cancel, 'order_ref: required', { cancel_order: { order_id: 'orderRef' } })).toMatchObject({
    candidates: [{ field: 'order_id', sent: 'orderRef' }],
    respelling: true,
  })
})

test('the app finds which of the sent fields the service’s refusal may mean, and lets the user choose if several fields fit', () => {
  expect(offer(close, { field: 'qty', message: 'required' })).toMatchObject({ asks: 'qty', candidates: [{ field: 'size' }], respelling: false })
  expect(fields(offer(close, { field: 'id', message: 'required' }))).toEqual(['position_id', 'client_order_id'])
  expect(fields(offer(cancel, { message: ['property order_id should not exist', 'ref should not be empty'] }))).toEqual(['order_id'])
  // The refusal names two missing fields, so the app does not rename a field without asking the user.
  expect(offer(close, { errors: { positionId: 'required', quantity: 'required' } })).toMatchObject({ asks: 'positionId', respelling: false })
})

test('the app recognises the initials of a field name in a refusal of the service, such as pid for position_id', () => {
  expect(fields(offer(close, { field: 'pid', message: 'required' }))).toEqual(['position_id'])
  expect(fields(offer(close, { field: 'coid', message: 'required' }))).toEqual(['client_order_id'])
  expect(fields(offer(close, { field: 'xid', message: 'required' }))).toBeNull()
})

test.each([
  ['coin', 'token'],
  ['currency', 'token'],
  ['value', 'amount'],
  ['sum', 'amount'],
])('the app offers the common synonym %s for %s, but never uses the synonym without asking the user', (name, field) => {
  const asked = { code: 'VALIDATION_ERROR', detail: [{ loc: ['body', 'payload', name], msg: `payload.${name} is required` }] }
  for (const ticket of [deposit, { action: 'withdraw_collateral', token: 'USDC', amount: '5' } as const])
    expect(offer(ticket, asked)).toMatchObject({ asks: name, candidates: [{ field }], respelling: false })
})

test('the app reports a field name that the service rejects, even if the service does not say which name it expects', () => {
  expect(offer(close, { message: ['property size should not exist'] })).toEqual({
    asks: null,
    candidates: [{ request: 'close_position_market', field: 'size', sent: 'size' }],
    respelling: false,
  })
})

test.each([
  ['a value that was refused', close, { error: { param: 'size', message: 'must be positive' } }],
  ['a field that was sent under this very name', close, 'size is required'],
  ['a field that the app knows by this name and left out', wholeClose, { field: 'size', message: 'required' }],
  ['another unit', close, { field: 'size_usdc', message: 'required' }],
  ['another scale', deposit, { field: 'amount_e6', message: 'required' }],
  ['a word that only a part of a longer name is like', close, { field: 'user', message: 'required' }],
  ['a sentence that shares no word with what was sent', cancel, 'authentication is required'],
  ['what it asks for beside them', cancel, { errors: { pairId: 'required' } }],
  ['a place that holds none of them', cancel, { detail: [{ loc: ['headers', 'orderId'], msg: 'field required' }] }],
  ['a name of the prototype', cancel, { field: '__proto__', message: 'required' }],
  ['no field at all', cancel, { message: 'Try later' }],
])('the app offers no other field name for %s', (_, ticket, refusal) => {
  expect(offer(ticket, refusal)).toBeNull()
})

test('the app never suggests another name for a documented field of a request [ORD-05]', () => {
  const common = { pairId: 1, side: 'long', marginMode: 'cross', leverage: 10, orderValueUsdc: '250', takeProfit: null, stopLoss: null } as const
  const order: OpenTicket = { ...common, orderType: 'limit', limitPrice: '96000', timeInForce: 'gtc', postOnly: false }
  const refusal = { errors: { pairId: 'required', idempotencyKey: 'required' } }
  expect(nameOffer(invalidFieldsOf(refusal), sentByPrepare(preparedBody(order, 'desk-1'), {}))).toBeNull()
  expect(nameOffer(invalidFieldsOf(refusal), sentByExecute(delegatedBody({ action: 'open_position', order }, 'key-1', false), {}))).toBeNull()
  expect(nameOffer(invalidFieldsOf(refusal), sentByExecute(delegatedBody({ action: 'cancel', order: limitOrder }, 'key-1', false), {}))).toBeNull()
  expect(offer(close, { errors: { clientOrderId: 'required' } }, { close_position_market: { client_order_id: 'cid' } })).toMatchObject({
    candidates: [{ field: 'client_order_id', sent: 'cid' }],
  })
  expect(nameOffer(invalidFieldsOf({ field: 'label', message: 'required' }), sentByBody('key_creation', { label: 'a', signature: '0x1b' }, {}))).toBeNull()
})

test('the app compares the refusal of a batch with the fields of the action that the refusal names, or with the batch’s own fields [ORD-13]', () => {
  const batch: DelegatedTicket = {
    action: 'batch',
    items: [
      { action: 'cancel', order: limitOrder },
      { action: 'reduce', position: longBtc, size: '0.1', referencePrice: mark, maxSlippageBps: 50 },
      { action: 'cancel', order: limitOrder },
    ],
  }
  const learnt = (refusal: unknown, names: RequestNames = {}) => nameOffer(invalidFieldsOf(refusal), sentByExecute(delegatedBody(batch, 'key-1', false), names))
  expect(learnt({ detail: [{ loc: ['body', 'payload', 'actions', 1, 'payload', 'quantity'], msg: 'field required' }] })).toMatchObject({
    candidates: [{ request: 'reduce', field: 'size' }],
  })
  const path = ['payload', 'steps', 0]
  const params = {
    errors: [
      { code: 'unrecognized_keys', keys: ['payload'], path },
      { code: 'invalid_type', path: [...path, 'params'], message: 'Required' },
    ],
  }
  expect(learnt(params, { batch: { actions: 'steps' } })).toMatchObject({ asks: 'params', candidates: [{ request: 'batch', field: 'payload' }] })
  expect(learnt('payload.actions.0.payload.orderId: required')).toEqual({
    asks: 'orderId',
    candidates: [{ request: 'cancel', field: 'order_id', sent: 'order_id' }],
    respelling: true,
  })
})

test('the app also offers other field names after the service refuses a request that is not an order, such as a key request', () => {
  const sent = sentByBody('key_expiry', { expires_in_days: 30 }, {})
  expect(nameOffer(invalidFieldsOf({ field: 'expiresInDays', message: 'required' }), sent)).toMatchObject({ respelling: true })
  expect(nameOffer(invalidFieldsOf({ field: 'days', message: 'required' }), sent)).toMatchObject({ asks: 'days', respelling: false })
  const executor = sentByBody('key_executor', { executor: 'exec-1' }, {})
  expect(nameOffer(invalidFieldsOf({ field: 'name', message: 'required' }), executor)).toMatchObject({ asks: 'name', respelling: false })
  expect(nameOffer(invalidFieldsOf({ field: 'region', message: 'required' }), executor)).toBeNull()
})

test('the app rejects a new field name that states another unit in any spelling, but allows “coin” or “symbol” for a token [ORD-05]', () => {
  const issue = (of: string, field: string, at: string) => entryIssue({ part: 'payloads', of, field, at, unit: null, from: 'refusal' }, {})
  for (const at of ['expires_at', 'expiresInMinutes', 'expiry_ms', 'validWeeks'])
    expect([at, issue('key_expiry', 'expires_in_days', at)]).toEqual([at, 'other_unit'])
  for (const at of ['sizeUsd', 'size_e6', 'raw_size']) expect([at, issue('close_position_market', 'size', at)]).toEqual([at, 'other_unit'])
  for (const at of ['coin', 'symbol']) expect([at, issue('add_collateral', 'token', at)]).toEqual([at, null])
  expect(issue('key_expiry', 'expires_in_days', 'days')).toBeNull()
})
