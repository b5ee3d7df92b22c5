import { expect, test } from 'vitest'
import { limitOrder, longBtc, mark } from '../../e2e/support/fixtures/ticket.ts'
import { assumptions } from '../api/coverage-table.ts'
import type { ActionTicket, DelegatedItem } from '../ipc/intents/tickets.ts'
import { preparedBody } from '../ticket/actions/action-payload.ts'
import { delegatedBody } from '../ticket/delegated/delegated-payload.ts'
import { assumedFields, assumedRequestNames, assumedRequests, namedBody, namedDelegated, namedPrepared, namedPreview } from './sent-names.ts'

const atMarket = { referencePrice: mark, maxSlippageBps: 50 }
const full: readonly ActionTicket[] = [
  { action: 'close_position_market', position: longBtc, size: '0.1', ...atMarket },
  { action: 'close_position_limit', position: longBtc, size: '0.1', limitPrice: '97000', timeInForce: 'gtc', postOnly: true },
  { action: 'invert_position', position: longBtc, ...atMarket },
  { action: 'update_tpsl', position: longBtc, takeProfit: '99000', stopLoss: null },
  { action: 'add_isolated_margin', position: longBtc, amountUsdc: '5' },
  { action: 'reduce_isolated_margin', position: longBtc, amountUsdc: '5' },
  { action: 'change_isolated_leverage', position: longBtc, leverage: 3 },
  { action: 'cancel_order', order: limitOrder },
  {
    action: 'replace_order',
    order: limitOrder,
    orderValueUsdc: '10',
    limitPrice: '95000',
    triggerPrice: '95000',
    takeProfit: '99000',
    stopLoss: '90000',
  },
  { action: 'add_collateral', token: 'USDC', amount: '5', permit: true },
  { action: 'withdraw_collateral', token: 'USDC', amount: '5' },
]

test('a field map can rename all undocumented fields that the app sends, and no others [ORD-05]', () => {
  expect(Object.fromEntries(full.map((ticket) => [ticket.action, Object.keys(preparedBody(ticket, 'desk-1').payload).sort()]))).toEqual(
    Object.fromEntries(assumedRequests.wallet.map((action) => [action, [...assumedFields[action]].sort()])),
  )
})

const opening = { pairId: 1, side: 'long', marginMode: 'cross', leverage: 10, orderValueUsdc: '250', takeProfit: '99000', stopLoss: '90000' } as const
/** Every executor action with every field that it may send. `isolated_manage` occurs twice, because it has two variants. */
const delegated: readonly DelegatedItem[] = [
  { action: 'open_market', order: { ...opening, orderType: 'market', ...atMarket, restIfUnfilled: false } },
  { action: 'create_limit', order: { ...opening, orderType: 'limit', limitPrice: '96000', timeInForce: 'gtc', postOnly: false } },
  { action: 'create_stop', order: { ...opening, orderType: 'stop', triggerPrice: '97000', timeInForce: 'ioc' } },
  { action: 'increase', position: longBtc, orderValueUsdc: '100', ...atMarket },
  { action: 'reduce', position: longBtc, size: '0.1', ...atMarket },
  { action: 'close', position: longBtc, ...atMarket },
  { action: 'invert', position: longBtc, ...atMarket },
  { action: 'cancel', order: limitOrder },
  { action: 'replace', order: limitOrder, orderValueUsdc: '10', limitPrice: '95000', triggerPrice: '95000', takeProfit: '99000', stopLoss: '90000' },
  { action: 'set_tp', position: longBtc, price: '99000' },
  { action: 'clear_tp', position: longBtc },
  { action: 'set_sl', position: longBtc, price: '90000' },
  { action: 'clear_sl', position: longBtc },
  { action: 'isolated_manage', position: longBtc, change: { marginDeltaUsdc: '5' } },
  { action: 'isolated_manage', position: longBtc, change: { leverage: 3 } },
]

test('a field map can rename all fields of executor actions except the idempotency key, and no others [ORD-13]', () => {
  const sent = new Map<string, Set<string>>([['batch', new Set(['actions', 'action', 'payload'])]])
  for (const item of delegated) {
    const { idempotency_key: _, ...payload } = delegatedBody(item, 'key-1', false).payload
    sent.set(item.action, new Set([...(sent.get(item.action) ?? []), ...Object.keys(payload)]))
  }
  expect(Object.fromEntries([...sent].map(([action, fields]) => [action, [...fields].sort()]))).toEqual(
    Object.fromEntries(assumedRequests.executor.map((action) => [action, [...assumedFields[action]].sort()])),
  )
})

