import type { Address } from 'viem'
import { add, divide, minimum, multiply, signOf, subtract } from '../../../../shared/decimal.ts'
import { sum } from '../money.ts'
import type { State } from '../state/state.ts'
import { networkCostUsdc } from './fees.ts'

export interface Position {
  readonly id: string
  readonly pairId: number
  readonly marginMode: 'cross' | 'isolated'
  readonly side: 'long' | 'short'
  readonly size: string
  readonly entryPrice: string
  readonly leverage: number
  readonly takeProfit: string | null
  readonly stopLoss: string | null
}

export interface ClosedPosition {
  readonly id: string
  readonly sequence: number
  readonly pairId: number
  readonly side: 'long' | 'short'
  readonly size: string
  readonly entryPrice: string
  readonly exitPrice: string
  readonly realisedPnlUsdc: string
  readonly closedAtMs: number
}

export interface Fill {
  readonly intentId: string
  readonly sequence: number
  readonly pairId: number
  readonly marginMode: 'cross' | 'isolated'
  readonly side: 'long' | 'short'
  readonly price: string
  readonly size: string
  readonly leverage: number
  readonly takeProfit: string | null
  readonly stopLoss: string | null
  readonly atMs: number
}

export interface Book {
  readonly positions: readonly Position[]
  readonly closed: readonly ClosedPosition[]
  /** USDC after all fees, costs and realised results. */
  readonly collateral: string
}

/** An average of prices needs more decimals than a price. */
const entryDecimals = 18

/** The book of a wallet follows from what the router accepted and nothing else, so that taking an intent back takes its effect back. */
export function bookOf(state: State, wallet: Address): Book {
  const own = state.executions.filter((row) => row.wallet === wallet)
  const given = sum(state.seeds.filter((seed) => seed.wallet === wallet).map(({ usdc }) => usdc))
  const charged = sum(own.map((row) => add(networkCostUsdc, row.fill?.feeUsdc ?? '0')))
  const intents = new Map(state.intents.map((intent) => [intent.id, intent]))
  const fills = own.flatMap((row): Fill[] => {
    const intent = intents.get(row.intentId)
    if (intent === undefined || row.fill === null) return []
    const { payload } = intent
    return [
      {
        intentId: row.intentId,
        sequence: row.fill.sequence,
        pairId: payload.pair_id,
        marginMode: payload.margin_mode,
        side: payload.side,
        price: row.fill.price,
        size: row.fill.size,
        leverage: payload.leverage,
        takeProfit: payload.take_profit ?? null,
        stopLoss: payload.stop_loss ?? null,
        atMs: row.fill.atMs,
      },
    ]
  })
  fills.sort((a, b) => a.sequence - b.sequence)
  return fills.reduce(applyFill, { positions: [], closed: [], collateral: subtract(given, charged) })
}

/** One position for each market and margin mode: the same side increases it, the other reduces, closes or turns it. */
export function applyFill(book: Book, fill: Fill): Book {
  const held = book.positions.find((each) => each.pairId === fill.pairId && each.marginMode === fill.marginMode)
  const others = book.positions.filter((each) => each !== held)
  if (held === undefined) return { ...book, positions: [...others, opened(fill, fill.size)] }
  if (held.side === fill.side) {
    const size = add(held.size, fill.size)
    const entryPrice = divide(add(multiply(held.entryPrice, held.size), multiply(fill.price, fill.size)), size, entryDecimals)
    const increased = {
      ...held,
      size,
      entryPrice,
      leverage: fill.leverage,
      takeProfit: fill.takeProfit ?? held.takeProfit,
      stopLoss: fill.stopLoss ?? held.stopLoss,
    }
    return { ...book, positions: [...others, increased] }
  }
  const size = minimum(fill.size, held.size)
  const realised = resultOf({ ...held, size }, fill.price)
  const closed = {
    id: held.id,
    sequence: fill.sequence,
    pairId: held.pairId,
    side: held.side,
    size,
    entryPrice: held.entryPrice,
    exitPrice: fill.price,
    realisedPnlUsdc: realised,
    closedAtMs: fill.atMs,
  }
  const left = subtract(held.size, size)
  const turned = subtract(fill.size, size)
  const remaining = signOf(left) > 0 ? [{ ...held, size: left }] : signOf(turned) > 0 ? [opened(fill, turned)] : []
  return { positions: [...others, ...remaining], closed: [...book.closed, closed], collateral: add(book.collateral, realised) }
}

const opened = (fill: Fill, size: string): Position => ({
  id: `pos_${fill.intentId.replace(/^dx_/, '')}`,
  pairId: fill.pairId,
  marginMode: fill.marginMode,
  side: fill.side,
  size,
  entryPrice: fill.price,
  leverage: fill.leverage,
  takeProfit: fill.takeProfit,
  stopLoss: fill.stopLoss,
})

/** What a position would bring at `price`, in USDC. */
export const resultOf = ({ side, entryPrice, size }: Position, price: string): string =>
  multiply(side === 'long' ? subtract(price, entryPrice) : subtract(entryPrice, price), size)
