import { getAddress, isAddress, isHex } from 'viem'
import type { TypedDataProblem } from '../../ipc/intents/reasons.ts'

/** An error thrown if a message is refused. `parseTypedData` catches it and returns a failure instead. */
export class Refusal extends Error {
  readonly problem: TypedDataProblem

  constructor(problem: TypedDataProblem) {
    super(problem.code)
    this.problem = problem
  }
}

export const refuse = (problem: TypedDataProblem): never => {
  throw new Refusal(problem)
}

const maxText = 4_096

/** Whether an integer type such as `uint64` is signed, and its number of bits; null for other types. */
const integerBits = (type: string): { readonly signed: boolean; readonly bits: number } | null => {
  const match = /^(u?)int(\d{1,3})$/.exec(type)
  const bits = Number(match?.[2])
  return match !== null && bits >= 8 && bits <= 256 && bits % 8 === 0 && String(bits) === match[2] ? { signed: match[1] === '', bits } : null
}

const bytesLength = (type: string): number | null => {
  const match = /^bytes(\d{1,2})$/.exec(type)
  const length = Number(match?.[1])
  return match !== null && length >= 1 && length <= 32 && String(length) === match[1] ? length : null
}

export const isAtomic = (type: string): boolean =>
  type === 'address' || type === 'bool' || type === 'string' || type === 'bytes' || integerBits(type) !== null || bytesLength(type) !== null

export const arrayOf = (type: string): { readonly item: string; readonly length: number | null } | null => {
  const match = /^(.+)\[(\d*)\]$/.exec(type)
  return match?.[1] === undefined ? null : { item: match[1], length: match[2] === '' || match[2] === undefined ? null : Number(match[2]) }
}

export const baseOf = (type: string): string => {
  const array = arrayOf(type)
  return array === null ? type : baseOf(array.item)
}

function readInteger(type: string, value: unknown, path: string, range: { readonly signed: boolean; readonly bits: number }): bigint {
  const number =
    typeof value === 'bigint'
      ? value
      : typeof value === 'number' && Number.isSafeInteger(value)
        ? BigInt(value)
        : typeof value === 'string' && /^(-?\d{1,78}|0x[0-9a-fA-F]{1,64})$/.test(value)
          ? BigInt(value)
          : null
  if (number === null) return refuse({ code: 'no_integer', path })
  const [low, high] = range.signed ? [-(1n << BigInt(range.bits - 1)), (1n << BigInt(range.bits - 1)) - 1n] : [0n, (1n << BigInt(range.bits)) - 1n]
  return number < low || number > high ? refuse({ code: 'out_of_range', path, type }) : number
}

/**
 * Reads a value of a basic type. Returns addresses with checksum, bytes in lower case, and integers as bigint. Throws `Refusal` if the value is
 * invalid.
 */
export function readAtomic(type: string, value: unknown, path: string): string | boolean | bigint {
  const range = integerBits(type)
  if (range !== null) return readInteger(type, value, path, range)
  if (type === 'bool') return typeof value === 'boolean' ? value : refuse({ code: 'no_boolean', path })
  if (typeof value !== 'string') return refuse({ code: 'no_text', path })
  if (type === 'string') {
    if (value.length > maxText) return refuse({ code: 'text_too_long', path, most: maxText })
    return value.isWellFormed() ? value : refuse({ code: 'broken_text', path })
  }
  if (type === 'address') return isAddress(value, { strict: false }) ? getAddress(value) : refuse({ code: 'no_address', path })
  const length = bytesLength(type)
  if (!isHex(value, { strict: true }) || value.length % 2 !== 0 || value.length > 2 + 2 * maxText) return refuse({ code: 'no_hex', path })
  return length !== null && value.length !== 2 + 2 * length ? refuse({ code: 'wrong_length', path, bytes: length }) : value.toLowerCase()
}
