import { expect, test } from 'vitest'
import { btc, mark } from '../../../../e2e/support/fixtures/ticket.ts'
import type { OpenOrder, Position } from '../../../../shared/ipc/reads/account.ts'
import { formIssueText } from '../../../../shared/text/form-text.ts'
import { type BatchFacts, type BatchForm, batchKinds, initialBatchForm, readBatchForm, ticketAt, ticketOfItems } from './batch-form.ts'

const position: Position = {
  ...{ id: 'pos_1', pairId: 1, symbol: 'BTC-PERP', side: 'long', size: '0.2593', notionalUsdc: '25000', entryPrice: '96000', markPrice: mark },
  ...{ liquidationPrice: null, leverage: '10', marginMode: 'isolated', marginUsdc: '2500', unrealisedPnl: '0', takeProfit: null, stopLoss: null },
}
const order: OpenOrder = {
  ...{ id: 'ord_1', pairId: 1, symbol: 'BTC-PERP', side: 'long', type: 'limit', price: '96000', size: '0.1', filledSize: '0', orderValueUsdc: '9600' },
  ...{ limitPrice: '96000', triggerPrice: null, takeProfit: null, stopLoss: null, marginMode: 'cross', leverage: '5', reduceOnly: false },
  ...{ positionId: null, status: 'open', clientOrderId: null, atMs: null },
}
const facts: BatchFacts = { positions: [position], orders: [order], marketNow: (pairId) => (pairId === 1 ? { market: btc, mark } : null) }
const filled: BatchForm = {
  ...initialBatchForm(1),
  ...{ positionId: 'pos_1', orderId: 'ord_1', orderValue: '250', price: '97000', size: '0.1', amount: '25', leverage: '5' },
}
const read = (change: Partial<BatchForm>) => readBatchForm({ ...filled, ...change }, facts)

test('the batch form turns valid input for any kind of action into an action that obeys its market’s rules [ORD-13]', () => {
  const made = (Object.keys(batchKinds) as (keyof typeof batchKinds)[]).map((kind) => {
    const { ticket, errors } = read({ kind, price: kind === 'set_sl' ? '95000' : '97000' })
    return [kind, errors, ticket?.action]
  })
  expect(made).toEqual(Object.keys(batchKinds).map((kind) => [kind, [], kind === 'margin' || kind === 'leverage' ? 'isolated_manage' : kind]))
})

test('the batch form reports each problem at the field that causes it, and then creates no action [ORD-04]', () => {
  const fields = (change: Partial<BatchForm>) => {
    const { errors, ticket } = read(change)
    return [ticket === null, errors.map(({ field }) => field)]
  }
  expect(fields({ kind: 'open_market', orderValue: '', leverage: 'x', slippage: '11' })).toEqual([true, ['orderValue', 'leverage']])
  expect(fields({ kind: 'open_market', slippage: '11' })).toEqual([true, ['slippage']])
  expect(fields({ kind: 'create_limit', price: '97000.3' })).toEqual([true, ['price']])
  expect(read({ kind: 'create_limit', price: '0,250' }).errors.map(({ issue }) => formIssueText(issue))).toEqual([
    'Write 0.25 with a point. A comma only groups thousands.',
  ])
  expect(fields({ kind: 'reduce', size: '0.3' })).toEqual([true, ['size']])
  expect(fields({ kind: 'reduce', positionId: null })).toEqual([true, ['about']])
  expect(fields({ kind: 'cancel', orderId: 'gone' })).toEqual([true, ['about']])
  expect(fields({ kind: 'set_tp', price: '90000' })).toEqual([true, ['price']])
  expect(fields({ kind: 'margin', amount: '0' })).toEqual([true, ['amount']])
  expect(fields({ kind: 'open_market', pairId: 99 })).toEqual([true, ['about']])
})

test('the batch form turns margin to remove into a negative amount, and a new trigger price of a stop order into a replacement of the order', () => {
  expect(read({ kind: 'margin', direction: 'take' }).ticket).toMatchObject({ change: { marginDeltaUsdc: '-25' } })
  const stop = { ...facts, orders: [{ ...order, limitPrice: null, triggerPrice: '98000' }] }
  expect(readBatchForm({ ...filled, kind: 'replace' }, stop).ticket).toMatchObject({ action: 'replace', triggerPrice: '97000' })
})

test('the batch form sends one action alone and several actions as a batch, and adds the current price to each market order [ORD-02]', () => {
  const [close, limit] = [read({ kind: 'close' }).ticket, read({ kind: 'create_limit' }).ticket]
  if (close === null || limit === null) throw new Error('There is no action')
  expect(ticketOfItems([])).toBeNull()
  expect(ticketOfItems([close])).toEqual(close)
  const batch = ticketOfItems([close, limit])
  if (batch === null) throw new Error('There is no batch')
  expect(ticketAt(batch, () => '99000')).toEqual({ action: 'batch', items: [{ ...close, referencePrice: '99000' }, limit] })
  expect(ticketAt(batch, () => null)).toEqual(batch)
})
