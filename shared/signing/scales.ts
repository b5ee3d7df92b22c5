import { compare, decimalsOf, equals, fromUnits, isZero, multiply, parseDecimal, toUnits } from '../decimal.ts'
import type { TypedLeaf } from './message/typed-data.ts'

/** Scales (numbers of decimals) at which the app tries to read an integer. USDC has 6 decimals; prices often have 8, 18 or 30. */
export const candidateScales = [0, 2, 4, 6, 8, 9, 10, 12, 18, 24, 27, 30] as const

/** Rules for reading integers of one kind, such as USDC amounts, prices or leverages. */
export interface ScaleKind {
  /** The usual scale: 6 for USDC, 0 for leverage; null if there is no usual scale. */
  readonly native: number | null
  /** The largest plausible value at the usual scale. */
  readonly largest: string
  /** The scale for showing a value that matches the request at no scale. */
  readonly fallback: number
}

// The largest plausible values: more USDC than exists, and a higher leverage than any exchange allows.
export const usdcScale: ScaleKind = { native: 6, largest: '100000000000', fallback: 6 }
export const priceScale: ScaleKind = { native: null, largest: '0', fallback: 8 }
export const leverageScale: ScaleKind = { native: 0, largest: '1000', fallback: 0 }

/** Services write sizes in base units at any scale, so there is no usual scale. */
export const sizeScale: ScaleKind = { native: null, largest: '0', fallback: 8 }

export interface ScaledValue {
  readonly units: bigint
  /** The requested value as decimal text, above zero. */
  readonly asked: string
}

export interface ScaledReading {
  readonly matches: boolean
  /** The integer's value, read at the scale that all integers of its kind share. */
  readonly reading: string
  /** The integer’s value at another plausible scale, if that value does not match the request; null if there is no such scale. */
  readonly ambiguous: string | null
}

/**
 * Returns the scale at which the integer equals the requested value; null if there is none. Also null for a requested zero, which matches at every
 * scale.
 */
export function matchingScale({ units, asked }: ScaledValue): number | null {
  return isZero(asked) ? null : (candidateScales.find((scale) => toUnits(asked, scale) === units) ?? null)
}

/**
 * Given an integer that equals `asked` at one scale, finds another plausible value at a different scale. Plausible values are at most `largest`
 * (null: any) and have at most `decimals` decimals. Returns the largest of them; null if there is none.
 */
export function otherReading(
  { units, asked }: ScaledValue,
  { largest, decimals }: { readonly largest: string | null; readonly decimals: number },
): string | null {
  const possible = candidateScales
    .map((scale) => fromUnits(units, scale))
    .filter((reading) => !equals(reading, asked) && decimalsOf(reading) <= decimals && (largest === null || compare(reading, largest) <= 0))
  return possible[0] ?? null
}

/**
 * Reads all integers of one kind, such as prices, at the same scale: the accepted scale, or otherwise a scale at which a value matches the request.
 * Without an accepted scale, a value is ambiguous and does not match (FLOW-02) in two cases. Either the values match at different scales, or they
 * match only at an unusual scale while the value at the usual scale is also plausible.
 */
export function readScaled(
  values: readonly ScaledValue[],
  kind: ScaleKind,
  pinned: number | null,
): { readonly scale: number | null; readonly readings: readonly ScaledReading[] } {
  const found = values.map(matchingScale)
  const distinct = [...new Set(found)].filter((scale) => scale !== null)
  const shared = pinned ?? (kind.native !== null && distinct.includes(kind.native) ? kind.native : (distinct[0] ?? null))
  const scale = shared ?? kind.fallback
  const readings = values.map(({ units }, index): ScaledReading => {
    const reading = fromUnits(units, scale)
    if (shared === null || found[index] !== shared) return { matches: false, reading, ambiguous: null }
    // The values match at different scales, so the right scale is unknown.
    if (pinned === null && distinct.length > 1)
      return { matches: false, reading, ambiguous: fromUnits(units, distinct.find((other) => other !== shared) ?? scale) }
    if (pinned === null && kind.native !== null && shared !== kind.native && toUnits(kind.largest, kind.native) !== null) {
      const native = fromUnits(units, kind.native)
      if (units <= (toUnits(kind.largest, kind.native) ?? 0n)) return { matches: false, reading: native, ambiguous: native }
    }
    return { matches: true, reading, ambiguous: null }
  })
  return { scale: shared, readings }
}

/** The largest possible slippage: 100 %. */
const largestBps = '10000'
/**
 * The number of basis points in one unit of the integer, keyed by the slippage's number of decimals (scale). With 4 decimals one unit is a basis
 * point, with 2 decimals a percent, and with 0 decimals 100 %.
 */
const slippageScales: ReadonlyMap<number, string> = new Map([
  [4, '1'],
  [2, '100'],
  [0, '10000'],
  [6, '0.01'],
  [8, '0.0001'],
  [18, '0.00000000000001'],
])

/**
 * Reads a slippage at the accepted scale. Without an accepted scale, uses the scale at which the slippage equals the request, unless another scale
 * would mean a larger plausible slippage. Otherwise reads the number as basis points. null if the value is not a number.
 */
export function slippageOf({ value }: TypedLeaf, asked: string, pinned: number | null): { readonly bps: string; readonly scale: number } | null {
  const written = typeof value === 'bigint' ? value.toString() : typeof value === 'string' ? parseDecimal(value) : null
  if (written === null) return null
  const at = (scale: number) => ({ scale, bps: multiply(written, slippageScales.get(scale) ?? '1') })
  if (pinned !== null) return at(pinned)
  const basisPoints = at(4)
  if (equals(basisPoints.bps, asked)) return basisPoints
  const possible = [...slippageScales.keys()].map(at).filter(({ bps }) => compare(bps, largestBps) <= 0)
  const isNeverMore = possible.every(({ bps }) => compare(bps, asked) <= 0)
  return (isNeverMore ? possible.find(({ bps }) => equals(bps, asked)) : undefined) ?? basisPoints
}

/** Whether a value equals the requested slippage (`asked`, in basis points). Used while no scale is accepted yet. */
export const isSlippage = (leaf: TypedLeaf, asked: number): boolean => {
  const found = slippageOf(leaf, String(asked), null)
  return found !== null && equals(found.bps, String(asked))
}
