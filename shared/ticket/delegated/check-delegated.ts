import { absolute, compare, isZero, negate, signOf } from '../../decimal.ts'
import type { FormIssue } from '../../ipc/form-issue.ts'
import type { ActionTicket, ActionTicketOf, DelegatedItem, DelegatedTicket, OpenTicket } from '../../ipc/intents/tickets.ts'
import type { Market } from '../../ipc/reads/markets.ts'
import { fail, ok, type Result } from '../../result.ts'
import { isOpening } from '../actions/action-payload.ts'
import { checkReplace } from '../actions/replace-ticket.ts'
import { checkTicket } from '../check-ticket.ts'
import { amountIssue, exitIssue, leverageIssue, orderValueIssue, priceIssue, sizeIssue, slippageIssue } from '../market-rules.ts'
import { type FieldIssue, Issues } from '../typed-number.ts'

/**
 * Converts a ticket for the wallet to a ticket for a key's executor. Setting TP and SL together becomes a batch. Fails if `/orders/execute` has no
 * such action.
 */
export function delegate(ticket: OpenTicket | ActionTicket): Result<DelegatedTicket, FormIssue> {
  // `/orders/execute` has four actions that open a position. Use `open_position`, the only one with a documented payload.
  if (isOpening(ticket)) return ok({ action: 'open_position', order: ticket })
  switch (ticket.action) {
    case 'close_position_market': {
      const { position, size, referencePrice, maxSlippageBps } = ticket
      const order = { position, referencePrice, maxSlippageBps }
      return ok(size === null ? { action: 'close', ...order } : { action: 'reduce', ...order, size })
    }
    case 'invert_position': {
      const { position, referencePrice, maxSlippageBps } = ticket
      return ok({ action: 'invert', position, referencePrice, maxSlippageBps })
    }
    case 'update_tpsl':
      return delegateTpSl(ticket)
    case 'add_isolated_margin':
      return ok({ action: 'isolated_manage', position: ticket.position, change: { marginDeltaUsdc: ticket.amountUsdc } })
    case 'reduce_isolated_margin':
      return ok({ action: 'isolated_manage', position: ticket.position, change: { marginDeltaUsdc: negate(ticket.amountUsdc) } })
    case 'change_isolated_leverage':
      return ok({ action: 'isolated_manage', position: ticket.position, change: { leverage: ticket.leverage } })
    case 'cancel_order':
      return ok({ action: 'cancel', order: ticket.order })
    case 'replace_order':
      return ok({ ...ticket, action: 'replace' })
    case 'close_position_limit':
      return fail(['executorNoLimitClose'])
    case 'add_collateral':
    case 'withdraw_collateral':
      return fail(['executorNoCollateral'])
  }
}

function delegateTpSl({ position, takeProfit, stopLoss }: ActionTicketOf<'update_tpsl'>): Result<DelegatedTicket, FormIssue> {
  const items: DelegatedItem[] = []
  if (takeProfit !== undefined) items.push(takeProfit === null ? { action: 'clear_tp', position } : { action: 'set_tp', position, price: takeProfit })
  if (stopLoss !== undefined) items.push(stopLoss === null ? { action: 'clear_sl', position } : { action: 'set_sl', position, price: stopLoss })
  const [first, second] = items
  if (first === undefined) return fail(['nothingChanges'])
  return ok(second === undefined ? first : { action: 'batch', items })
}

/** A market and its newest mark price. The mark price is null if none has arrived. */
export interface MarketNow {
  readonly market: Market
  readonly mark: string | null
}

/** Checks an executor ticket. In a batch, field names begin with the item, for example `items.2.orderValue`. */
export function checkDelegated(ticket: DelegatedTicket, marketNow: (pairId: number) => MarketNow | null): readonly FieldIssue<string>[] {
  if (ticket.action !== 'batch') return checkItem(ticket, marketNow)
  const issues = new Issues<string>()
  for (const [index, item] of ticket.items.entries()) {
    for (const { field, issue, untouched } of checkItem(item, marketNow)) issues.report(`items.${index}.${field}`, issue, untouched)
    const id = clientOrderIdOf(item)
    // A client order id may be used only once (Idempotency rules 4), so two items of a batch must not have the same id.
    if (id !== undefined && ticket.items.slice(0, index).some((before) => clientOrderIdOf(before) === id))
      issues.report(`items.${index}.clientOrderId`, ['orderIdTwice', id])
  }
  return issues.list
}

const clientOrderIdOf = (item: DelegatedItem): string | undefined => ('order' in item && 'orderType' in item.order ? item.order.clientOrderId : undefined)

function pairOf(item: DelegatedItem): number | null {
  return 'position' in item ? item.position.pairId : item.order.pairId
}

function checkItem(item: DelegatedItem, marketNow: (pairId: number) => MarketNow | null): readonly FieldIssue<string>[] {
  // Cancelling an order or removing TP or SL is always allowed.
  if (item.action === 'cancel' || item.action === 'clear_tp' || item.action === 'clear_sl') return []
  const issues = new Issues<string>()
  const pairId = pairOf(item)
  const now = pairId === null ? null : marketNow(pairId)
  if (now === null) {
    issues.report('market', ['marketNotListed'])
    return issues.list
  }
  const { market, mark } = now
  if ('maxSlippageBps' in item) {
    issues.take('slippage', slippageIssue(item.maxSlippageBps))
    if (signOf(item.referencePrice) <= 0) issues.report('referencePrice', ['noPriceYet'])
  }
  switch (item.action) {
    case 'open_position':
    case 'open_market':
    case 'create_limit':
    case 'create_stop':
      return checkTicket(item.order, market)
    case 'increase':
      issues.take('orderValue', orderValueIssue(item.orderValueUsdc, market))
      break
    case 'reduce': {
      const { size: held } = item.position
      const issue = sizeIssue(item.size, market)
      if (issue !== null) issues.report('part', issue)
      else if (held !== null && compare(item.size, held) > 0) issues.report('part', ['positionHolds', held, market.base])
      break
    }
    case 'close':
    case 'invert':
      break
    case 'replace':
      return checkReplace(item, market)
    case 'set_tp':
    case 'set_sl': {
      const kind = item.action === 'set_tp' ? 'takeProfit' : 'stopLoss'
      const of = { side: item.position.side, entry: mark ?? '0', entryOf: 'Now' } as const
      issues.take('price', mark === null ? priceIssue(item.price, market) : exitIssue(kind, item.price, of, market))
      break
    }
    case 'isolated_manage': {
      const { change } = item
      if ('leverage' in change) issues.take('leverage', leverageIssue(change.leverage, market))
      else issues.take('amount', isZero(change.marginDeltaUsdc) ? ['nothingChanges'] : amountIssue(absolute(change.marginDeltaUsdc)))
      break
    }
  }
  return issues.list
}
