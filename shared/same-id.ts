/**
 * This file compares ids by value. The API document does not show the form of order and position ids (Resources: states of orders and positions not
 * shown). So the same id may arrive as a number, text, hex or 32 bytes. `90003`, `"90003"`, `0x15f93` and a `uint256` of this value are equal. `007`
 * is text and not equal to 7, because its leading zeros may be intentional.
 */

const wholeNumber = /^(?:0|[1-9]\d{0,77})$/
const hexText = /^0x[0-9a-fA-F]{1,64}$/
const word = /^0x[0-9a-f]{64}$/

/** Decodes hex digits to printable ASCII; null if the bytes are anything else. */
function asciiOf(hex: string): string | null {
  const codes = hex.match(/../g)?.map((byte) => Number.parseInt(byte, 16)) ?? []
  return codes.length > 0 && codes.every((code) => code >= 0x20 && code < 0x7f) ? String.fromCharCode(...codes) : null
}

const ofNumber = (value: bigint): string => value.toString()

const ofText = (value: string): string => (wholeNumber.test(value) ? value : hexText.test(value) ? ofNumber(BigInt(value)) : `text ${value}`)

/**
 * A 32-byte id normally encodes a number. Returns what else it may mean: text with zeros before or after it, or a shorter number followed by zeros.
 */
function ofPadded(value: string): readonly string[] {
  const digits = value.slice(2)
  const front = digits.replace(/(?:00)+$/, '')
  const back = digits.replace(/^(?:00)+/, '')
  const isFront = front !== digits && front !== '' && !digits.startsWith('00')
  const frontText = isFront ? asciiOf(front) : null
  // Bytes after leading zeros normally encode a number, but may also be text. Text of digits does not count, because the id would then mean a second
  // number.
  const backText = back !== digits && back !== '' ? asciiOf(back) : null
  return [
    ...(isFront ? [ofNumber(BigInt(`0x${front}`))] : []),
    ...(frontText === null ? [] : [ofText(frontText)]),
    ...(backText === null || wholeNumber.test(backText) ? [] : [ofText(backText)]),
  ]
}

function readings(value: unknown): ReadonlySet<string> {
  if (typeof value === 'bigint') return new Set(value < 0n ? [] : [ofNumber(value)])
  if (typeof value === 'number') return new Set(Number.isSafeInteger(value) && value >= 0 ? [value.toString()] : [])
  if (typeof value !== 'string' || value === '') return new Set()
  const written = value.toLowerCase()
  return new Set([ofText(value), ...(word.test(written) ? ofPadded(written) : [])])
}

/** Returns the canonical spelling of an id, for use as a map key: decimal for a number, and unchanged for other text. */
export const canonicalId = (id: string): string => (hexText.test(id) ? ofNumber(BigInt(id)) : id)

/** Whether two ids mean the same order or position, in any form. An empty id never matches. */
export function sameId(a: unknown, b: unknown): boolean {
  const other = readings(b)
  return [...readings(a)].some((reading) => other.has(reading))
}