const sentenceOf = (name: string): string => assumptions.find((one) => one.name === name)?.sentence ?? ''
const likeOpening: readonly string[] = ['open_market', 'create_limit', 'create_stop']

test('the list of assumptions contains every field that the app sends although it is undocumented [ORD-05]', () => {
  const declared = (request: (typeof assumedRequestNames)[number]): string => {
    if (assumedRequests.wallet.some((action) => action === request)) return sentenceOf('actionPayloads')
    if (assumedRequests.executor.some((action) => action === request)) return `${sentenceOf('actionPayloads')} ${sentenceOf('delegatedPayloads')}`
    return sentenceOf(request === 'risk_preview' || request === 'execution_payment' ? request : 'keyBodies')
  }
  const undeclared = assumedRequestNames
    .filter((request) => !likeOpening.includes(request))
    .flatMap((request) => assumedFields[request].filter((field) => !declared(request).includes(`\`${field}\``)).map((field) => `${request}.${field}`))
  expect(undeclared).toEqual([])
})

test('the app uses the field map’s names in executor requests and batches, but never renames the idempotency key [ORD-13]', () => {
  const names = { reduce: { size: 'quantity' }, open_market: { leverage: 'lev' } }
  for (const item of delegated) {
    const before = delegatedBody(item, 'key-1', false)
    const after = namedDelegated(before, names)
    expect(after.payload.idempotency_key).toBe('key-1')
    if (item.action === 'reduce') {
      const { size, ...rest } = before.payload
      expect(after).toEqual({ ...before, payload: { ...rest, quantity: size } })
    } else if (item.action === 'open_market') expect(after.payload).toMatchObject({ lev: 10 })
    else expect(after).toEqual(before)
  }
  const batch = delegatedBody({ action: 'batch', items: [...delegated] }, 'key-1', true)
  const sent = namedDelegated(batch, { ...names, batch: { actions: 'steps', action: 'do', payload: 'with' } })
  expect(Object.keys(sent.payload).sort()).toEqual(['idempotency_key', 'steps'])
  expect(sent).toMatchObject({ action: 'batch', prepare_only: true, payload: { idempotency_key: 'key-1' } })
  const steps = sent.payload.steps as readonly Readonly<Record<string, unknown>>[]
  expect(steps.map((step) => step.do)).toEqual(delegated.map(({ action }) => action))
  expect(steps[4]?.with).toMatchObject({ quantity: '0.1', position_id: 'pos_1' })
  expect(steps[5]?.with).toEqual(
    delegatedBody(delegated[5] as DelegatedItem, 'x', false).payload && { position_id: 'pos_1', reference_price: mark, max_slippage_bps: 50 },
  )
})

test('the app replaces an assumed field name in a request with the field map’s name, and changes nothing else [ORD-05]', () => {
  const names = { close_position_market: { size: 'quantity' }, add_collateral: { amount: 'amount_usdc' } }
  for (const ticket of full) {
    const before = preparedBody(ticket, 'desk-1')
    const after = namedPrepared(before, names)
    expect({ ...after, payload: null }).toEqual({ ...before, payload: null })
    if (ticket.action === 'close_position_market') {
      const { size, ...rest } = before.payload
      expect(after.payload).toEqual({ ...rest, quantity: size })
    } else if (ticket.action === 'add_collateral')
      expect(after).toEqual({ action: 'add_collateral', payload: { token: 'USDC', amount_usdc: '5' }, permit: true })
    else expect(after).toEqual(before)
  }
})

test('the app never renames fields of a documented payload, even if the field map says so [ORD-01]', () => {
  const body = { action: 'open_position', payload: { leverage: 3 } }
  expect(namedPrepared(body, { open_position: { leverage: 'lev' } })).toEqual(body)
})

test('the app renames fields of requests that are not orders, and also the fields of the action inside a risk preview', () => {
  expect(namedBody('key_expiry', { expires_in_days: 30 }, { key_expiry: { expires_in_days: 'days' } })).toBe('{"days":30}')
  const names = { risk_preview: { payload: 'order' }, cancel_order: { order_id: 'ref' } }
  expect(namedPreview({ action: 'cancel_order', payload: { order_id: '7' } }, names)).toBe('{"action":"cancel_order","order":{"ref":"7"}}')
})
