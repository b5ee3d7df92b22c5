import { absolute, compare, isZero, signOf } from '../../decimal.ts'
import type { DelegatedItem, DelegatedTicket } from '../../ipc/intents/tickets.ts'
import type { Market } from '../../ipc/reads/markets.ts'
import { checkReplace } from '../actions/replace-ticket.ts'
import { checkTicket } from '../check-ticket.ts'
import { type FieldIssue, Issues } from '../field-issue.ts'
import { amountIssue, exitIssue, leverageIssue, orderValueIssue, priceIssue, sizeIssue, slippageIssue } from '../market-rules.ts'

/** A market and its newest mark; null: no price has come. */
export interface MarketNow {
  readonly market: Market
  readonly mark: string | null
}

/** What is wrong with an action for the executor. In a batch fields begin with the item, for example `items.2.orderValue`. */
export function checkDelegated(ticket: DelegatedTicket, marketNow: (pairId: number) => MarketNow | null): readonly FieldIssue<string>[] {
  if (ticket.action !== 'batch') return checkItem(ticket, marketNow)
  const issues = new Issues<string>()
  for (const [index, item] of ticket.items.entries()) {
    for (const { field, text, untouched } of checkItem(item, marketNow)) issues.report(`items.${index}.${field}`, text, untouched)
    const id = clientOrderIdOf(item)
    // One order id names one order (Idempotency rules 4).
    if (id !== undefined && ticket.items.slice(0, index).some((before) => clientOrderIdOf(before) === id))
      issues.report(`items.${index}.clientOrderId`, `The order id ${id} is used twice.`)
  }
  return issues.list
}

const clientOrderIdOf = (item: DelegatedItem): string | undefined => ('order' in item && 'orderType' in item.order ? item.order.clientOrderId : undefined)

function pairOf(item: DelegatedItem): number | null {
  return 'position' in item ? item.position.pairId : item.order.pairId
}

function checkItem(item: DelegatedItem, marketNow: (pairId: number) => MarketNow | null): readonly FieldIssue<string>[] {
  // Whatever else became of an order or an exit, it can be taken away.
  if (item.action === 'cancel' || item.action === 'clear_tp' || item.action === 'clear_sl') return []
  const issues = new Issues<string>()
  const pairId = pairOf(item)
  const now = pairId === null ? null : marketNow(pairId)
  if (now === null) {
    issues.report('market', 'The market is not one that the exchange lists.')
    return issues.list
  }
  const { market, mark } = now
  if ('maxSlippageBps' in item) {
    issues.take('slippage', slippageIssue(item.maxSlippageBps))
    if (signOf(item.referencePrice) <= 0) issues.report('referencePrice', 'There is no price for this market yet.')
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
      else if (held !== null && compare(item.size, held) > 0) issues.report('part', `The position holds ${held} ${market.base}.`)
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
      const of = { side: item.position.side, entry: mark ?? '0', entryName: 'the price, now' }
      const name = kind === 'takeProfit' ? 'Take profit' : 'Stop loss'
      issues.take('price', mark === null ? priceIssue(name, item.price, market) : exitIssue(kind, item.price, of, market))
      break
    }
    case 'isolated_manage': {
      const { change } = item
      if ('leverage' in change) issues.take('leverage', leverageIssue(change.leverage, market))
      else issues.take('amount', isZero(change.marginDeltaUsdc) ? 'Nothing changes.' : amountIssue('The amount', absolute(change.marginDeltaUsdc)))
      break
    }
  }
  return issues.list
}
