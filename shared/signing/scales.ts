import { compare, decimalsOf, equals, fromUnits, isZero, multiply, parseDecimal, toUnits } from '../decimal.ts'
import type { TypedLeaf } from './message/typed-data.ts'

/** Decimals that integers of a message may have. USDC has 6; 8, 18 and 30 are usual for prices. */
export const candidateScales = [0, 2, 4, 6, 8, 9, 10, 12, 18, 24, 27, 30] as const

/** What values of one kind (amounts in USDC, prices, leverage) have in common. */
export interface ScaleKind {
  /** The scale that the chain itself suggests: 6 for USDC, 0 for leverage. null: none does. */
  readonly native: number | null
  /** Readings up to this at the native scale are possible ones. */
  readonly largest: string
  /** At which a value that fits nothing is shown. */
  readonly fallback: number
}

// More USDC than there is; a leverage that no exchange offers.
export const usdcScale: ScaleKind = { native: 6, largest: '100000000000', fallback: 6 }
export const priceScale: ScaleKind = { native: null, largest: '0', fallback: 8 }
export const leverageScale: ScaleKind = { native: 0, largest: '1000', fallback: 0 }

/** Sizes in base units: nothing suggests a scale. */
export const sizeScale: ScaleKind = { native: null, largest: '0', fallback: 8 }

export interface ScaledValue {
  readonly units: bigint
  /** Above zero. */
  readonly asked: string
}

export interface ScaledReading {
  readonly matches: boolean
  /** The value as it is read at the scale of its kind. */
  readonly reading: string
  /** Another reading that is possible and is not what was asked for. */
  readonly ambiguous: string | null
}

/** The one scale at which the value is what was asked for; zero is so at every scale and never asked for here. */
export function matchingScale({ units, asked }: ScaledValue): number | null {
  return isZero(asked) ? null : (candidateScales.find((scale) => toUnits(asked, scale) === units) ?? null)
}

/**
 * What else an integer may stand for that reads as `asked` at one scale, by what is known of such values: none of them is larger than `largest`, and
 * none has more than `decimals` decimals. Null in place of one: nothing is known. The largest of them; null: it can be read in one way.
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
 * Reads all values of one kind at one scale: the pinned one, else the one at which they match. Values that match at
 * different scales do not all match. A value that matches only away from the native scale, while its reading at the native
 * scale is possible too, is readable at two scales and does not match (FLOW-02).
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
    // Two prices at two scales: it cannot be told which of them is right.
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

/** No slippage is as large: that is everything. */
const largestBps = '10000'
/** Basis points in one of a number, by the decimals that a part of one is written with: 4 are basis points, 2 percent. */
const slippageScales: ReadonlyMap<number, string> = new Map([
  [4, '1'],
  [2, '100'],
  [0, '10000'],
  [6, '0.01'],
  [8, '0.0001'],
  [18, '0.00000000000001'],
])

/**
 * The scale at which a slippage was agreed to, else the one at which it is as asked, where none makes it more than that; else basis points. null: not a number.
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

/** Whether a value of no agreed scale is the slippage that was asked for, in basis points. */
export const isSlippage = (leaf: TypedLeaf, asked: number): boolean => {
  const found = slippageOf(leaf, String(asked), null)
  return found !== null && equals(found.bps, String(asked))
}
