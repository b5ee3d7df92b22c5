import type { ActionTicketOf } from '../../ipc/intents/tickets.ts'
import { domainTypes, nowMs, pinnedRouter, type RawTypedData, read, router, wallet } from '../message/typed-data.fixture.ts'
import type { PositionExpectation } from './position-intent.ts'

/** Closes and inversions as the practice exchange prepares them. For tests. */

export const position = {
  positionId: 'pos_1204',
  pairId: 1,
  symbol: 'BTC-PERP',
  side: 'long',
  size: '0.2593',
  takeProfit: '98500',
  stopLoss: null,
} as const

const domain = () => ({ name: 'SvcDEX', version: '1', chainId: 8453, verifyingContract: router })
const deadline = String(nowMs / 1_000 + 300)

export const closePosition = (): RawTypedData => ({
  domain: domain(),
  types: {
    EIP712Domain: domainTypes.map((field) => ({ ...field })),
    ClosePosition: [
      { name: 'trader', type: 'address' },
      { name: 'positionId', type: 'string' },
      { name: 'pairId', type: 'uint256' },
      { name: 'orderType', type: 'string' },
      { name: 'size', type: 'uint256' },
      { name: 'referencePrice', type: 'uint256' },
      { name: 'maxSlippageBps', type: 'uint256' },
      { name: 'limitPrice', type: 'uint256' },
      { name: 'timeInForce', type: 'string' },
      { name: 'postOnly', type: 'bool' },
      { name: 'clientOrderId', type: 'string' },
      { name: 'nonce', type: 'uint256' },
      { name: 'deadline', type: 'uint256' },
    ],
  },
  primaryType: 'ClosePosition',
  message: {
    trader: wallet,
    positionId: 'pos_1204',
    pairId: '1',
    orderType: 'market',
    size: '10000000',
    referencePrice: '9641250000000',
    maxSlippageBps: '50',
    limitPrice: '0',
    timeInForce: 'ioc',
    postOnly: false,
    clientOrderId: 'desk-8f31c2',
    nonce: '1205',
    deadline,
  },
})

export const closeAtLimit = (): RawTypedData => {
  const data = closePosition()
  Object.assign(data.message, { orderType: 'limit', referencePrice: '0', maxSlippageBps: '0', limitPrice: '9700000000000', timeInForce: 'gtc', postOnly: true })
  return data
}

export const invertPosition = (): RawTypedData => ({
  domain: domain(),
  types: {
    EIP712Domain: domainTypes.map((field) => ({ ...field })),
    InvertPosition: [
      { name: 'trader', type: 'address' },
      { name: 'positionId', type: 'string' },
      { name: 'pairId', type: 'uint256' },
      { name: 'referencePrice', type: 'uint256' },
      { name: 'maxSlippageBps', type: 'uint256' },
      { name: 'clientOrderId', type: 'string' },
      { name: 'nonce', type: 'uint256' },
      { name: 'deadline', type: 'uint256' },
    ],
  },
  primaryType: 'InvertPosition',
  message: {
    trader: wallet,
    positionId: 'pos_1204',
    pairId: '1',
    referencePrice: '9641250000000',
    maxSlippageBps: '50',
    clientOrderId: 'desk-8f31c2',
    nonce: '1206',
    deadline,
  },
})

export const closeTicket: ActionTicketOf<'close_position_market'> = {
  action: 'close_position_market',
  position,
  size: '0.1',
  referencePrice: '96412.5',
  maxSlippageBps: 50,
}
export const limitCloseTicket: ActionTicketOf<'close_position_limit'> = {
  action: 'close_position_limit',
  position,
  size: '0.1',
  limitPrice: '97000',
  timeInForce: 'gtc',
  postOnly: true,
}
export const invertTicket: ActionTicketOf<'invert_position'> = { action: 'invert_position', position, referencePrice: '96412.5', maxSlippageBps: 50 }

export const closeLayout = () => ({ hash: read(closePosition()).layoutHash, usdcScale: null, priceScale: 8, leverageScale: null, sizeScale: 8, format: null })
export const invertLayout = () => ({
  hash: read(invertPosition()).layoutHash,
  usdcScale: null,
  priceScale: 8,
  leverageScale: null,
  sizeScale: null,
  format: null,
})

export const positionExpectation = <Ticket>(ticket: Ticket, change: Partial<PositionExpectation<Ticket>> = {}): PositionExpectation<Ticket> => ({
  ticket,
  clientOrderId: 'desk-8f31c2',
  priceDecimals: 1,
  sizeDecimals: 4,
  base: 'BTC',
  wallet,
  router: pinnedRouter,
  pins: [closeLayout(), invertLayout()],
  nowMs,
  ...change,
})
