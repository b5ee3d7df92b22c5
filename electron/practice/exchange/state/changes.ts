import type { Address, Hex } from 'viem'
import type { CollateralToken, Exits, Side } from './instructions.ts'

/** An order as it was placed. */
export interface OrderTerms {
  readonly id: string
  /** `null`: the order was not prepared (delegated, or placed by a trigger). */
  readonly intentId: string | null
  readonly clientOrderId: string | null
  readonly pairId: number
  readonly side: Side
  readonly orderType: 'market' | 'limit' | 'stop' | 'take_profit' | 'stop_loss'
  readonly marginMode: 'cross' | 'isolated'
  readonly leverage: number
  /** The position that the order closes or reduces, up to its size. `null`: the order opens, adds to or inverts a position. */
  readonly closes: string | null
  /** The id of the position, if this order opens one. */
  readonly opens: string
  /** In base units. */
  readonly size: string
  /** The USDC value the order was placed for. `null`: it was placed by size. */
  readonly valueUsdc: string | null
  /** The limit or trigger price in USDC. `null` for an order at the market price. */
  readonly price: string | null
  readonly takeProfit: string | null
  readonly stopLoss: string | null
  readonly createdAtMs: number
}

/** One change of a wallet’s positions, orders or collateral. Amounts are in USDC unless noted. */
export type Change =
  /** Network cost. */
  | { readonly kind: 'charged'; readonly usdc: string }
  /** Signed amount, in units of the token. */
  | { readonly kind: 'collateral'; readonly token: CollateralToken; readonly amount: string }
  | { readonly kind: 'placed'; readonly order: OrderTerms }
  | { readonly kind: 'filled'; readonly orderId: string; readonly price: string; readonly size: string; readonly feeUsdc: string }
  | { readonly kind: 'ended'; readonly orderId: string; readonly reason: string }
  | {
      readonly kind: 'replaced'
      readonly orderId: string
      readonly terms: Pick<OrderTerms, 'size' | 'valueUsdc' | 'price' | 'takeProfit' | 'stopLoss'>
    }
  | { readonly kind: 'exits'; readonly positionId: string; readonly exits: Exits }
  /** Signed. */
  | { readonly kind: 'margin'; readonly positionId: string; readonly amount: string }
  | { readonly kind: 'leverage'; readonly positionId: string; readonly leverage: number }
  /** Signed amount: positive if the wallet received it. */
  | { readonly kind: 'funding'; readonly positionId: string; readonly amount: string }
  /** `lost` is all that the position cost the collateral. */
  | { readonly kind: 'liquidated'; readonly positionId: string; readonly price: string; readonly lost: string }
  /** The chain accepted the action, but the exchange could not execute it. */
  | { readonly kind: 'refused'; readonly reason: string }

export interface Origin {
  /** The intent's digest, the command and item, or the transaction and its event. */
  readonly id: string
  readonly txHash: Hex
  readonly blockNumber: string
}

/** One event of a wallet. A reorganisation that removes the origin also removes this row and its effect. */
export interface LedgerRow {
  readonly sequence: number
  readonly wallet: Address
  readonly atMs: number
  readonly change: Change
  /** `null`: caused by the market (a fill, a trigger, funding, a liquidation). */
  origin: Origin | null
}
