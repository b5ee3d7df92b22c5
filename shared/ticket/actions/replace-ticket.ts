import { equals } from '../../decimal.ts'
import type { FormIssue } from '../../ipc/form-issue.ts'
import type { ActionTicketOf, OrderTicket, SeenOrder } from '../../ipc/intents/tickets.ts'
import type { Market } from '../../ipc/reads/markets.ts'
import { exitIssue, orderValueIssue, priceIssue } from '../market-rules.ts'
import { type FieldIssue, type FormReading, Issues, isBlank, numberIssue, typedDecimal } from '../typed-number.ts'

/** The form for changing a waiting order, as the user filled it in. A field may be empty if the order has no such price. */
export interface ReplaceState {
  readonly orderValue: string
  readonly limitPrice: string
  readonly triggerPrice: string
  readonly takeProfit: string
  readonly stopLoss: string
}

export const replacementOf = ({ orderValueUsdc, limitPrice, triggerPrice, takeProfit, stopLoss }: SeenOrder): ReplaceState => ({
  orderValue: orderValueUsdc ?? '',
  limitPrice: limitPrice ?? '',
  triggerPrice: triggerPrice ?? '',
  takeProfit: takeProfit ?? '',
  stopLoss: stopLoss ?? '',
})

export type ReplaceField = keyof ReplaceState | 'form'
export type ReplaceTicket = ActionTicketOf<'replace_order'>

const seenAs = {
  orderValue: 'orderValueUsdc',
  limitPrice: 'limitPrice',
  triggerPrice: 'triggerPrice',
  takeProfit: 'takeProfit',
  stopLoss: 'stopLoss',
} as const

const toType = (field: keyof ReplaceState): FormIssue => (field === 'orderValue' ? ['typeAmount', 'USDC'] : ['typePrice'])

export function readReplace(state: ReplaceState, order: SeenOrder, market: Market): FormReading<ReplaceField, ReplaceTicket> {
  const issues = new Issues<ReplaceField>()
  /** Returns the new value of a field. undefined: unchanged or invalid. null: the user emptied the field. */
  const change = (field: keyof ReplaceState): string | null | undefined => {
    const before = order[seenAs[field]]
    if (isBlank(state[field])) return before === null ? undefined : null
    const typed = typedDecimal(state[field])
    if (typed === null) {
      issues.report(field, numberIssue(state[field], toType(field)))
      return undefined
    }
    return before !== null && equals(typed, before) ? undefined : typed
  }
  const kept = (field: 'orderValue' | 'limitPrice' | 'triggerPrice'): string | undefined => {
    const changed = change(field)
    if (changed !== null) return changed
    issues.report(field, toType(field), true)
    return undefined
  }
  const [orderValueUsdc, limitPrice, triggerPrice] = [kept('orderValue'), kept('limitPrice'), kept('triggerPrice')]
  const [takeProfit, stopLoss] = [change('takeProfit'), change('stopLoss')]
  const ticket: ReplaceTicket = {
    action: 'replace_order',
    order,
    ...(orderValueUsdc === undefined ? {} : { orderValueUsdc }),
    ...(limitPrice === undefined ? {} : { limitPrice }),
    ...(triggerPrice === undefined ? {} : { triggerPrice }),
    ...(takeProfit === undefined ? {} : { takeProfit }),
    ...(stopLoss === undefined ? {} : { stopLoss }),
  }
  if (issues.list.length === 0) issues.list.push(...checkReplace(ticket, market))
  return issues.reading(ticket)
}

type Replacement = Pick<ReplaceTicket, 'order' | 'orderValueUsdc' | 'limitPrice' | 'triggerPrice' | 'takeProfit' | 'stopLoss'>

/** Checks the changed values by the rules of a new order. Also checks that TP and SL are on the correct side of the order's new price. */
export function checkReplace(ticket: Replacement, market: Market): readonly FieldIssue<ReplaceField>[] {
  const issues = new Issues<ReplaceField>()
  const { order, orderValueUsdc, limitPrice, triggerPrice } = ticket
  const changes = [orderValueUsdc, limitPrice, triggerPrice, ticket.takeProfit, ticket.stopLoss]
  if (changes.every((change) => change === undefined)) issues.report('form', ['nothingChanges'], true)
  if (orderValueUsdc !== undefined) issues.take('orderValue', orderValueIssue(orderValueUsdc, market))
  if (limitPrice !== undefined) issues.take('limitPrice', priceIssue(limitPrice, market))
  if (triggerPrice !== undefined) issues.take('triggerPrice', priceIssue(triggerPrice, market))
  if (order.limitPrice === null && order.triggerPrice !== null && limitPrice !== undefined) issues.report('limitPrice', ['stopHasNoLimit'])
  if (order.triggerPrice === null && order.limitPrice !== null && triggerPrice !== undefined) issues.report('triggerPrice', ['limitHasNoTrigger'])
  const entry = limitPrice ?? order.limitPrice ?? triggerPrice ?? order.triggerPrice
  const moved = limitPrice !== undefined || triggerPrice !== undefined
  for (const kind of ['takeProfit', 'stopLoss'] as const) {
    // If the order's price changes, an unchanged TP or SL must be on the right side of the new price.
    const price = ticket[kind] === undefined && moved ? order[kind] : ticket[kind]
    if (price == null) continue
    issues.take(
      kind,
      order.side === null || entry === null ? priceIssue(price, market) : exitIssue(kind, price, { side: order.side, entry, entryOf: 'Order' }, market),
    )
  }
  return issues.list
}

/**
 * Returns the ticket for another attempt at an order. A market order gets the new `referencePrice`; other orders keep their prices. The client order
 * id is dropped, because it belongs to the earlier order forever (Idempotency rules 4).
 */
export function repriced<Ticket extends OrderTicket>(ticket: Ticket, referencePrice: string): Ticket {
  const priced = 'referencePrice' in ticket ? { ...ticket, referencePrice } : { ...ticket }
  if ('clientOrderId' in priced) delete priced.clientOrderId
  return priced
}
