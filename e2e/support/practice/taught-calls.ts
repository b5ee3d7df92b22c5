import { concat, decodeAbiParameters, type Hex, hexToBigInt, hexToString, pad, parseAbiParameters, size, slice, stringToHex, toHex } from 'viem'
import type { TaughtCall } from '../../../electron/practice/chain/router-intents.ts'

const layoutParameter = parseAbiParameters([
  'Layout layout',
  'struct Layout { bytes4 target; uint256 base; string prefix; Argument[] arguments; }',
  'struct Argument { uint256 source; uint256 word; uint256 change; }',
])

/**
 * In-memory counterpart of the router contract’s fallback function. It translates calls in formats that a test has registered into calls of the
 * router’s own functions.
 */
export interface TaughtCalls {
  teach(calls: readonly TaughtCall[]): void
  /** Translates calldata in a format that a test registered into the router’s own calldata. Returns any other calldata unchanged. */
  own(data: Hex): Hex
}

export function createTaughtCalls(): TaughtCalls {
  const known = new Map<string, Hex>()
  return {
    teach: (calls) => {
      for (const { selector, taught } of calls) known.set(selector, taught)
    },
    own: (data) => {
      const taught = known.get(data.slice(0, 10))
      return taught === undefined ? data : ownCall(taught, data)
    },
  }
}

function ownCall(taught: Hex, data: Hex): Hex {
  const [{ target, base, prefix, arguments: parts }] = decodeAbiParameters(layoutParameter, taught)
  const wordAt = (start: number): Hex => slice(data, start, start + 32)
  const idOf = ({ source, word, change }: (typeof parts)[number]): string => {
    const value = wordAt(4 + 32 * Number(word))
    if (source === 1n) return `${prefix}${hexToBigInt(value) - change}`
    if (source === 4n) return hexToString(value, { size: 32 }).replaceAll('\0', '')
    const start = 4 + Number(base) + Number(hexToBigInt(value))
    const length = Number(hexToBigInt(wordAt(start)))
    const text = length === 0 ? '' : hexToString(slice(data, start + 32, start + 32 + length))
    return source === 2n ? text : `${prefix}${text}`
  }
  const words = parts.map((part) =>
    part.source === 0n ? toHex(hexToBigInt(wordAt(4 + 32 * Number(part.word))) / part.change, { size: 32 }) : toHex(32 * parts.length, { size: 32 }),
  )
  const id = parts.find(({ source }) => source !== 0n)
  if (id === undefined) return concat([target, ...words])
  const text = stringToHex(idOf(id))
  return concat([target, ...words, toHex(size(text), { size: 32 }), pad(text, { dir: 'right', size: Math.ceil(size(text) / 32) * 32 })])
}
