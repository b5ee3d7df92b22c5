import type { Json } from './json.ts'
import { NumberText } from './json.ts'

/**
 * How a dialect writes ids. text: in the exchange's own format. integer: as a number. big_integer: as a number above 2^53. digits: as a string of
 * digits. hex: as 32 bytes in hexadecimal.
 */
export type IdForm = 'text' | 'integer' | 'big_integer' | 'digits' | 'hex'

/** Prefixes of the exchange's own ids, by kind of record. */
export const idPrefixes = { order: 'ord_', position: 'pos_', trade: 'tr_', close: 'cl_', key: 'key_' } as const
export type IdFamily = keyof typeof idPrefixes

/**
 * The dialect writes some ids as numbers. An id that ends in digits becomes a number below this limit. Any other id becomes a number from this limit
 * on, which encodes the id's characters.
 */
const lettersFrom = 2n ** 64n
export const bigIntegerOffset = 2n ** 62n

export const offsetOf = (form: IdForm): bigint => (form === 'big_integer' ? bigIntegerOffset : 0n)

/** Returns the number that represents an id in the dialect. Returns null if `id` does not have the prefix of `family`, the kind of record. */
export function idNumber(family: IdFamily, form: IdForm, id: string): bigint | null {
  const prefix = idPrefixes[family]
  if (!id.startsWith(prefix)) return null
  const rest = id.slice(prefix.length)
  if (/^(0|[1-9]\d{0,17})$/.test(rest)) return BigInt(rest) + offsetOf(form)
  return BigInt(`0x01${Buffer.from(rest.padEnd(8, '\0'), 'utf8').toString('hex')}`)
}

function idOfNumber(family: IdFamily, form: IdForm, number: bigint): string | null {
  const prefix = idPrefixes[family]
  if (number < lettersFrom) return number < offsetOf(form) ? null : `${prefix}${number - offsetOf(form)}`
  const hex = number.toString(16)
  return `${prefix}${Buffer.from(hex.slice(1), 'hex').toString('utf8').replaceAll('\0', '')}`
}

export const hexOf = (number: bigint): `0x${string}` => `0x${number.toString(16).padStart(64, '0')}`

/** Writes an id in the given form. Leaves `id` unchanged if it does not have the prefix of `family`, the kind of record. */
export function writeId(family: IdFamily, form: IdForm, id: string): Json {
  const number = form === 'text' ? null : idNumber(family, form, id)
  if (number === null) return id
  switch (form) {
    case 'digits':
      return number.toString()
    case 'hex':
      return hexOf(number)
    default:
      return new NumberText(number.toString())
  }
}

/**
 * Converts an id in a request to the exchange’s own form. Accepts text and numbers, in decimal or hex. Returns null if `sent` is not an id in the
 * given form.
 */
export function readId(family: IdFamily, form: IdForm, sent: unknown): string | null {
  const text = sent instanceof NumberText ? sent.text : typeof sent === 'number' && Number.isSafeInteger(sent) ? sent.toString() : sent
  if (typeof text !== 'string') return null
  if (form === 'text') return typeof sent === 'string' ? sent : null
  if (!/^(0|[1-9]\d{0,77}|0x[0-9a-fA-F]{1,64})$/.test(text)) return null
  return idOfNumber(family, form, BigInt(text))
}
