import type { Vote } from './field.ts'

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
  return isBase ? 'as_named' : 'otherwise'
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

/** Of a trade's worth, in parts of one: no service asks more for it, or less. */
const fees = { most: 0.01, least: 0.000_01 } as const

/** Whether a trade's size is in base units, by its fee: in the other unit it would be no fee that anyone asks. */
export function agreeOnFee({ price, feeUsdc }: { readonly price: string | null; readonly feeUsdc: string | null }, value: string): Vote {
  const [size, each, fee] = [magnitude(value), magnitude(price), magnitude(feeUsdc)]
  if (size === null || each === null || fee === null) return null
  const isFee = (worth: number): boolean => fee / worth >= fees.least && fee / worth <= fees.most
  const [isBase, isUsdc] = [isFee(size * each), isFee(size)]
  if (isBase === isUsdc) return null
  return isBase ? 'as_named' : 'otherwise'
}
