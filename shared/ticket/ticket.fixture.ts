import type { SeenOrder, SeenPosition } from '../ipc/intents/tickets.ts'
import type { Market } from '../ipc/reads/markets.ts'

/** Markets as the service lists them. For tests. */

export const btc: Market = {
  id: 1,
  symbol: 'BTC-PERP',
  base: 'BTC',
  priceDecimals: 1,
  sizeDecimals: 4,
  tickSize: '0.5',
  minOrderUsdc: '10',
  maxOrderUsdc: '1000000',
  maxLeverage: 50,
  status: 'open',
  unknownFields: null,
}

/** Cheap, in many decimals, and without a tick of its own. */
export const pepe: Market = {
  id: 7,
  symbol: 'PEPE-PERP',
  base: 'PEPE',
  priceDecimals: 8,
  sizeDecimals: 0,
  tickSize: null,
  minOrderUsdc: '5',
  maxOrderUsdc: null,
  maxLeverage: 20,
  status: 'open',
  unknownFields: null,
}

export const mark = '96412.5'

export const longBtc: SeenPosition = {
  positionId: 'pos_1',
  pairId: 1,
  symbol: 'BTC-PERP',
  side: 'long',
  size: '0.2593',
  takeProfit: '98500',
  stopLoss: null,
}

export const limitOrder: SeenOrder = {
  orderId: 'ord_1',
  pairId: 1,
  symbol: 'BTC-PERP',
  side: 'long',
  orderValueUsdc: '25000',
  limitPrice: '96000',
  triggerPrice: null,
  takeProfit: '98500',
  stopLoss: null,
}
