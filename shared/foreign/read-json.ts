import { bare } from './bare.ts'
import { endOfText } from './end-of-text.ts'
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
export function readJson(text: Foreign<string>): unknown {
  const bounded = withinBounds(bare(text))
  return bounded === null ? undefined : parseJson(bounded)
}

const [quote, comma] = [0x22, 0x2c]
const [openList, openObject, closeList, closeObject] = [0x5b, 0x7b, 0x5d, 0x7d]

/** The same text where nothing is too deep. null: too many values, or an end is missing. */
function withinBounds(text: string): string | null {
  let [depth, values, keptFrom, cutFrom] = [0, 0, 0, 0]
  let kept = ''
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case quote:
        at = endOfText(text, at + 1)
        break
      case openList:
      case openObject:
        depth += 1
        if (depth <= deepest) values += 1
        if (depth === deepest + 1) cutFrom = at
        break
      case closeList:
      case closeObject:
        if (depth === deepest + 1) {
          kept += `${text.slice(keptFrom, cutFrom)}"${deeper}"`
          keptFrom = at + 1
        }
        depth -= 1
        break
      case comma:
        if (depth <= deepest) values += 1
    }
    if (values > mostValues) return null
  }
  if (depth > deepest) return null
  return keptFrom === 0 ? text : kept + text.slice(keptFrom)
}
