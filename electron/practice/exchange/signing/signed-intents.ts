import type { Address } from 'viem'
import { toUnits } from '../../../../shared/decimal.ts'
import { intentFields, type SignedIntent } from '../../chain/router-intents.ts'
import { domainFields, routerDomain, type WireTypedData } from '../../chain/wire-typed-data.ts'
import type { Book } from '../state/book.ts'
import type { Instruction } from '../state/instructions.ts'

interface Signing {
  readonly trader: Address
  readonly nonce: bigint
  /** The time until which the intent is valid, in Unix seconds. */
  readonly deadline: number
  readonly book: Book
}

const units = (text: string | undefined, decimals: number): bigint => (text === undefined ? 0n : (toUnits(text, decimals) ?? 0n))
const price = (text: string | undefined): bigint => units(text, 8)

/**
 * Returns the struct that the wallet signs and the router verifies. Returns `null` if the wallet sends transactions for this action instead. Prices
 * and sizes have 8 decimals; a price or size that the action does not use is 0.
 */
export function signedIntent(instruction: Instruction, { trader, nonce, deadline, book }: Signing): SignedIntent | null {
  const pairOf = (positionId: string) => BigInt(book.positions.find(({ id }) => id === positionId)?.pairId ?? 0)
  const end = { nonce, deadline: BigInt(deadline) }
  switch (instruction.kind) {
    case 'open': {
      const { payload } = instruction
      const message = {
        trader,
        pairId: BigInt(payload.pair_id),
        side: payload.side,
        orderType: payload.order_type,
        marginMode: payload.margin_mode,
        leverage: BigInt(payload.leverage),
        orderValue: units(payload.order_value_usdc, 6),
        referencePrice: price(payload.reference_price),
        maxSlippageBps: BigInt(payload.max_slippage_bps ?? 0),
        limitPrice: price(payload.limit_price),
        triggerPrice: price(payload.trigger_price),
        timeInForce: payload.time_in_force,
        restIfUnfilled: payload.rest_if_unfilled ?? false,
        postOnly: payload.post_only ?? false,
        takeProfit: price(payload.take_profit),
        stopLoss: price(payload.stop_loss),
        clientOrderId: payload.client_order_id,
        ...end,
      }
      return { primaryType: 'OpenPosition', message }
    }
    case 'close_market':
    case 'close_limit': {
      const { kind, payload } = instruction
      const isMarket = kind === 'close_market'
      const message = {
        trader,
        positionId: payload.position_id,
        pairId: pairOf(payload.position_id),
        orderType: isMarket ? 'market' : 'limit',
        size: units(payload.size, 8),
        referencePrice: isMarket ? price(payload.reference_price) : 0n,
        maxSlippageBps: isMarket ? BigInt(payload.max_slippage_bps) : 0n,
        limitPrice: isMarket ? 0n : price(payload.limit_price),
        timeInForce: isMarket ? 'ioc' : payload.time_in_force,
        postOnly: !isMarket && payload.post_only,
        clientOrderId: payload.client_order_id,
        ...end,
      }
      return { primaryType: 'ClosePosition', message }
    }
    case 'invert': {
      const { payload } = instruction
      const message = {
        trader,
        positionId: payload.position_id,
        pairId: pairOf(payload.position_id),
        referencePrice: price(payload.reference_price),
        maxSlippageBps: BigInt(payload.max_slippage_bps),
        clientOrderId: payload.client_order_id,
        ...end,
      }
      return { primaryType: 'InvertPosition', message }
    }
    case 'increase':
    case 'exits':
    case 'margin':
    case 'leverage':
    case 'cancel':
    case 'replace':
    case 'collateral':
      return null
  }
}

export const intentTypedData = ({ primaryType, message }: SignedIntent, router: Address): WireTypedData => ({
  domain: routerDomain(router),
  types: { EIP712Domain: domainFields, [primaryType]: intentFields[primaryType] },
  primaryType,
  message: written(message),
})

/** Builds the typed data for an EIP-2612 permit, which allows the router to take exactly `value` USDC. */
export const permitTypedData = (
  usdc: Address,
  permit: { readonly owner: Address; readonly spender: Address; readonly value: bigint; readonly nonce: bigint; readonly deadline: bigint },
): WireTypedData => ({
  domain: { name: 'USD Coin', version: '1', chainId: 8453, verifyingContract: usdc },
  types: {
    EIP712Domain: domainFields,
    Permit: [
      { name: 'owner', type: 'address' },
      { name: 'spender', type: 'address' },
      { name: 'value', type: 'uint256' },
      { name: 'nonce', type: 'uint256' },
      { name: 'deadline', type: 'uint256' },
    ],
  },
  primaryType: 'Permit',
  message: written(permit),
})

const written = (message: Readonly<Record<string, string | boolean | bigint>>): WireTypedData['message'] =>
  Object.fromEntries(Object.entries(message).map(([name, value]) => [name, typeof value === 'bigint' ? value.toString() : value]))
