import { basisPointsToPercent } from '../../decimal.ts'
import type { OpenTicket } from '../../ipc/intents/tickets.ts'
import type { Market } from '../../ipc/reads/markets.ts'
import { payloadWithoutId } from '../open-payload.ts'
import { slippageBps, typedDecimal, typedWhole } from '../typed-number.ts'
import { readTicket } from './read-ticket.ts'
import type { TicketState } from './ticket-state.ts'

/**
 * The payload that the form comes to, as it would be sent, but for the id that is made with each order. What the form does not
 * say yet stands empty, to be filled in.
 */
export function payloadText(state: TicketState, market: Market, mark: string | null, freeMargin: string | null): string {
  const { ticket } = readTicket(state, market, mark, freeMargin)
  return JSON.stringify(ticket === null ? unfinished(state, market, mark) : withOwnId(ticket), null, 2)
}

const withOwnId = (ticket: OpenTicket): object => ({
  ...payloadWithoutId(ticket),
  ...(ticket.clientOrderId === undefined ? {} : { client_order_id: ticket.clientOrderId }),
})

function unfinished(state: TicketState, market: Market, mark: string | null): object {
  const { orderType, timeInForce, postOnly, restIfUnfilled } = state
  return {
    pair_id: market.id,
    side: state.side,
    order_type: orderType,
    margin_mode: state.marginMode,
    leverage: typedWhole(state.leverage) ?? 1,
    order_value_usdc: (state.valueIn === 'usdc' ? typedDecimal(state.orderValue) : null) ?? '',
    ...(orderType === 'market'
      ? { reference_price: mark ?? '', max_slippage_bps: slippageBps(state.slippagePercent) ?? 50, rest_if_unfilled: restIfUnfilled }
      : orderType === 'limit'
        ? { limit_price: typedDecimal(state.limitPrice) ?? '', time_in_force: timeInForce, post_only: postOnly }
        : { trigger_price: typedDecimal(state.triggerPrice) ?? '', time_in_force: timeInForce }),
  }
}

/** The form that a ticket would have come from: sizes in USDC, exits by price. What the ticket does not say stays as it was. */
export function stateOfTicket(ticket: OpenTicket, before: TicketState): TicketState {
  const common = {
    ...before,
    side: ticket.side,
    orderType: ticket.orderType,
    marginMode: ticket.marginMode,
    leverage: String(ticket.leverage),
    orderValue: ticket.orderValueUsdc,
    valueIn: 'usdc' as const,
    exits: ticket.takeProfit !== null || ticket.stopLoss !== null,
    takeProfit: ticket.takeProfit ?? '',
    takeProfitBy: 'price' as const,
    stopLoss: ticket.stopLoss ?? '',
    stopLossBy: 'price' as const,
    clientOrderId: ticket.clientOrderId ?? '',
  }
  switch (ticket.orderType) {
    case 'market':
      return { ...common, slippagePercent: basisPointsToPercent(ticket.maxSlippageBps), restIfUnfilled: ticket.restIfUnfilled }
    case 'limit':
      return { ...common, limitPrice: ticket.limitPrice, timeInForce: ticket.timeInForce, postOnly: ticket.postOnly }
    case 'stop':
      return { ...common, triggerPrice: ticket.triggerPrice, timeInForce: ticket.timeInForce }
  }
}
