import { pad, stringToHex } from 'viem'
import { domainTypes, nowMs, type RawTypedData, router, wallet } from './typed-data.fixture.ts'

/** The same order and the same close in the manners of several services. Written by hand from EIP-712 alone; none of them is the practice exchange's. For tests. */

export interface Terms {
  readonly wallet: string
  readonly marketId: number
  readonly side: 'long' | 'short'
  readonly orderType: string
  /** USDC, base units and prices as decimal text. */
  readonly value: string
  readonly price: string
  readonly size: string
  readonly leverage: number
  readonly slippageBps: number
  readonly id: string
  readonly clientId: string
  readonly nonce: string
  readonly deadline: number
}

export const openTerms: Terms = {
  wallet,
  marketId: 7,
  side: 'long',
  orderType: 'market',
  value: '25000',
  price: '96412.5',
  size: '0.25930247',
  leverage: 10,
  slippageBps: 50,
  id: '90003',
  clientId: 'desk-8f31c2',
  nonce: '1204',
  deadline: nowMs / 1_000 + 240,
}
export const closeTerms: Terms = { ...openTerms, size: '0.2593', value: '24999.76125', nonce: '1207' }

type Field = readonly [type: string, name: string, value: unknown]
export interface Layout {
  readonly name: string
  /** Decimals of USDC, prices and sizes. */
  readonly scales: { readonly usdc: number; readonly price: number; readonly size: number }
  readonly open: (terms: Terms) => RawTypedData
  readonly close: (terms: Terms) => RawTypedData
}

const units = (value: string, scale: number): string => {
  const [whole = '0', fraction = ''] = value.split('.')
  return BigInt(`${whole}${fraction.padEnd(scale, '0').slice(0, scale)}`).toString()
}

function message(primaryType: string, fields: readonly Field[], groups: Readonly<Record<string, readonly Field[]>> = {}): RawTypedData {
  const group = (name: string) => `${name.charAt(0).toUpperCase()}${name.slice(1)}`
  const own = Object.keys(groups).map((name) => ({ name, type: group(name) }))
  const typesOf = (list: readonly Field[]) => list.map(([type, name]) => ({ name, type }))
  const valuesOf = (list: readonly Field[]) => Object.fromEntries(list.map(([, name, value]) => [name, value]))
  return {
    domain: { name: 'SvcDEX', version: '1', chainId: 8453, verifyingContract: router },
    types: {
      EIP712Domain: domainTypes.map((field) => ({ ...field })),
      [primaryType]: [...typesOf(fields), ...own],
      ...Object.fromEntries(Object.entries(groups).map(([name, list]) => [group(name), typesOf(list)])),
    },
    primaryType,
    message: { ...valuesOf(fields), ...Object.fromEntries(Object.entries(groups).map(([name, list]) => [name, valuesOf(list)])) },
  }
}

const bytes32 = (text: string): string => pad(stringToHex(text), { dir: 'right', size: 32 })
const sideNumber = (side: Terms['side']): number => (side === 'long' ? 1 : 2)

