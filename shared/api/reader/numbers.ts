import { divide, multiply, parseDecimal, shifted } from '../../decimal.ts'
import type { RatioUnit } from './units.ts'

/** A number as the service wrote it: normalised decimal text, whether it has a decimal point or exponent, and the unit after the number. */
export interface WrittenNumber {
  readonly value: string
  readonly pointed: boolean
  /** The unit after the number, for example `%` or `USDC`; null if there is no unit. */
  readonly suffix: string | null
}

const withSuffix = /^([+-]?[\d.]+(?:e[+-]?\d{1,3})?) ?(%|[A-Za-z]{2,8})$/

/** Reads a number from text or a JSON number. Accepts `"1.84%"`, `"100.50 USDC"` and `1.5e-7`. */
export function readNumber(value: unknown): WrittenNumber | undefined {
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) return undefined
    const written = parseDecimal(String(value))
    return written === null ? undefined : { value: written, pointed: !Number.isInteger(value), suffix: null }
  }
  if (typeof value !== 'string' || value.length > 200) return undefined
  const plain = parseDecimal(value)
  // Text that is already normalised has no exponent.
  if (plain !== null) return { value: plain, pointed: value.includes('.') || (plain !== value && /e-/i.test(value)), suffix: null }
  const match = withSuffix.exec(value.trim().replace(/^\$/, ''))
  const number = match?.[1] === undefined ? null : parseDecimal(match[1])
  return number === null ? (value.startsWith('$') ? readDollars(value) : undefined) : { value: number, pointed: true, suffix: match?.[2] ?? null }
}

function readDollars(value: string): WrittenNumber | undefined {
  const number = parseDecimal(value.slice(1))
  return number === null ? undefined : { value: number, pointed: true, suffix: 'USD' }
}

/** Divides an integer by ten to the power of `scale`. Returns a number with a decimal point unchanged. */
export function fromScale({ value, pointed }: WrittenNumber, scale: number): string {
  if (pointed || value.includes('.')) return value
  return shifted(value, scale)
}

const percentOf: Readonly<Record<RatioUnit, string>> = { percent: '1', fraction: '100', bps: '0.01', ppm: '0.0001' }

export const toPercent = (value: string, unit: RatioUnit): string => multiply(value, percentOf[unit])

/** Converts a rate for a period of `hours` to an hourly rate, with at most 12 decimals. */
export const toHourly = (value: string, hours: number): string => (hours === 1 ? value : divide(value, String(hours), 12))

/** The number of digits before the decimal point of decimal text, as `parseDecimal` returns it. */
export function wholeDigits(value: string): number {
  const point = value.indexOf('.')
  return (point < 0 ? value.length : point) - (value.startsWith('-') ? 1 : 0)
}

/** Reads a number of decimals. The service may write it directly (8) or as a power of ten (100000000). */
export function scaleOf(value: unknown): number | null {
  const number = readNumber(value)?.value
  if (number === undefined || !/^-?\d{1,31}$/.test(number)) return null
  const power = /^10+$/.exec(number)
  if (power !== null && number.length > 2) return number.length - 1
  const digits = Math.abs(Number(number))
  return digits <= 30 ? digits : null
}
