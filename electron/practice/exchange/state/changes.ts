import type { Address, Hex } from 'viem'
import type { CollateralToken, Exits, Side } from './instructions.ts'

/** The terms of an order at the time when it was placed. Later changes of the order are separate ledger rows. */
export interface OrderTerms {
  readonly id: string
  readonly intentId: string | null
  readonly clientOrderId: string | null
  readonly pairId: number
  readonly side: Side
  readonly orderType: 'market' | 'limit' | 'stop' | 'take_profit' | 'stop_loss'
  readonly marginMode: 'cross' | 'isolated'
  readonly leverage: number
  /** The id of the position that this order may only reduce or close. `null` if the order opens, increases or inverts a position. */
  readonly closes: string | null
  /** The id of the new position, if this order opens a position. */
  readonly opens: string
  /** The size of the order, in base units. */
  readonly size: string
  /** The USDC value for which the order was placed. `null` if it was placed by size. */
  readonly valueUsdc: string | null
  /** The limit or trigger price in USDC. `null` for an order at the market price. */
  readonly price: string | null
  readonly takeProfit: string | null
  readonly stopLoss: string | null
  readonly createdAtMs: number
}

/** One change of a wallet’s positions, orders or collateral. Amounts are in USDC unless the comment on a kind says otherwise. */
export type Change =
  /** The network cost that the exchange charges to the collateral. */
  | { readonly kind: 'charged'; readonly usdc: string }
  /** A deposit or withdrawal. The amount is in units of the token; a withdrawal is negative. */
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
  /** A change of an isolated position's margin. The amount is positive if margin is added, negative if it is removed. */
  | { readonly kind: 'margin'; readonly positionId: string; readonly amount: string }
  | { readonly kind: 'leverage'; readonly positionId: string; readonly leverage: number }
  /** A funding payment. The amount is positive if the wallet received it, negative if the wallet paid it. */
  | { readonly kind: 'funding'; readonly positionId: string; readonly amount: string }
  /** A liquidation. `lost` is the total amount that the position cost the collateral. */
  | { readonly kind: 'liquidated'; readonly positionId: string; readonly price: string; readonly lost: string }
  /** The chain accepted an action that the exchange could not execute. `reason` says why. */
  | { readonly kind: 'refused'; readonly reason: string }

export interface Origin {
  /**
   * Identifies the cause of the event: the digest of an intent, the id of a command with the item's number, or the hash of a transaction with the
   * position of the router's event in it.
   */
  readonly id: string
  readonly txHash: Hex
  readonly blockNumber: string
}

/**
 * One event of a wallet. If a chain reorganisation removes the transaction that caused the event, this row and its effect on the account are
 * removed too.
 */
export interface LedgerRow {
  readonly sequence: number
  readonly wallet: Address
  readonly atMs: number
  readonly change: Change
  /** The request that led to the event. `null` if the market caused the event: a fill, a trigger, funding or a liquidation. */
  origin: Origin | null
}
