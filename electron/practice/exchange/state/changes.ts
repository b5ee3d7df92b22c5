import type { Address, Hex } from 'viem'
import type { CollateralToken, Exits, Side } from './instructions.ts'

/** An order as it was placed. */
export interface OrderTerms {
  readonly id: string
  /** null: not prepared (delegated, or placed by a trigger). */
  readonly intentId: string | null
  readonly clientOrderId: string | null
  readonly pairId: number
  readonly side: Side
  readonly orderType: 'market' | 'limit' | 'stop' | 'take_profit' | 'stop_loss'
  readonly marginMode: 'cross' | 'isolated'
  readonly leverage: number
  /** The position that it closes or reduces, and never more than that; null: it opens, adds to or turns one. */
  readonly closes: string | null
  /** The id that a position gets which it opens. */
  readonly opens: string
  /** In base units. */
  readonly size: string
  /** What it was placed for, in USDC; null: it was placed by its size. */
  readonly valueUsdc: string | null
  /** Where it waits or waited, in USDC; null for what takes the market's price. */
  readonly price: string | null
  readonly takeProfit: string | null
  readonly stopLoss: string | null
  readonly createdAtMs: number
}

/** One step of a wallet's book. Amounts in USDC unless said. */
export type Change =
  /** Network cost. */
  | { readonly kind: 'charged'; readonly usdc: string }
  /** Signed, in the token. */
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
  /** Signed: what the wallet got. */
  | { readonly kind: 'funding'; readonly positionId: string; readonly amount: string }
  /** `lost` is all that the position cost the collateral. */
  | { readonly kind: 'liquidated'; readonly positionId: string; readonly price: string; readonly lost: string }
  /** The chain took it, the exchange could not carry it out. */
  | { readonly kind: 'refused'; readonly reason: string }

export interface Origin {
  /** The intent's digest, the command and item, or the transaction and its event. */
  readonly id: string
  readonly txHash: Hex
  readonly blockNumber: string
}

/** What happened to a wallet, in order. A reorganisation that removes the origin removes the row, and with it the effect. */
export interface LedgerRow {
  readonly sequence: number
  readonly wallet: Address
  readonly atMs: number
  readonly change: Change
  /** null: the market did it (a fill, a trigger, funding, a liquidation). */
  origin: Origin | null
}
