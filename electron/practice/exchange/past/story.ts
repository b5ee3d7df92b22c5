import { type Address, type Hex, keccak256, toHex } from 'viem'
import { add, multiply, negate, signOf, subtract } from '../../../../shared/decimal.ts'
import { minute } from '../../../../shared/time.ts'
import { catalogue, type Market } from '../market/catalogue.ts'
import { type Marks, priceOfTicks } from '../market/mark-prices.ts'
import { feeOn } from '../positions/fees.ts'
import { sizeFor } from '../positions/fills.ts'
import { type ClosedPosition, type Order, realisedOf, type Trade } from '../state/book.ts'
import type { IntentRow } from '../state/state.ts'

/** An invented past intent, with the fields that the lists of intents and the requests for one intent return. */
export type PastIntent = Pick<
  IntentRow,
  'id' | 'sequence' | 'wallet' | 'keyId' | 'action' | 'clientOrderId' | 'status' | 'state' | 'txHash' | 'createdAtMs' | 'expiresAtMs' | 'payload'
>

export interface Teller {
  readonly wallet: Address
  readonly marks: Marks
  /** The ids of the keys that made the trades. If the list is empty, the trades name a key that no longer exists. */
  readonly keyIds: readonly string[]
  readonly trades: number
  readonly fromMs: number
  readonly toMs: number
  readonly firstSequence: number
  /** Returns the next random number, from 0 to below 1. */
  readonly next: () => number
}

export interface Story {
  readonly orders: readonly Order[]
  readonly trades: readonly Trade[]
  readonly closed: readonly ClosedPosition[]
  readonly intents: readonly PastIntent[]
}

/** A row for one of the lists of a wallet's invented past, before the row gets its sequence number. */
type Told =
  | { readonly list: 'orders'; readonly atMs: number; readonly row: Omit<Order, 'sequence'> }
  | { readonly list: 'trades'; readonly atMs: number; readonly row: Omit<Trade, 'sequence'> }
  | { readonly list: 'closed'; readonly atMs: number; readonly row: Omit<ClosedPosition, 'sequence'> }
  | { readonly list: 'intents'; readonly atMs: number; readonly row: Omit<PastIntent, 'sequence'> }

const open = catalogue.filter(({ status }) => status === 'open')

/** Sums everything in these rows that changes the collateral: deposits, withdrawals, fees, realised results and funding. */
const sumOf = (told: readonly Told[]): string =>
  told.reduce((sum, { list, row }) => {
    if (list === 'trades') return subtract(sum, row.feeUsdc)
    if (list === 'closed') return add(sum, add(row.realisedPnlUsdc, row.fundingUsdc))
    if (list === 'orders' || !('amount' in row.payload)) return sum
    return row.action === 'add_collateral' ? add(sum, String(row.payload.amount)) : subtract(sum, String(row.payload.amount))
  }, '0')

/**
 * Returns the row that makes the rows of an invented past add up to zero. If the trader lost money, it is a deposit before the first row; if the
 * trader gained, a withdrawal after the last row.
 */
function balancing({ wallet, keyIds, fromMs, toMs, firstSequence }: Teller, sum: string): Told {
  const isLost = signOf(sum) < 0
  const [atMs, amount] = isLost ? [fromMs, negate(sum)] : [toMs, sum]
  const id = `${firstSequence.toString(36)}_b`
  const row = {
    ...{
      id: `dx_p${id}`,
      wallet,
      keyId: keyIds[0] ?? 'key_past',
      clientOrderId: `past-${id}`,
      status: 'signature_ready' as const,
      state: 'confirmed' as const,
    },
    action: isLost ? 'add_collateral' : 'withdraw_collateral',
    ...{ txHash: keccak256(toHex(`${wallet} ${id}`)), createdAtMs: atMs, expiresAtMs: atMs + 3 * minute, payload: { token: 'USDC', amount } },
  }
  return { list: 'intents', atMs, row }
}

/**
 * Invents a trader's past: positions opened and closed at the prices of their time, partial closes, liquidations, unfilled orders, deposits and
 * withdrawals. Its rows add up to zero, so that the wallet's collateral is still the sum of all its rows.
 */
export function tellStory(teller: Teller): Story {
  const told: Told[] = []
  const counted = () => told.filter(({ list }) => list === 'trades').length
  for (let chapter = 0, trades = 0; trades < teller.trades; chapter += 1) {
    const before = told.length
    tellChapter(teller, told, chapter, teller.trades - trades)
    trades += told.slice(before).filter(({ list }) => list === 'trades').length
  }
  if (counted() !== teller.trades) throw new Error('A story has as many trades as it was asked for')
  told.push(balancing(teller, sumOf(told)))
  const story = { orders: [] as Order[], trades: [] as Trade[], closed: [] as ClosedPosition[], intents: [] as PastIntent[] }
  for (const [index, { list, row }] of told.toSorted((a, b) => a.atMs - b.atMs).entries())
    story[list].push({ ...row, sequence: teller.firstSequence + index } as never)
  return story
}

