import { multiply, roundTo, subtract } from '../../../../shared/decimal.ts'
import type { OrderTerms } from './changes.ts'
import type { Side } from './instructions.ts'

export interface Position {
  readonly id: string
  readonly pairId: number
  readonly marginMode: 'cross' | 'isolated'
  readonly side: Side
  /** The size of the position, in base units. */
  readonly size: string
  readonly entryPrice: string
  readonly leverage: number
  /** The margin of an isolated position, in USDC. `null` for a cross position, whose margin follows from its entry price and leverage. */
  readonly ownMargin: string | null
  readonly takeProfit: string | null
  readonly stopLoss: string | null
  readonly openedAtMs: number
  /** The sum of all funding so far, in USDC; positive if the wallet received more than it paid. */
  readonly fundingUsdc: string
}

export interface Order extends OrderTerms {
  readonly sequence: number
  readonly status: 'open' | 'partially_filled' | 'filled' | 'cancelled'
  /** Why the order was cancelled; null in any other state. */
  readonly reason: string | null
  readonly filled: string
  readonly fillPrice: string | null
  readonly txHash: string | null
}

/** How a trade changed the position in its market. */
export type TradeEffect = 'open' | 'increase' | 'reduce' | 'close' | 'invert'

export interface Trade {
  readonly orderId: string
  readonly sequence: number
  readonly pairId: number
  readonly side: Side
  readonly price: string
  readonly size: string
  readonly feeUsdc: string
  readonly effect: TradeEffect
  /** `maker` if the order was resting in the order book; otherwise `taker`. */
  readonly role: 'maker' | 'taker'
  /** The realised profit or loss of the trade in USDC, without fees and funding. `null` if the trade closed nothing. */
  readonly realisedPnlUsdc: string | null
  readonly txHash: string | null
  readonly atMs: number
}

/** A position that was closed, or the closed part of a position. */
export interface ClosedPosition {
  readonly id: string
  readonly sequence: number
  readonly pairId: number
  readonly side: Side
  readonly size: string
  readonly entryPrice: string
  readonly exitPrice: string
  readonly realisedPnlUsdc: string
  readonly fundingUsdc: string
  readonly liquidated: boolean
  readonly closedAtMs: number
}

export interface Book {
  readonly positions: readonly Position[]
  readonly orders: readonly Order[]
  readonly trades: readonly Trade[]
  readonly closed: readonly ClosedPosition[]
  /** The collateral in USDC, including all fees, costs, funding and realised results. */
  readonly collateral: string
  /** The balance of the protocol’s own token. It does not count as collateral. */
  readonly ownTokens: string
}

export const emptyBook: Book = { positions: [], orders: [], trades: [], closed: [], collateral: '0', ownTokens: '0' }

export const isOpen = ({ status }: Order): boolean => status === 'open' || status === 'partially_filled'

export const resultOf = ({ side, entryPrice, size }: Pick<Position, 'side' | 'entryPrice' | 'size'>, price: string): string =>
  multiply(side === 'long' ? subtract(price, entryPrice) : subtract(entryPrice, price), size)

/** The number of decimals of an amount that changes the collateral: USDC has no smaller unit. */
const usdcDecimals = 6

export const wholeUnits = (usdc: string): string => roundTo(usdc, usdcDecimals)

/** The profit or loss that is realised when a position, or a part of a position, is closed at `price`. */
export const realisedOf = (position: Pick<Position, 'side' | 'entryPrice' | 'size'>, price: string): string => wholeUnits(resultOf(position, price))
