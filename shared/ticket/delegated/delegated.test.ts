import fc from 'fast-check'
import { expect, test } from 'vitest'
import { btc, limitOrder, longBtc, mark } from '../../../e2e/support/fixtures/ticket.ts'
import { delegatedActions } from '../../api/actions.ts'
import { type DelegatedItem, DelegatedTicket, type LimitTicket, type MarketTicket } from '../../ipc/intents/tickets.ts'
import { formIssueText } from '../../text/form-text.ts'
import { titleText } from '../../text/title-text.ts'
import { checkDelegated } from './check-delegated.ts'
import { delegatedBody, delegatedTitle, scopesOfDelegated } from './delegated-payload.ts'

const opening = { pairId: 1, side: 'long', marginMode: 'cross', leverage: 10, orderValueUsdc: '25000', takeProfit: null, stopLoss: null } as const
const market: MarketTicket = { ...opening, orderType: 'market', referencePrice: mark, maxSlippageBps: 50, restIfUnfilled: false }
const limit: LimitTicket = { ...opening, orderType: 'limit', limitPrice: '96000', timeInForce: 'gtc', postOnly: false }
const atMarket = { referencePrice: mark, maxSlippageBps: 50 }
const priced = { reference_price: '96412.5', max_slippage_bps: 50 }
const wire = { pair_id: 1, side: 'long', margin_mode: 'cross', leverage: 10, order_value_usdc: '25000' }

const items: readonly (readonly [DelegatedItem, Readonly<Record<string, unknown>>, string])[] = [
  [
    { action: 'open_position', order: limit },
    { ...wire, order_type: 'limit', limit_price: '96000', time_in_force: 'gtc', post_only: false, client_order_id: 'key-1' },
    'Long 25,000.00 USDC at limit 96,000.0',
  ],
  [
    { action: 'open_market', order: { ...market, clientOrderId: 'mine' } },
    { ...wire, ...priced, rest_if_unfilled: false, client_order_id: 'mine' },
    'Long 25,000.00 USDC at market',
  ],
  [
    { action: 'create_limit', order: limit },
    { ...wire, limit_price: '96000', time_in_force: 'gtc', post_only: false, client_order_id: 'key-1' },
    'Long 25,000.00 USDC at limit 96,000.0',
  ],
  [
    { action: 'create_stop', order: { ...opening, orderType: 'stop', triggerPrice: '97000', timeInForce: 'ioc' } },
    { ...wire, trigger_price: '97000', time_in_force: 'ioc', client_order_id: 'key-1' },
    'Long 25,000.00 USDC at stop 97,000.0',
  ],
  [
    { action: 'increase', position: longBtc, orderValueUsdc: '100.50', ...atMarket },
    { position_id: 'pos_1', order_value_usdc: '100.5', ...priced },
    'Add 100.50 USDC to the long on BTC-PERP',
  ],
  [{ action: 'reduce', position: longBtc, size: '0.1', ...atMarket }, { position_id: 'pos_1', size: '0.1', ...priced }, 'Reduce the long on BTC-PERP by 0.1'],
  [{ action: 'close', position: longBtc, ...atMarket }, { position_id: 'pos_1', ...priced }, 'Close the long on BTC-PERP at market'],
  [{ action: 'cancel', order: limitOrder }, { order_id: 'ord_1' }, 'Cancel the long order on BTC-PERP'],
  [{ action: 'replace', order: limitOrder, limitPrice: '95000' }, { order_id: 'ord_1', limit_price: '95000' }, 'Change the long order on BTC-PERP'],
  [
    { action: 'set_tp', position: longBtc, price: '99000' },
    { position_id: 'pos_1', price: '99000' },
    'Set the take profit of the long on BTC-PERP to 99,000.0',
  ],
  [{ action: 'clear_tp', position: longBtc }, { position_id: 'pos_1' }, 'Clear the take profit of the long on BTC-PERP'],
  [{ action: 'set_sl', position: longBtc, price: '95000' }, { position_id: 'pos_1', price: '95000' }, 'Set the stop loss of the long on BTC-PERP to 95,000.0'],
  [{ action: 'clear_sl', position: longBtc }, { position_id: 'pos_1' }, 'Clear the stop loss of the long on BTC-PERP'],
  [{ action: 'invert', position: longBtc, ...atMarket }, { position_id: 'pos_1', ...priced }, 'Invert the long on BTC-PERP at market'],
  [
    { action: 'isolated_manage', position: longBtc, change: { marginDeltaUsdc: '-250' } },
    { position_id: 'pos_1', margin_delta_usdc: '-250' },
    'Remove 250.00 USDC of margin from the long on BTC-PERP',
  ],
]

const marketNow = (pairId: number) => (pairId === 1 ? { market: btc, mark } : null)
const texts = (ticket: DelegatedTicket) => checkDelegated(DelegatedTicket.parse(ticket), marketNow).map(({ field, issue }) => [field, formIssueText(issue)])

test('the app has a ticket type for every action that an executor can carry out [ORD-13]', () => {
  expect([...items.map(([{ action }]) => action), 'batch'].sort()).toEqual(Object.keys(delegatedActions).sort())
})

