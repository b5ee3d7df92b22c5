import { divide, formatDecimal } from '../../../../shared/decimal.ts'
import type { FormIssue } from '../../../../shared/ipc/form-issue.ts'
import type { DelegatedItem, DelegatedTicket, Side } from '../../../../shared/ipc/intents/tickets.ts'
import type { OpenOrder, Position } from '../../../../shared/ipc/reads/account.ts'
import type { Market } from '../../../../shared/ipc/reads/markets.ts'
import { checkDelegated, type MarketNow } from '../../../../shared/ticket/delegated/check-delegated.ts'
import { seenOrder, seenPosition } from '../../../../shared/ticket/form/ticket-state.ts'
import { type FormReading, Issues, isBlank, numberIssue, slippageBps, typedDecimal, typedWhole } from '../../../../shared/ticket/typed-number.ts'
import { kitText } from '../../../text/en/kit.en.tsx'
import { tradeText } from '../../../text/en/trade.en.tsx'

/** The kinds of batch actions in the form. `margin` and `leverage` are both sent as `isolated_manage`. */
export type BatchKind = Exclude<DelegatedItem['action'], 'open_position' | 'isolated_manage'> | 'margin' | 'leverage'

export const batchKinds = {
  open_market: { label: tradeText.marketOrder, of: 'market', fields: ['side', 'orderValue', 'leverage', 'slippage'] },
  create_limit: { label: tradeText.limitOrder, of: 'market', fields: ['side', 'orderValue', 'leverage', 'price'] },
  create_stop: { label: tradeText.stopOrder, of: 'market', fields: ['side', 'orderValue', 'leverage', 'price'] },
  increase: { label: tradeText.increasePosition, of: 'position', fields: ['orderValue', 'slippage'] },
  reduce: { label: tradeText.reducePosition, of: 'position', fields: ['size', 'slippage'] },
  close: { label: tradeText.closePosition, of: 'position', fields: ['slippage'] },
  invert: { label: tradeText.invertPosition, of: 'position', fields: ['slippage'] },
  set_tp: { label: tradeText.setTakeProfit, of: 'position', fields: ['price'] },
  clear_tp: { label: tradeText.clearTakeProfit, of: 'position', fields: [] },
  set_sl: { label: tradeText.setStopLoss, of: 'position', fields: ['price'] },
  clear_sl: { label: tradeText.clearStopLoss, of: 'position', fields: [] },
  margin: { label: tradeText.addOrRemoveMargin, of: 'position', fields: ['direction', 'amount'] },
  leverage: { label: tradeText.changeLeverage, of: 'position', fields: ['leverage'] },
  cancel: { label: tradeText.cancelOrder, of: 'order', fields: [] },
  replace: { label: tradeText.changeOrder, of: 'order', fields: ['price'] },
} as const satisfies Record<BatchKind, { readonly label: string; readonly of: 'market' | 'position' | 'order'; readonly fields: readonly BatchField[] }>

export type BatchField = 'side' | 'orderValue' | 'leverage' | 'slippage' | 'price' | 'size' | 'direction' | 'amount'

export interface BatchForm {
  readonly kind: BatchKind
  readonly pairId: number
  readonly positionId: string | null
  readonly orderId: string | null
  readonly side: Side
  readonly marginMode: 'cross' | 'isolated'
  readonly direction: 'add' | 'take'
  readonly orderValue: string
  readonly leverage: string
  readonly slippage: string
  readonly price: string
  readonly size: string
  readonly amount: string
}

export const initialBatchForm = (pairId: number): BatchForm => ({
  ...{ kind: 'open_market', pairId, positionId: null, orderId: null, side: 'long', marginMode: 'cross', direction: 'add' },
  ...{ orderValue: '', leverage: '5', slippage: '0.5', price: '', size: '', amount: '' },
})

export interface BatchFacts {
  readonly positions: readonly Position[]
  readonly orders: readonly OpenOrder[]
  readonly marketNow: (pairId: number) => MarketNow | null
}

type Field = BatchField | 'about'