export const layouts: readonly Layout[] = [
  {
    name: 'flat, usual names, integer ids',
    scales: { usdc: 6, price: 8, size: 8 },
    open: (t) =>
      message('Open', [
        ['address', 'account', t.wallet],
        ['uint32', 'marketId', t.marketId],
        ['bool', 'isLong', t.side === 'long'],
        ['string', 'orderType', t.orderType],
        ['uint256', 'notional', units(t.value, 6)],
        ['uint256', 'markPrice', units(t.price, 8)],
        ['uint16', 'slippageBps', t.slippageBps],
        ['uint8', 'leverage', t.leverage],
        ['uint256', 'nonce', t.nonce],
        ['uint64', 'expiry', t.deadline],
      ]),
    close: (t) =>
      message('Close', [
        ['address', 'account', t.wallet],
        ['uint256', 'positionId', t.id],
        ['bool', 'isLong', t.side === 'long'],
        ['uint256', 'size', units(t.size, 8)],
        ['uint256', 'markPrice', units(t.price, 8)],
        ['uint16', 'slippageBps', t.slippageBps],
        ['uint256', 'nonce', t.nonce],
        ['uint64', 'expiry', t.deadline],
      ]),
  },
  {
    name: 'nested, 18 decimals',
    scales: { usdc: 18, price: 18, size: 18 },
    open: (t) =>
      message(
        'Envelope',
        [
          ['address', 'owner', t.wallet],
          ['bytes32', 'salt', `0x${'5c'.repeat(32)}`],
          ['uint256', 'deadline', t.deadline],
        ],
        {
          order: [
            ['uint256', 'market', t.marketId],
            ['string', 'side', t.side.toUpperCase()],
            ['string', 'type', t.orderType.toUpperCase()],
            ['uint256', 'value', units(t.value, 18)],
            ['uint256', 'referencePrice', units(t.price, 18)],
            ['uint256', 'maxSlippageBps', t.slippageBps],
            ['uint256', 'leverage', t.leverage],
          ],
        },
      ),
    close: (t) =>
      message(
        'Envelope',
        [
          ['address', 'owner', t.wallet],
          ['bytes32', 'salt', `0x${'5d'.repeat(32)}`],
          ['uint256', 'deadline', t.deadline],
        ],
        {
          close: [
            ['uint256', 'positionId', t.id],
            ['string', 'side', t.side.toUpperCase()],
            ['uint256', 'closeSize', units(t.size, 18)],
            ['uint256', 'notional', units(t.value, 18)],
            ['uint256', 'referencePrice', units(t.price, 18)],
            ['uint256', 'maxSlippageBps', t.slippageBps],
          ],
        },
      ),
  },
  {
    name: 'names nobody knows',
    scales: { usdc: 6, price: 10, size: 8 },
    open: (t) =>
      message('T', [
        ['address', 'trader', t.wallet],
        ['uint32', 'pair', t.marketId],
        ['bool', 'buy', t.side === 'long'],
        ['uint256', 'alpha', units(t.value, 6)],
        ['uint256', 'beta', units(t.price, 10)],
        ['uint16', 'slippage_bps', t.slippageBps],
        ['uint8', 'leverage', t.leverage],
        ['string', 'gamma', t.clientId],
        ['uint256', 'nonce', t.nonce],
        ['uint64', 'deadline', t.deadline],
      ]),
    close: (t) =>
      message('C', [
        ['address', 'trader', t.wallet],
        ['uint256', 'delta', t.id],
        ['uint32', 'pair', t.marketId],
        ['bool', 'long', t.side === 'long'],
        ['uint256', 'epsilon', units(t.size, 8)],
        ['uint256', 'beta', units(t.price, 10)],
        ['uint16', 'slippage_bps', t.slippageBps],
        ['uint256', 'nonce', t.nonce],
        ['uint64', 'deadline', t.deadline],
      ]),
  },
  {
    name: 'amounts as text',
    scales: { usdc: 0, price: 0, size: 0 },
    open: (t) =>
      message('TextOrder', [
        ['address', 'user', t.wallet],
        ['string', 'market', String(t.marketId)],
        ['string', 'direction', t.side === 'long' ? 'buy' : 'sell'],
        ['string', 'orderValue', t.value],
        ['string', 'refPrice', t.price],
        ['uint256', 'maxSlippageBps', t.slippageBps],
        ['uint256', 'leverage', t.leverage],
        ['uint256', 'nonce', t.nonce],
        ['uint256', 'deadline', t.deadline],
      ]),
    close: (t) =>
      message('TextClose', [
        ['address', 'user', t.wallet],
        ['string', 'position', t.id],
        ['string', 'direction', t.side],
        ['string', 'quantity', t.size],
        ['string', 'refPrice', t.price],
        ['uint256', 'maxSlippageBps', t.slippageBps],
        ['uint256', 'nonce', t.nonce],
        ['uint256', 'deadline', t.deadline],
      ]),
  },
  {
    name: 'words as numbers',
    scales: { usdc: 6, price: 8, size: 8 },
    open: (t) =>
      message('NumberedOrder', [
        ['address', 'maker', t.wallet],
        ['uint256', 'pairIndex', t.marketId],
        ['uint8', 'side', sideNumber(t.side)],
        ['uint8', 'orderType', t.orderType === 'market' ? 0 : 1],
        ['uint256', 'amountUsdc', units(t.value, 6)],
        ['uint256', 'expectedPrice', units(t.price, 8)],
        ['uint256', 'slippageBps', t.slippageBps],
        ['uint256', 'leverage', t.leverage],
        ['uint256', 'nonce', t.nonce],
        ['uint256', 'deadline', t.deadline],
      ]),
    close: (t) =>
      message('NumberedClose', [
        ['address', 'maker', t.wallet],
        ['uint256', 'tradeId', t.id],
        ['uint8', 'side', sideNumber(t.side)],
        ['uint256', 'size', units(t.size, 8)],
        ['uint256', 'notional', units(t.value, 6)],
        ['uint256', 'expectedPrice', units(t.price, 8)],
        ['uint256', 'slippageBps', t.slippageBps],
        ['uint256', 'nonce', t.nonce],
        ['uint256', 'deadline', t.deadline],
      ]),
  },
  {
    name: 'ids and words in 32 bytes',
    scales: { usdc: 6, price: 8, size: 8 },
    open: (t) =>
      message('BytesOrder', [
        ['address', 'sender', t.wallet],
        ['bytes32', 'pairId', `0x${t.marketId.toString(16).padStart(64, '0')}`],
        ['bytes32', 'side', bytes32(t.side)],
        ['uint256', 'orderValue', units(t.value, 6)],
        ['uint256', 'referencePrice', units(t.price, 8)],
        ['uint256', 'maxSlippageBps', t.slippageBps],
        ['uint256', 'leverage', t.leverage],
        ['bytes32', 'clientOrderId', bytes32(t.clientId)],
        ['uint256', 'nonce', t.nonce],
        ['uint256', 'deadline', t.deadline],
      ]),
    close: (t) =>
      message('BytesClose', [
        ['address', 'sender', t.wallet],
        ['bytes32', 'positionKey', bytes32(t.id)],
        ['bytes32', 'side', bytes32(t.side)],
        ['uint256', 'qty', units(t.size, 8)],
        ['uint256', 'referencePrice', units(t.price, 8)],
        ['uint256', 'maxSlippageBps', t.slippageBps],
        ['uint256', 'nonce', t.nonce],
        ['uint256', 'deadline', t.deadline],
      ]),
  },
]
