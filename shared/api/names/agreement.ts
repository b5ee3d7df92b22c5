import type { Vote } from '../reader/field.ts'

/** Two amounts that are worked out of each other differ by less than this where prices move between them. */
const tolerance = 0.05

// Only to compare magnitudes; no amount is made of it.
const near = (one: number, other: number): boolean => other !== 0 && Math.abs(one / other - 1) <= tolerance
const magnitude = (value: string | null | undefined): number | null => {
  const number = value == null ? 0 : Math.abs(Number(value))
  return number > 0 && Number.isFinite(number) ? number : null
}

/** What stands beside a size. Amounts in USDC. */
export interface AroundSize {
  readonly markPrice?: string | null
  readonly entryPrice?: string | null
  readonly price?: string | null
  readonly notionalUsdc?: string | null
  readonly orderValueUsdc?: string | null
  readonly valueUsdc?: string | null
  readonly marginUsdc?: string | null
  readonly leverage?: string | null
}

/** Whether a size is in base units: at one of the prices it is the notional, or the margin at its leverage. Where it could be either, neither. */
export function agreeOnSize(found: AroundSize, value: string): Vote {
  const size = magnitude(value)
  const margin = magnitude(found.marginUsdc)
  const leverage = magnitude(found.leverage)
  const worths = [found.notionalUsdc, found.orderValueUsdc, found.valueUsdc].map(magnitude).filter((one) => one !== null)
  if (margin !== null && leverage !== null) worths.push(margin * leverage)
  const prices = [found.markPrice, found.entryPrice, found.price].map(magnitude).filter((one) => one !== null)
  if (size === null || worths.length === 0) return null
  const isUsdc = worths.some((worth) => near(size, worth))
  const isBase = worths.some((worth) => prices.some((price) => near(size * price, worth)))
  if (isUsdc === isBase) return null
  return isBase ? 'as_named' : 'usdc'
}

/** In what a share of the equity is written, by the margin that it stands for. */
export function agreeOnMarginUsed({ marginUsdc, equity }: { readonly marginUsdc?: string | null; readonly equity?: string | null }, value: string): Vote {
  const margin = magnitude(marginUsdc)
  const whole = magnitude(equity)
  const share = magnitude(value)
  if (margin === null || whole === null || share === null) return null
  if (near(share, (margin / whole) * 100)) return 'percent'
  return near(share, margin / whole) ? 'fraction' : null
}

/** Decimals that an integer may carry. */
const scales = [0, 2, 3, 4, 6, 8, 9, 10, 12, 18] as const
/** A profit below this is mostly rounding, and one of a price that moved less is mostly what the price moved since. */
const least = { profit: 0.5, move: 0.001 } as const

export interface AroundPosition extends AroundSize {
  readonly unrealisedPnl?: string | null
}

const isWhole = (value: string): boolean => !value.includes('.')

/** A whole number as a price may itself carry decimals. */
const hasWholePrices = ({ markPrice, entryPrice }: AroundPosition): boolean => [markPrice, entryPrice].every((price) => price == null || isWhole(price))

/** Whether prices that are whole numbers carry decimals: the size makes the notional at one of them with decimals, and not without. */
export function carryDecimals(found: AroundPosition & { readonly size: string | null }): boolean {
  const [size, worth] = [magnitude(found.size), magnitude(found.notionalUsdc)]
  const prices = [found.markPrice, found.entryPrice].map(magnitude).filter((one) => one !== null)
  if (size === null || worth === null || !hasWholePrices(found)) return false
  const fits = (scale: number): boolean => prices.some((price) => near((size * price) / 10 ** scale, worth))
  return !fits(0) && scales.some(fits)
}

/**
 * What the size of a position is: the only reading, in base units or in USDC and with what decimals, at which it is the notional, the margin at its
 * leverage, or makes the profit. Decimals that nothing names take two of these that agree.
 */
export function agreeOnPositionSize(found: AroundPosition, value: string): Vote {
  const size = magnitude(value)
  if (size === null) return null
  const [mark, entry, pnl, margin, leverage] = [found.markPrice, found.entryPrice, found.unrealisedPnl, found.marginUsdc, found.leverage].map(magnitude)
  const prices = [mark, entry].filter((one) => one != null)
  const worths = [magnitude(found.notionalUsdc), margin != null && leverage != null ? margin * leverage : null].filter((one) => one !== null)
  const moved = mark != null && entry != null ? Math.abs(mark - entry) : 0
  const tells = pnl != null && entry != null && pnl >= least.profit && moved >= entry * least.move
  const fitting = (isWhole(value) && !hasWholePrices(found) ? scales : [0]).flatMap((scale) => {
    const units = size / 10 ** scale
    const base = worths.filter((worth) => prices.some((price) => near(units * price, worth))).length + (tells && near(units * moved, pnl) ? 1 : 0)
    const usdc = worths.filter((worth) => near(units, worth)).length + (tells && prices.some((price) => near((units / price) * moved, pnl)) ? 1 : 0)
    return [
      { scale, isBase: true, backed: base },
      { scale, isBase: false, backed: usdc },
    ].filter(({ backed }) => backed > 0)
  })
  const [only, ...others] = fitting
  if (only === undefined || others.length > 0) return null
  if (!only.isBase) return 'usdc'
  return only.scale === 0 ? 'as_named' : only.backed > 1 ? only.scale : null
}

/** Of a trade's worth, in parts of one: no service asks more for it, or less. */
const fees = { most: 0.01, least: 0.000_01 } as const

/** Whether a trade's size is in base units, by its fee: in the other unit it would be no fee that anyone asks. */
export function agreeOnFee({ price, feeUsdc }: { readonly price: string | null; readonly feeUsdc: string | null }, value: string): Vote {
  const [size, each, fee] = [magnitude(value), magnitude(price), magnitude(feeUsdc)]
  if (size === null || each === null || fee === null) return null
  const isFee = (worth: number): boolean => fee / worth >= fees.least && fee / worth <= fees.most
  const [isBase, isUsdc] = [isFee(size * each), isFee(size)]
  if (isBase === isUsdc) return null
  return isBase ? 'as_named' : 'usdc'
}
