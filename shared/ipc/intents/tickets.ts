import { z } from 'zod'
import { limits } from '../../api/limits.ts'
import { Decimal } from '../reads/markets.ts'

/**
 * This file defines the tickets that windows submit for preparation. `shared/ticket` creates and validates a ticket in the window. Main validates
 * the ticket again.
 */

export const Side = z.enum(['long', 'short'])
export type Side = z.infer<typeof Side>
/** A token's symbol, as the service writes it. Only visible characters, and shorter than any secret. */
export const TokenSymbol = z
  .string()
  .max(16)
  .regex(/^[^\s\p{C}]+$/u)
export type TokenSymbol = z.infer<typeof TokenSymbol>
export const TimeInForce = z.enum(['gtc', 'ioc', 'fok'])
export type TimeInForce = z.infer<typeof TimeInForce>

/** The client order id; if absent, the app generates one. */
const clientOrderId = z.string().min(1).max(limits.clientOrderIdLength).optional()
const slippage = z.number().int().min(limits.slippageBps.min).max(limits.slippageBps.max)

const opening = {
  pairId: z.number().int(),
  side: Side,
  marginMode: z.enum(['cross', 'isolated']),
  leverage: z.number().int().min(1),
  /** Notional in USDC, at most 6 decimals. */
  orderValueUsdc: Decimal,
  takeProfit: Decimal.nullable(),
  stopLoss: Decimal.nullable(),
  clientOrderId,
}
const atMarket = {
  /** The market's mark price that the user saw when pressing Review. */
  referencePrice: Decimal,
  maxSlippageBps: slippage,
}

export const MarketTicket = z.object({ ...opening, ...atMarket, orderType: z.literal('market'), restIfUnfilled: z.boolean() })
export type MarketTicket = z.infer<typeof MarketTicket>
export const LimitTicket = z.object({ ...opening, orderType: z.literal('limit'), limitPrice: Decimal, timeInForce: TimeInForce, postOnly: z.boolean() })
export type LimitTicket = z.infer<typeof LimitTicket>
export const StopTicket = z.object({ ...opening, orderType: z.literal('stop'), triggerPrice: Decimal, timeInForce: TimeInForce })
export type StopTicket = z.infer<typeof StopTicket>
/** The ticket for the action `open_position`, the only action whose payload the API document shows. */
export const OpenTicket = z.discriminatedUnion('orderType', [MarketTicket, LimitTicket, StopTicket])
export type OpenTicket = z.infer<typeof OpenTicket>

/**
 * A position as the screen showed it when the user created the ticket. The app compares the message to sign with all of these values, including those
 * that the ticket does not change.
 */
export const SeenPosition = z.object({
  positionId: z.string().min(1).max(256),
  pairId: z.number().int(),
  symbol: z.string().nullable(),
  side: Side,
  /** Size in base units, unsigned. */
  size: Decimal.nullable(),
  /** Size in base units, estimated from the position's value. Set only if the exact size is unknown. */
  sizeAbout: Decimal.optional(),
  /** The size as the service writes it, if its unit is unknown. */
  rawSize: Decimal.optional(),
  /** The size in units of the market’s base asset, on the assumption that the service’s number is in USDC. */
  sizeIfUsdc: Decimal.optional(),
  takeProfit: Decimal.nullable(),
  stopLoss: Decimal.nullable(),
})
export type SeenPosition = z.infer<typeof SeenPosition>

/**
 * An order as the screen showed it when the user created the ticket. A field is null if the service did not state it, or if it does not apply to the
 * order.
 */
export const SeenOrder = z.object({
  orderId: z.string().min(1).max(256),
  pairId: z.number().int().nullable(),
  symbol: z.string().nullable(),
  side: Side.nullable(),
  orderValueUsdc: Decimal.nullable(),
  limitPrice: Decimal.nullable(),
  triggerPrice: Decimal.nullable(),
  takeProfit: Decimal.nullable(),
  stopLoss: Decimal.nullable(),
})
export type SeenOrder = z.infer<typeof SeenOrder>

/** The part of the position to close, as a size in base units; null: the whole position. */
const part = Decimal.nullable()
/** New take-profit or stop-loss price. null removes the price; absent leaves it unchanged. */
const exit = Decimal.nullable().optional()

