import { formatDecimal } from '../../decimal.ts'
import type { ActionTicket, SeenOrder, SeenPosition } from '../../ipc/intents/tickets.ts'
import { priceText, usdc } from '../market-rules.ts'

export const positionWords = ({ symbol, pairId, side }: SeenPosition): string => `the ${side} on ${symbol ?? `market ${pairId}`}`
export const orderName = ({ symbol, pairId, side }: SeenOrder): string => {
  const where = symbol ?? (pairId === null ? null : `market ${pairId}`)
  return `the ${side === null ? '' : `${side} `}order${where === null ? '' : ` on ${where}`}`
}

const part = (size: string | null, of: SeenPosition): string => (size === null ? positionWords(of) : `${formatDecimal(size)} of ${positionWords(of)}`)

/** For lists, for example "Close the long on BTC-PERP at market". */
export function actionTitle(ticket: ActionTicket, priceDecimals: number | null): string {
  const price = (value: string) => priceText(value, { priceDecimals })
  switch (ticket.action) {
    case 'close_position_market':
      return `Close ${part(ticket.size, ticket.position)} at market`
    case 'close_position_limit':
      return `Close ${part(ticket.size, ticket.position)} at limit ${price(ticket.limitPrice)}`
    case 'invert_position':
      return `Invert ${positionWords(ticket.position)} at market`
    case 'update_tpsl':
      return `${exitsTitle(ticket.takeProfit, ticket.stopLoss, price)} of ${positionWords(ticket.position)}`
    case 'add_isolated_margin':
      return `Add ${usdc(ticket.amountUsdc)} of margin to ${positionWords(ticket.position)}`
    case 'reduce_isolated_margin':
      return `Take ${usdc(ticket.amountUsdc)} of margin from ${positionWords(ticket.position)}`
    case 'change_isolated_leverage':
      return `Set ${positionWords(ticket.position)} to ${ticket.leverage}×`
    case 'cancel_order':
      return `Cancel ${orderName(ticket.order)}`
    case 'replace_order':
      return `Change ${orderName(ticket.order)}`
    case 'add_collateral':
      return `Deposit ${formatDecimal(ticket.amount, { minDecimals: 2 })} ${ticket.token}`
    case 'withdraw_collateral':
      return `Withdraw ${formatDecimal(ticket.amount, { minDecimals: 2 })} ${ticket.token}`
  }
}

function exitsTitle(takeProfit: string | null | undefined, stopLoss: string | null | undefined, price: (value: string) => string): string {
  const said = [
    { name: 'take profit', value: takeProfit },
    { name: 'stop loss', value: stopLoss },
  ].flatMap(({ name, value }) => (value === undefined ? [] : [{ name, value }]))
  const words = said.map(({ name, value }) => (value === null ? `clear the ${name}` : `set the ${name} to ${price(value)}`)).join(', ')
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`
}