/** Validates the batch form. Returns the action to add, or the problems by field. */
export function readBatchForm(form: BatchForm, { positions, orders, marketNow }: BatchFacts): FormReading<Field, DelegatedItem> {
  const issues = new Issues<Field>()
  const { kind } = form
  const wants = (field: BatchField): boolean => batchKinds[kind].fields.some((one) => one === field)
  const number = (field: 'orderValue' | 'price' | 'size' | 'amount', missing: FormIssue): string => {
    const typed = typedDecimal(form[field])
    if (typed === null && wants(field)) issues.report(field, numberIssue(form[field], missing), isBlank(form[field]))
    return typed ?? '0'
  }
  const orderValueUsdc = number('orderValue', ['typeAmount', 'USDC'])
  const price = number('price', ['typePrice'])
  const size = number('size', ['typeSize'])
  const amount = number('amount', ['typeAmount', 'USDC'])
  const leverage = typedWhole(form.leverage)
  if (leverage === null && wants('leverage')) issues.report('leverage', ['leverageNotWhole'], isBlank(form.leverage))
  const maxSlippageBps = slippageBps(form.slippage)
  if (maxSlippageBps === null && wants('slippage')) issues.report('slippage', numberIssue(form.slippage, ['slippageSteps']))

  const position = positions.find(({ id }) => id !== null && id === form.positionId)
  const seen = position === undefined ? null : seenPosition(position)
  const row = orders.find(({ id }) => id === form.orderId)
  const order = row === undefined ? null : seenOrder(row)
  if (batchKinds[kind].of === 'position' && seen === null) issues.report('about', ['choosePosition'], true)
  if (batchKinds[kind].of === 'order' && order === null) issues.report('about', ['chooseOrder'], true)
  if (issues.list.length > 0) return issues.reading<DelegatedItem>(null)

  const pairId = batchKinds[kind].of === 'market' ? form.pairId : (seen?.pairId ?? order?.pairId ?? form.pairId)
  const atMarket = { referencePrice: marketNow(pairId)?.mark ?? '0', maxSlippageBps: maxSlippageBps ?? 0 }
  const opening = {
    ...{ pairId: form.pairId, side: form.side, marginMode: form.marginMode, leverage: leverage ?? 1, orderValueUsdc },
    ...{ takeProfit: null, stopLoss: null },
  }
  const item = itemOf()
  if (item !== null) for (const { field, issue, untouched } of checkDelegated(item, marketNow)) issues.report(fieldNames[field] ?? 'about', issue, untouched)
  return issues.reading(item)

  function itemOf(): DelegatedItem | null {
    if (kind === 'open_market') return { action: kind, order: { ...opening, ...atMarket, orderType: 'market', restIfUnfilled: false } }
    if (kind === 'create_limit') return { action: kind, order: { ...opening, orderType: 'limit', limitPrice: price, timeInForce: 'gtc', postOnly: false } }
    if (kind === 'create_stop') return { action: kind, order: { ...opening, orderType: 'stop', triggerPrice: price, timeInForce: 'gtc' } }
    if (kind === 'cancel' || kind === 'replace') {
      if (order === null) return null
      if (kind === 'cancel') return { action: kind, order }
      return { action: kind, order, ...(order.limitPrice === null && order.triggerPrice !== null ? { triggerPrice: price } : { limitPrice: price }) }
    }
    if (seen === null) return null
    switch (kind) {
      case 'increase':
        return { action: kind, position: seen, orderValueUsdc, ...atMarket }
      case 'reduce':
        return { action: kind, position: seen, size, ...atMarket }
      case 'close':
      case 'invert':
        return { action: kind, position: seen, ...atMarket }
      case 'set_tp':
      case 'set_sl':
        return { action: kind, position: seen, price }
      case 'clear_tp':
      case 'clear_sl':
        return { action: kind, position: seen }
      case 'margin':
        return { action: 'isolated_manage', position: seen, change: { marginDeltaUsdc: form.direction === 'take' ? `-${amount}` : amount } }
      case 'leverage':
        return { action: 'isolated_manage', position: seen, change: { leverage: leverage ?? 1 } }
    }
  }
}

const fieldNames: Readonly<Record<string, Field>> = {
  ...{ orderValue: 'orderValue', leverage: 'leverage', slippage: 'slippage', amount: 'amount' },
  ...{ price: 'price', limitPrice: 'price', triggerPrice: 'price', form: 'price', part: 'size' },
}

/** Makes the ticket to send: a single action alone, several as a batch. `null` without actions. */
export function ticketOfItems(items: readonly DelegatedItem[]): DelegatedTicket | null {
  const [first, second] = items
  if (first === undefined) return null
  return second === undefined ? first : { action: 'batch', items: [...items] }
}

/** Returns the action with the current price if it is a market order; otherwise unchanged. */
export function itemAt(item: DelegatedItem, markOf: (pairId: number) => string | null): DelegatedItem {
  if ('referencePrice' in item) return { ...item, referencePrice: markOf(item.position.pairId) ?? item.referencePrice }
  if (item.action === 'open_market') return { ...item, order: { ...item.order, referencePrice: markOf(item.order.pairId) ?? item.order.referencePrice } }
  if (item.action === 'open_position' && item.order.orderType === 'market')
    return { ...item, order: { ...item.order, referencePrice: markOf(item.order.pairId) ?? item.order.referencePrice } }
  return item
}

/** Returns the ticket with the current price in each of its market orders. */
export const ticketAt = (ticket: DelegatedTicket, markOf: (pairId: number) => string | null): DelegatedTicket =>
  ticket.action === 'batch' ? { ...ticket, items: ticket.items.map((item) => itemAt(item, markOf)) } : itemAt(ticket, markOf)

/** The market of an action; `null` if its order does not name one. */
export const pairOfItem = (item: DelegatedItem): number | null => ('position' in item ? item.position.pairId : item.order.pairId)

/** The details shown beside an action's title: price and leverage. */
export function itemDetail(item: DelegatedItem, market: Market | undefined): string {
  const symbol = market?.symbol ?? ('position' in item ? item.position.symbol : 'symbol' in item.order ? item.order.symbol : null)
  const slippage = 'maxSlippageBps' in item ? item.maxSlippageBps : 'order' in item && 'maxSlippageBps' in item.order ? item.order.maxSlippageBps : null
  const leverage = 'order' in item && 'leverage' in item.order ? `${item.order.leverage}× ${item.order.marginMode}` : null
  const parts = [symbol, leverage, slippage === null ? null : tradeText.maxSlippageOf(formatDecimal(divide(String(slippage), '100', 2, 'down')))]
  return kitText.listed(parts.filter((part) => part !== null))
}