export const CloseMarketTicket = z.object({ action: z.literal('close_position_market'), position: SeenPosition, size: part, ...atMarket, clientOrderId })
export const CloseLimitTicket = z.object({
  action: z.literal('close_position_limit'),
  position: SeenPosition,
  size: part,
  limitPrice: Decimal,
  timeInForce: TimeInForce,
  postOnly: z.boolean(),
  clientOrderId,
})
export const InvertTicket = z.object({ action: z.literal('invert_position'), position: SeenPosition, ...atMarket, clientOrderId })
export const ExitsTicket = z.object({ action: z.literal('update_tpsl'), position: SeenPosition, takeProfit: exit, stopLoss: exit })
export const AddMarginTicket = z.object({ action: z.literal('add_isolated_margin'), position: SeenPosition, amountUsdc: Decimal })
export const ReduceMarginTicket = z.object({ action: z.literal('reduce_isolated_margin'), position: SeenPosition, amountUsdc: Decimal })
export const LeverageTicket = z.object({ action: z.literal('change_isolated_leverage'), position: SeenPosition, leverage: z.number().int().min(1) })
export const CancelTicket = z.object({ action: z.literal('cancel_order'), order: SeenOrder })

/** The new values of an order. Absent fields stay unchanged. */
const replacement = {
  orderValueUsdc: Decimal.optional(),
  limitPrice: Decimal.optional(),
  triggerPrice: Decimal.optional(),
  takeProfit: exit,
  stopLoss: exit,
}
export const ReplaceTicket = z.object({ action: z.literal('replace_order'), order: SeenOrder, ...replacement })

export const DepositTicket = z.object({
  action: z.literal('add_collateral'),
  token: TokenSymbol,
  amount: Decimal,
  /**
   * true: the user deposits with an EIP-2612 permit signature instead of an approval transaction, if the service supports it. Only for USDC (Flow
   * rules 4).
   */
  permit: z.boolean(),
})
export const WithdrawTicket = z.object({ action: z.literal('withdraw_collateral'), token: TokenSymbol, amount: Decimal })

/**
 * Tickets for all actions of `/orders/prepare` except `open_position`. The API document does not show the payloads of these actions;
 * `actionPayloads` contains what the app assumes.
 */
export const ActionTicket = z.discriminatedUnion('action', [
  CloseMarketTicket,
  CloseLimitTicket,
  InvertTicket,
  ExitsTicket,
  AddMarginTicket,
  ReduceMarginTicket,
  LeverageTicket,
  CancelTicket,
  ReplaceTicket,
  DepositTicket,
  WithdrawTicket,
])
export type ActionTicket = z.infer<typeof ActionTicket>
export type ActionTicketOf<Action extends ActionTicket['action']> = Extract<ActionTicket, { readonly action: Action }>
export type CloseTicket = ActionTicketOf<'close_position_market' | 'close_position_limit'>
export type SignedTicket = CloseTicket | ActionTicketOf<'invert_position'>
/** A ticket for anything that `/orders/prepare` can prepare. */
export const OrderTicket = z.union([OpenTicket, ActionTicket])
export type OrderTicket = z.infer<typeof OrderTicket>

const delegated = [
  z.object({ action: z.literal('open_position'), order: OpenTicket }),
  z.object({ action: z.literal('open_market'), order: MarketTicket }),
  z.object({ action: z.literal('create_limit'), order: LimitTicket }),
  z.object({ action: z.literal('create_stop'), order: StopTicket }),
  z.object({ action: z.literal('increase'), position: SeenPosition, orderValueUsdc: Decimal, ...atMarket }),
  z.object({ action: z.literal('reduce'), position: SeenPosition, size: Decimal, ...atMarket }),
  z.object({ action: z.literal('close'), position: SeenPosition, ...atMarket }),
  z.object({ action: z.literal('invert'), position: SeenPosition, ...atMarket }),
  z.object({ action: z.literal('cancel'), order: SeenOrder }),
  z.object({ action: z.literal('replace'), order: SeenOrder, ...replacement }),
  z.object({ action: z.literal('set_tp'), position: SeenPosition, price: Decimal }),
  z.object({ action: z.literal('set_sl'), position: SeenPosition, price: Decimal }),
  z.object({ action: z.literal('clear_tp'), position: SeenPosition }),
  z.object({ action: z.literal('clear_sl'), position: SeenPosition }),
  z.object({
    action: z.literal('isolated_manage'),
    position: SeenPosition,
    change: z.union([
      /** Change of the margin in USDC. A positive amount adds margin; a negative amount removes margin. */
      z.strictObject({ marginDeltaUsdc: Decimal }),
      z.strictObject({ leverage: z.number().int().min(1) }),
    ]),
  }),
] as const

/** One action that the executor of an API key carries out. A batch is a list of such actions. */
export const DelegatedItem = z.discriminatedUnion('action', delegated)
export type DelegatedItem = z.infer<typeof DelegatedItem>
export const BatchTicket = z.object({ action: z.literal('batch'), items: z.array(DelegatedItem).min(limits.batchActions.min).max(limits.batchActions.max) })
export type BatchTicket = z.infer<typeof BatchTicket>
/** A ticket for one of the 16 actions of `/orders/execute`. */
export const DelegatedTicket = z.discriminatedUnion('action', [...delegated, BatchTicket])
export type DelegatedTicket = z.infer<typeof DelegatedTicket>
