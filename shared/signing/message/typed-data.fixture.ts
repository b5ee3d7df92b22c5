import type { MarketTicket } from '../../ipc/intents/tickets.ts'
import { askedOrder } from '../asked-order.ts'
import type { GrantExpectation } from '../grant/grant.ts'
import type { IntentExpectation } from '../intent.ts'
import { parseTypedData, type TypedData } from './typed-data.ts'

/** Messages as the practice exchange prepares them. For tests. */

export const wallet = '0x7A3fB2c45D81e0926fC3aD4E17b9805f2E6Dc91E'
export const otherWallet = '0x1111111111111111111111111111111111111111'
export const router = '0x4B1c000000000000000000000000000000c082Fb'
export const pinnedRouter = { by: 'pin', address: router } as const
export const agent = '0x5Ce2000000000000000000000000000000c090d1'
export const nowMs = Date.UTC(2026, 10, 18, 14, 32, 8)

export const domainTypes = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
]

export interface RawTypedData {
  domain: Record<string, unknown>
  types: Record<string, { name: string; type: string }[]>
  primaryType: string
  message: Record<string, unknown>
}

const domain = () => ({ name: 'SvcDEX', version: '1', chainId: 8453, verifyingContract: router })

export const openPosition = (): RawTypedData => ({
  domain: domain(),
  types: {
    EIP712Domain: domainTypes.map((field) => ({ ...field })),
    OpenPosition: [
      { name: 'trader', type: 'address' },
      { name: 'pairId', type: 'uint256' },
      { name: 'side', type: 'string' },
      { name: 'orderType', type: 'string' },
      { name: 'marginMode', type: 'string' },
      { name: 'leverage', type: 'uint256' },
      { name: 'orderValue', type: 'uint256' },
      { name: 'referencePrice', type: 'uint256' },
      { name: 'maxSlippageBps', type: 'uint256' },
      { name: 'limitPrice', type: 'uint256' },
      { name: 'triggerPrice', type: 'uint256' },
      { name: 'timeInForce', type: 'string' },
      { name: 'restIfUnfilled', type: 'bool' },
      { name: 'postOnly', type: 'bool' },
      { name: 'takeProfit', type: 'uint256' },
      { name: 'stopLoss', type: 'uint256' },
      { name: 'clientOrderId', type: 'string' },
      { name: 'nonce', type: 'uint256' },
      { name: 'deadline', type: 'uint256' },
    ],
  },
  primaryType: 'OpenPosition',
  message: {
    trader: wallet,
    pairId: '1',
    side: 'long',
    orderType: 'market',
    marginMode: 'cross',
    leverage: '10',
    orderValue: '25000000000',
    referencePrice: '9641250000000',
    maxSlippageBps: '50',
    limitPrice: '0',
    triggerPrice: '0',
    timeInForce: 'ioc',
    restIfUnfilled: false,
    postOnly: false,
    takeProfit: '9850000000000',
    stopLoss: '9430000000000',
    clientOrderId: 'desk-8f31c2',
    nonce: '1204',
    deadline: String(nowMs / 1_000 + 300),
  },
})

export const agentGrant = (): RawTypedData => ({
  domain: domain(),
  types: {
    EIP712Domain: domainTypes.map((field) => ({ ...field })),
    AgentGrant: [
      { name: 'wallet', type: 'address' },
      { name: 'agent', type: 'address' },
      { name: 'permissions', type: 'string' },
      { name: 'nonce', type: 'uint256' },
      { name: 'expiresAt', type: 'uint256' },
    ],
  },
  primaryType: 'AgentGrant',
  message: { wallet, agent, permissions: 'trade', nonce: '7', expiresAt: String(nowMs / 1_000 + 90 * 86_400) },
})

export const ticket: MarketTicket = {
  pairId: 1,
  side: 'long',
  orderType: 'market',
  marginMode: 'cross',
  leverage: 10,
  orderValueUsdc: '25000',
  referencePrice: '96412.5',
  maxSlippageBps: 50,
  restIfUnfilled: false,
  takeProfit: '98500',
  stopLoss: '94300',
}

export function read(source: unknown): TypedData {
  const result = parseTypedData(source)
  if (!result.ok) throw new Error(result.failure.sentence)
  return result.value
}

export const knownOrderLayout = () => ({ hash: read(openPosition()).layoutHash, usdcScale: 6, priceScale: 8, leverageScale: 0, sizeScale: null, format: null })

export const intentExpectation = (change: Partial<IntentExpectation> = {}): IntentExpectation => ({
  order: askedOrder(ticket, 'BTC-PERP', 'desk-8f31c2'),
  priceDecimals: 1,
  wallet,
  router: pinnedRouter,
  pins: [knownOrderLayout()],
  nowMs,
  ...change,
})

export const knownGrantLayout = () => ({
  hash: read(agentGrant()).layoutHash,
  usdcScale: null,
  priceScale: null,
  leverageScale: null,
  sizeScale: null,
  format: null,
})

export const grantExpectation = (change: Partial<GrantExpectation> = {}): GrantExpectation => ({
  wallet,
  agent,
  router: pinnedRouter,
  scopes: ['market:read', 'account:read', 'trade:prepare', 'trade:execute', 'orders:manage'],
  keyExpiresInDays: 90,
  pins: [knownGrantLayout()],
  nowMs,
  ...change,
})

export type Alteration = (data: RawTypedData) => void

/** Changes values of the message. */
export const says =
  (values: Record<string, unknown>): Alteration =>
  (data) => {
    Object.assign(data.message, values)
  }

/** Changes values of the domain. */
export const inDomain =
  (values: Record<string, unknown>): Alteration =>
  (data) => {
    Object.assign(data.domain, values)
  }