/** Adds the rows of one position, from opening to closing, or the rows of one order that was never filled. */
function tellChapter({ wallet, marks, keyIds, fromMs, toMs, firstSequence, next }: Teller, told: Told[], chapter: number, tradesLeft: number): void {
  // Prefer the markets at the start of the list: half of the positions are in the first quarter of the list.
  const market = open[Math.floor(next() ** 2 * open.length)] ?? (open[0] as Market)
  const side = next() < 0.55 ? 'long' : 'short'
  const id = `${firstSequence.toString(36)}_${chapter.toString(36)}_`
  const startMs = Math.floor(fromMs + next() * (toMs - fromMs))
  const endMs = Math.min(toMs, Math.floor(startMs + minute * 4_000 ** next()))
  const keyId = keyIds[Math.floor(next() * keyIds.length)] ?? 'key_past'
  // If only one more trade is allowed, end the position by a liquidation, because a liquidation needs no closing trade.
  const isLiquidated = chapter % 67 === 3 || tradesLeft < 2
  const chosen = Math.max(1, Math.floor(next() * market.maxLeverage))
  const leverage = isLiquidated ? market.maxLeverage : chosen
  const valueUsdc = (40 * 250 ** next()).toFixed(2)
  const ticksThen = (atMs: number) => Math.max(1, marks.ticksAt(market, Math.floor(atMs / minute) * minute))
  const priceAt = (atMs: number) => priceOfTicks(market, ticksThen(atMs))
  const hashOf = (step: string): Hex => keccak256(toHex(`${wallet} ${id} ${step}`))

  const intent = (step: string, action: string, atMs: number, state: PastIntent['state'], payload: object): PastIntent['id'] => {
    const row = {
      ...{ id: `dx_p${id}${step}`, wallet, keyId, action, clientOrderId: `past-${id}-${step}`, status: 'signature_ready' as const, state },
      ...{ txHash: state === 'expired' ? null : hashOf(step), createdAtMs: atMs, expiresAtMs: atMs + 5 * minute, payload },
    }
    told.push({ list: 'intents', atMs, row })
    return row.id
  }
  const order = (step: string, atMs: number, change: Partial<Order> & Pick<Order, 'size'>): Omit<Order, 'sequence'> => {
    const closes = change.closes ?? null
    const row: Omit<Order, 'sequence'> = {
      ...{ id: `ord_p${id}${step}`, opens: `pos_p${id}`, clientOrderId: `past-${id}-${step}`, pairId: market.id, side, orderType: 'market' },
      ...{ marginMode: chapter % 4 === 0 ? 'isolated' : 'cross', leverage, closes, valueUsdc: closes === null ? valueUsdc : null, price: null },
      ...{ takeProfit: null, stopLoss: null, createdAtMs: atMs, status: 'filled', reason: null, filled: change.size, fillPrice: null },
      intentId: intent(step, closes === null ? 'open_position' : 'close_position_market', atMs, 'confirmed', { pair_id: market.id, side }),
      txHash: hashOf(step),
      ...change,
    }
    told.push({ list: 'orders', atMs, row })
    return row
  }
  const trade = (placed: Omit<Order, 'sequence'>, did: Pick<Trade, 'atMs' | 'price' | 'size' | 'effect' | 'realisedPnlUsdc'>) => {
    const { id: orderId, side: sided, txHash } = placed
    const row = { orderId, pairId: market.id, side: sided, feeUsdc: feeOn(multiply(did.price, did.size)), role: 'taker', txHash, ...did } as const
    told.push({ list: 'trades', atMs: did.atMs, row })
  }

  const entryPrice = priceAt(startMs)
  const size = sizeFor(market, valueUsdc, entryPrice)
  if (chapter % 9 === 4) {
    const price = priceOfTicks(market, Math.max(1, Math.round(marks.ticksAt(market, startMs) * (side === 'long' ? 0.9 : 1.1))))
    order('c', startMs, { size, filled: '0', orderType: 'limit', price, status: 'cancelled', reason: 'cancelled_by_trader' })
    return
  }
  if (chapter % 41 === 7) intent('d', 'add_collateral', startMs, 'confirmed', { token: 'USDC', amount: valueUsdc })
  if (chapter % 53 === 9) intent('w', 'withdraw_collateral', startMs, 'confirmed', { token: 'USDC', amount: '25' })
  if (chapter % 31 === 5) intent('x', 'open_position', startMs, chapter % 2 === 0 ? 'expired' : 'reverted', { pair_id: market.id, side })
  trade(order('o', startMs, { size, fillPrice: entryPrice }), { atMs: startMs, price: entryPrice, size, effect: 'open', realisedPnlUsdc: null })

  const parts = isLiquidated || tradesLeft < 3 || chapter % 5 !== 0 ? [size] : unequalParts(market, size)
  // The share by which the price must move against the position until the loss equals the margin. The position is liquidated there.
  const lostShare = (side === 'long' ? -1 : 1) / leverage
  const lostPrice = priceOfTicks(market, Math.max(1, Math.round(ticksThen(startMs) * (1 + lostShare))))
  const other = side === 'long' ? 'short' : 'long'
  const funding = ((Number(valueUsdc) * (endMs - startMs)) / 36e8) * (next() - 0.55) * 0.0002
  for (const [index, part] of parts.entries()) {
    const isLast = index === parts.length - 1
    const atMs = isLast ? endMs : Math.floor((startMs + endMs) / 2)
    const exitPrice = isLiquidated ? lostPrice : priceAt(atMs)
    const result = realisedOf({ side, entryPrice, size: part }, exitPrice)
    if (!isLiquidated) {
      const closing = order(`z${index}`, atMs, { size: part, side: other, closes: `pos_p${id}`, fillPrice: exitPrice })
      trade(closing, { atMs, price: exitPrice, size: part, effect: isLast ? 'close' : 'reduce', realisedPnlUsdc: result })
    }
    const row = { pairId: market.id, side, size: part, entryPrice, exitPrice, realisedPnlUsdc: result, fundingUsdc: isLast ? funding.toFixed(6) : '0' } as const
    told.push({ list: 'closed', atMs, row: { id: `pos_p${id}`, ...row, liquidated: isLiquidated, closedAtMs: atMs } })
  }
}

function unequalParts(market: Market, size: string): readonly string[] {
  const third = sizeFor(market, size, '3')
  return Number(third) > 0 ? [third, subtract(size, third)] : [size]
}
