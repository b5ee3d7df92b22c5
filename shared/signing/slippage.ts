import { compare, equals, multiply, parseDecimal } from '../decimal.ts'
import type { TypedLeaf } from './message/typed-data.ts'

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
