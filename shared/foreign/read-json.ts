import { bare } from './bare.ts'
import type { Foreign } from './foreign.ts'
import { parseJson } from './parse-json.ts'

/** What is nested deeper stands as `deeper` in its place. */
export const deepest = 64
export const deeper = '[deeper]'
/** Lists, objects and their members together: 50,000 candles, the longest list that the document names, have some 400,000 (Public routes). */
export const mostValues = 500_000

/**
 * JSON of another party, with every digit of its numbers as `parseJson` gives them. Never throws, and no walk over what it gives goes deeper
 * than `deepest`. undefined: not JSON, or more than `mostValues`. Linear in the length, without recursion.
 */
export const readJson = (text: Foreign<string>): unknown => parseJson(bare(text), { deepest, deeper, mostValues })
