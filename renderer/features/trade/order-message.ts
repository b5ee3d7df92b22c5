import { absolute, basisPointsToPercent, changePercent, compare } from '../../../shared/decimal.ts'
import type { PreparedOrder } from '../../../shared/ipc/orders.ts'
import type { OrderTicket } from '../../../shared/ipc/tickets.ts'
import { isOpening } from '../../../shared/ticket/actions/action-payload.ts'
import { titleOf } from '../../../shared/ticket/actions/check-action.ts'
import { orderWords } from '../../../shared/ticket/open-payload.ts'
import type { SigningFact, SigningMessage } from '../../ui/signing/signing-message.ts'
import { cents } from './ticket-model.ts'

/** Costs first, then what the simulation says about the end of the position. */
function facts(prepared: PreparedOrder): SigningFact[] {
  const costs = prepared.costs.map((cost) => ({
    label: cost.label,
    value: cost.amount === null ? '—' : cents(cost.amount),
    unit: cost.amount === null ? null : cost.unit,
  }))
  const from = prepared.costs.length === 0 ? [] : [{ label: 'Taken from', value: 'Exchange collateral', unit: null }]
  const end = prepared.simulation
    .filter((row) => /liquidation/i.test(row.label))
    .slice(0, 1)
    .map((row) => ({ label: row.label, value: row.value, unit: null }))
  return [...costs, ...from, ...end]
}

function wordsOf(ticket: OrderTicket, symbol: string | null): { readonly title: string; readonly summary: string } {
  if (!isOpening(ticket)) {
    const title = titleOf(ticket, null)
    return { title, summary: title }
  }
  const title = `Open a ${ticket.side} on ${symbol ?? `market ${ticket.pairId}`}`
  return { title, summary: `${title}, ${orderWords(ticket, null)}` }
}

/** What the sheet shows of a prepared order; null where there is nothing to sign. */
export function orderMessage(prepared: PreparedOrder, ticket: OrderTicket): SigningMessage | null {
  const { comparison, intent } = prepared
  if (comparison === null) return null
  const { title, summary } = wordsOf(ticket, intent.symbol)
  return {
    thing: 'order',
    title,
    lead: 'One signature in your wallet. It needs no ETH.',
    summary,
    comparison,
    facts: facts(prepared),
    router: prepared.router,
    moved: null,
    preparedAtMs: prepared.preparedAtMs,
    deadlineMs: prepared.deadlineMs,
    requestId: prepared.requestId,
    intentId: intent.intentId,
    unknownFields: prepared.unknownFields,
    transaction: null,
  }
}

/**
 * How far the mark went from the price that was reviewed, in percent with its sign; null while it stays within the
 * slippage that was allowed. What does not go at market names its own price.
 */
export function priceMoved(ticket: OrderTicket, mark: string | null): string | null {
  if (!('referencePrice' in ticket) || mark === null) return null
  const change = changePercent(ticket.referencePrice, mark, 2)
  if (change === null) return null
  return compare(absolute(change), basisPointsToPercent(ticket.maxSlippageBps)) > 0 ? change : null
}
