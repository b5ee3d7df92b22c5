import { absolute, basisPointsToPercent, changePercent, compare } from '../../../shared/decimal.ts'
import type { PreparedOrder } from '../../../shared/ipc/orders.ts'
import type { OpenTicket } from '../../../shared/ipc/tickets.ts'
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

/** What the sheet shows of a prepared order; null where there is nothing to sign. */
export function orderMessage(prepared: PreparedOrder, ticket: OpenTicket): SigningMessage | null {
  const { comparison, intent } = prepared
  if (comparison === null) return null
  const symbol = intent.symbol ?? `market ${ticket.pairId}`
  const title = `Open a ${ticket.side} on ${symbol}`
  return {
    thing: 'order',
    title,
    lead: 'One signature in your wallet. It needs no ETH.',
    summary: `${title}, ${orderWords(ticket, null)}`,
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
 * slippage that a market order allows. Other orders name their own price.
 */
export function priceMoved(ticket: OpenTicket, mark: string | null): string | null {
  if (ticket.orderType !== 'market' || mark === null) return null
  const change = changePercent(ticket.referencePrice, mark, 2)
  if (change === null) return null
  return compare(absolute(change), basisPointsToPercent(ticket.maxSlippageBps)) > 0 ? change : null
}