test.each(items)('the app sends the executor ticket %o with its idempotency key in the payload and nowhere else [ORD-13]', (item, payload, title) => {
  const ticket = DelegatedTicket.parse(item)
  expect(delegatedBody(ticket, 'key-1', false)).toEqual({ action: item.action, payload: { ...payload, idempotency_key: 'key-1' } })
  expect(delegatedBody(ticket, 'key-2', true)).toMatchObject({ prepare_only: true, payload: { idempotency_key: 'key-2' } })
  expect(titleText(delegatedTitle(ticket, 1))).toBe(title)
  expect(checkDelegated(ticket, marketNow)).toEqual([])
})

test('an executor batch contains 1 to 32 actions but no other batch, and requires the scopes of all its actions [ORD-13] [AUTH-04]', () => {
  const cancel: DelegatedItem = { action: 'cancel', order: limitOrder }
  const batch = (...list: readonly DelegatedItem[]) => ({ action: 'batch' as const, items: [...list] })
  expect(DelegatedTicket.safeParse(batch()).success).toBe(false)
  expect(DelegatedTicket.safeParse(batch(...Array.from({ length: 33 }, () => cancel))).success).toBe(false)
  expect(DelegatedTicket.safeParse({ action: 'batch', items: [batch(cancel)] }).success).toBe(false)
  const ticket = DelegatedTicket.parse(batch(...Array.from({ length: 31 }, () => cancel), { action: 'open_market', order: market }))
  const { payload } = delegatedBody(ticket, 'key-1', false)
  expect(payload.idempotency_key).toBe('key-1')
  expect(payload.actions).toHaveLength(32)
  expect(payload.actions).toContainEqual({ action: 'open_market', payload: expect.objectContaining({ client_order_id: 'key-1.32' }) })
  expect(scopesOfDelegated(ticket)).toEqual(['trade:execute', 'orders:manage'])
  expect(scopesOfDelegated(batch({ action: 'open_market', order: market }))).toEqual(['trade:execute'])
  expect(titleText(delegatedTitle(ticket, 1))).toBe('Batch of 32 actions')
})

test.each<[DelegatedItem, readonly (readonly [string, string])[]]>([
  [{ action: 'open_market', order: { ...market, leverage: 51 } }, [['leverage', 'BTC-PERP allows up to 50×.']]],
  [{ action: 'open_market', order: { ...market, pairId: 9 } }, [['market', 'The exchange does not list this market.']]],
  [{ action: 'increase', position: longBtc, orderValueUsdc: '9', ...atMarket }, [['orderValue', 'BTC-PERP accepts orders from 10.00 USDC.']]],
  [{ action: 'reduce', position: longBtc, size: '0.26', ...atMarket }, [['part', 'The position holds 0.2593 BTC.']]],
  [{ action: 'close', position: longBtc, referencePrice: '0', maxSlippageBps: 50 }, [['referencePrice', 'There is no price for this market yet.']]],
  [{ action: 'set_tp', position: longBtc, price: '96000' }, [['price', 'The price must be above the current price, 96,412.5.']]],
  [{ action: 'set_sl', position: longBtc, price: '95000.2' }, [['price', 'BTC-PERP prices move in steps of 0.5. The nearest is 95,000.0.']]],
  [{ action: 'replace', order: limitOrder }, [['form', 'Nothing changes.']]],
  [{ action: 'isolated_manage', position: longBtc, change: { marginDeltaUsdc: '0' } }, [['amount', 'Nothing changes.']]],
  [{ action: 'isolated_manage', position: longBtc, change: { marginDeltaUsdc: '-0.0000001' } }, [['amount', 'USDC has at most 6 decimals.']]],
  [{ action: 'isolated_manage', position: longBtc, change: { leverage: 51 } }, [['leverage', 'BTC-PERP allows up to 50×.']]],
])('the app refuses the invalid executor action %o, alone or in a batch, and names the field in the error [ORD-13]', (item, sentences) => {
  expect(texts(item)).toEqual(sentences)
  const clear: DelegatedItem = { action: 'clear_tp', position: longBtc }
  expect(texts({ action: 'batch', items: [clear, item] })).toEqual(sentences.map(([field, text]) => [`items.1.${field}`, text]))
})

test('an executor batch contains each client order id at most once', () => {
  const mine: DelegatedItem = { action: 'create_limit', order: { ...limit, clientOrderId: 'mine' } }
  expect(texts({ action: 'batch', items: [mine, { action: 'cancel', order: limitOrder }, mine] })).toEqual([
    ['items.2.clientOrderId', 'The order ID mine is used twice.'],
  ])
})

test('the app refuses an executor’s margin change that contains both a margin and a leverage, or neither of them [ORD-13]', () => {
  for (const change of [{}, { marginDeltaUsdc: '1', leverage: 2 }])
    expect(DelegatedTicket.safeParse({ action: 'isolated_manage', position: longBtc, change }).success).toBe(false)
})

test('the app sends an executor’s dry run with the real order’s payload but with a separate idempotency key [ORD-13]', () => {
  fc.assert(
    fc.property(fc.constantFrom(...items.map(([item]) => item)), (item) => {
      const { idempotency_key: first, client_order_id: _, ...real } = delegatedBody(item, 'real-key', false).payload
      const { idempotency_key: second, client_order_id: __, ...dry } = delegatedBody(item, 'dry-key', true).payload
      expect([first, second]).toEqual(['real-key', 'dry-key'])
      expect(dry).toEqual(real)
    }),
  )
})
