import { getAddress, type Hex, hexToBigInt, hexToNumber, hexToString, isHex, numberToHex, slice } from 'viem'
import type { TypedLeaf } from '../message/typed-data.ts'

/** Calldata of a function that nobody documents: its selector, and its arguments as far as the ABI's own rules tell them apart. */
export interface CallWords {
  readonly selector: Hex
  /** `arg[0]`; an item of a list is `arg[1][0]`. */
  readonly leaves: readonly TypedLeaf[]
}

const wordBytes = 32
/** More arguments than any function of an exchange has. */
const mostWords = 64

/** Twenty bytes that no amount or id comes near, and that leave the rest of the word empty. */
const isAddressLike = (value: bigint): boolean => value >= 2n ** 120n && value < 2n ** 160n

const leafOf = (path: string, word: Hex): TypedLeaf => {
  const value = hexToBigInt(word)
  return isAddressLike(value)
    ? { path, names: [path], type: 'address', value: getAddress(`0x${word.slice(-40)}`) }
    : { path, names: [path], type: 'word', value }
}

/** Printable text as text, anything else as hex. */
function bytesLeaf(path: string, bytes: Hex): TypedLeaf {
  const text = bytes === '0x' ? '' : hexToString(bytes)
  return { path, names: [path], type: 'bytes', value: /^[\x20-\x7e]*$/.test(text) ? text : bytes }
}

/** Reads the words behind a selector. Null: it is no call of whole words. */
export function readCallWords(data: string): CallWords | null {
  if (!isHex(data) || data.length < 10 || (data.length - 10) % 64 !== 0) return null
  const count = (data.length - 10) / 64
  if (count > mostWords) return null
  const words = Array.from({ length: count }, (_, index): Hex => `0x${data.slice(10 + 64 * index, 74 + 64 * index)}`)
  const valueAt = (index: number): bigint => hexToBigInt(words[index] ?? '0x0')
  /** What stands behind the head, at the place that a word of the head names: text or bytes, or a list of words. */
  const tailAt = (at: number): { readonly used: number; leaves(path: string): readonly TypedLeaf[] } | null => {
    const length = valueAt(at)
    if (length > BigInt(wordBytes * mostWords)) return null
    const bytes = hexToNumber(words[at] ?? '0x0')
    const used = (bytes + wordBytes - 1 - ((bytes + wordBytes - 1) % wordBytes)) / wordBytes
    const body = `0x${words
      .slice(at + 1, at + 1 + used)
      .map((word) => word.slice(2))
      .join('')}` as const
    if (at + used < count && (bytes === 0 || /^0*$/.test(body.slice(2 + 2 * bytes))))
      return { used: used + 1, leaves: (path) => [bytesLeaf(path, bytes === 0 ? '0x' : slice(body, 0, bytes))] }
    return at + bytes < count
      ? { used: bytes + 1, leaves: (path) => words.slice(at + 1, at + 1 + bytes).map((word, index) => leafOf(`${path}[${index}]`, word)) }
      : null
  }
  const leaves: TypedLeaf[] = []
  let head = count
  const covered = new Set<number>()
  for (let index = 0; index < head; index += 1) {
    const path = `arg[${index}]`
    const value = valueAt(index)
    const at = value % 32n === 0n && value > BigInt(wordBytes * index) && value < BigInt(wordBytes * count) ? hexToNumber(numberToHex(value / 32n)) : null
    const tail = at === null || covered.has(at) ? null : tailAt(at)
    if (at === null || tail === null) {
      leaves.push(leafOf(path, words[index] ?? '0x0'))
      continue
    }
    head = at < head ? at : head
    for (let one = at; one < at + tail.used; one += 1) covered.add(one)
    leaves.push(...tail.leaves(path))
  }
  // Words that nothing points at say something too.
  for (let index = head; index < count; index += 1) if (!covered.has(index)) leaves.push(leafOf(`tail[${index}]`, words[index] ?? '0x0'))
  return { selector: slice(data, 0, 4), leaves }
}
