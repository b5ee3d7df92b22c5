import { absolute, formatDecimal, signOf } from '../../decimal.ts'
import type { DelegatedTicket } from '../../ipc/intents/tickets.ts'
import { orderName, positionWords } from '../actions/action-title.ts'
import { priceText, usdc } from '../market-rules.ts'
import { ticketTitle } from '../open-payload.ts'

/** For lists, for example "Take 0.1 off the long on BTC-PERP", "Batch of 3 actions". */
export function delegatedTitle(ticket: DelegatedTicket, priceDecimals: number | null): string {
  switch (ticket.action) {
    case 'open_position':
    case 'open_market':
    case 'create_limit':
    case 'create_stop':
      return ticketTitle(ticket.order, priceDecimals)
    case 'increase':
      return `Add ${usdc(ticket.orderValueUsdc)} to ${positionWords(ticket.position)}`
    case 'reduce':
      return `Take ${formatDecimal(ticket.size)} off ${positionWords(ticket.position)}`
    case 'close':
      return `Close ${positionWords(ticket.position)} at market`
    case 'invert':
      return `Invert ${positionWords(ticket.position)} at market`
    case 'cancel':
      return `Cancel ${orderName(ticket.order)}`
    case 'replace':
      return `Change ${orderName(ticket.order)}`
    case 'set_tp':
      return `Set the take profit of ${positionWords(ticket.position)} to ${priceText(ticket.price, { priceDecimals })}`
    case 'set_sl':
      return `Set the stop loss of ${positionWords(ticket.position)} to ${priceText(ticket.price, { priceDecimals })}`
    case 'clear_tp':
      return `Clear the take profit of ${positionWords(ticket.position)}`
    case 'clear_sl':
      return `Clear the stop loss of ${positionWords(ticket.position)}`
    case 'isolated_manage': {
      const { change, position } = ticket
      if ('leverage' in change) return `Set ${positionWords(position)} to ${change.leverage}×`
      const amount = usdc(absolute(change.marginDeltaUsdc))
      return signOf(change.marginDeltaUsdc) < 0
        ? `Take ${amount} of margin from ${positionWords(position)}`
        : `Add ${amount} of margin to ${positionWords(position)}`
    }
    case 'batch':
      return ticket.items.length === 1 ? 'Batch of 1 action' : `Batch of ${ticket.items.length} actions`
  }
}
