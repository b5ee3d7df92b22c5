import type { Address } from 'viem'
import { toUnits } from '../../../../shared/decimal.ts'
import { type IntentMessage, intentFields } from '../../chain/intents.ts'
import type { OpenPosition } from '../state/state.ts'
import { domainFields, routerDomain, type WireTypedData } from './typed-data.ts'

/** The struct that the router verifies. Prices with 8 decimals, 0 where the order has none; the deadline in Unix seconds. */
export function openPositionMessage(payload: OpenPosition, trader: Address, nonce: bigint, deadline: number): IntentMessage<'OpenPosition'> {
  const units = (text: string | undefined, decimals: number) => (text === undefined ? 0n : (toUnits(text, decimals) ?? 0n))
  const price = (text: string | undefined) => units(text, 8)
  return {
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
    nonce,
    deadline: BigInt(deadline),
  }
}

export function openPositionTypedData(message: IntentMessage<'OpenPosition'>, router: Address): WireTypedData {
  const values: Record<string, string | boolean> = {}
  for (const [name, value] of Object.entries(message)) values[name] = typeof value === 'bigint' ? value.toString() : value
  return {
    domain: routerDomain(router),
    types: { EIP712Domain: domainFields, OpenPosition: intentFields.OpenPosition },
    primaryType: 'OpenPosition',
    message: values,
  }
}
