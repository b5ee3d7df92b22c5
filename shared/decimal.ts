import Big from 'big.js'

/**
 * This file calculates with decimal numbers as text, for example `"-1.84"`. The app stores money, prices and sizes only in this form. Every function
 * accepts and returns plain decimal text (`-?digits[.digits]`), and throws on any other text, because that is a bug in the caller. Use
 * `parseDecimal` to read what people type.
 */
const Exact = Big()
// In strict mode, big.js refuses JavaScript numbers. So a float can never be used by mistake.
Exact.strict = true
// Decimals kept in divisions. Enough for a price with 30 decimals times an amount with 30 decimals.
Exact.DP = 60
Exact.NE = -1_000
Exact.PE = 1_000

export type Rounding = 'down' | 'up' | 'half_up'

const roundingModes: Record<Rounding, Big.RoundingMode> = { down: 0, half_up: 1, up: 3 }

const decimalPattern = /^-?\d+(\.\d+)?$/

const notDecimal = (value: unknown): TypeError => new TypeError(`Not a decimal number: ${JSON.stringify(value)}`)

const big = (value: string): Big => {
  if (!decimalPattern.test(value)) throw notDecimal(value)
  return new Exact(value)
}

const text = (value: Big): string => {
  const written = value.toFixed()
  return written === '-0' ? '0' : written
}

/** Maximum length of a number in characters. No amount or price in practice is longer. */
const longestNumber = 200

const [minus, point, zero, nine] = [0x2d, 0x2e, 0x30, 0x39]

/**
 * Normalises plain decimal text without arithmetic, in one pass and without a regular expression, because answers contain thousands of numbers.
 * null if the text is not `-?digits[.digits]`.
 */
function trimmed(value: string): string | null {
  const { length } = value
  const first = value.charCodeAt(0) === minus ? 1 : 0
  let [at, start] = [first, first]
  for (; at < length; at += 1) {
    const code = value.charCodeAt(at)
    if (code < zero || code > nine) break
    // A zero before another digit means nothing.
    if (code === zero && at === start && at + 1 < length && isDigit(value.charCodeAt(at + 1))) start += 1
  }
  if (at === first) return null
  let end = at
  if (at < length) {
    if (value.charCodeAt(at) !== point || at + 1 === length) return null
    for (at += 1; at < length; at += 1) {
      const code = value.charCodeAt(at)
      if (code < zero || code > nine) return null
      if (code !== zero) end = at + 1
    }
  }
  if (first === 0) return start === 0 && end === length ? value : value.slice(start, end)
  if (end === start + 1 && value.charCodeAt(start) === zero) return '0'
  return start === first && end === length ? value : `-${value.slice(start, end)}`
}

const isDigit = (code: number): boolean => code >= zero && code <= nine

/** Returns normalised text. Throws for any text that is not `-?digits[.digits]`, as big.js does. */
const plain = (value: string): string => {
  const found = typeof value === 'string' ? trimmed(value) : null
  if (found === null) throw notDecimal(value)
  return found
}

const magnitudeOf = (normal: string): string => (normal.charCodeAt(0) === minus ? normal.slice(1) : normal)
const wholeLength = (normal: string): number => {
  const at = normal.indexOf('.')
  return at < 0 ? normal.length : at
}

export const isDecimal = (value: string): boolean => decimalPattern.test(value)

/**
 * Reads a number that a person or a service wrote. Accepts spaces around it, a leading plus, a missing zero (`.5`, `5.`) and an exponent, but no
 * thousands separators. Returns normalised text; null if the text is not a number.
 */
export function parseDecimal(written: string): string | null {
  const value = written.trim()
  if (value.length > longestNumber) return null
  // A number without an exponent needs no arithmetic, only trimming.
  const normal = trimmed(value)
  if (normal !== null) return normal
  const match = /^([+-]?)(?:(\d+)\.?(\d*)|\.(\d+))(?:e([+-]?\d{1,3}))?$/i.exec(value)
  if (match === null) return null
  const [, sign, whole = '', decimals, bare, power = '0'] = match
  const fraction = decimals ?? bare ?? ''
  const scale = fraction.length - Number(power)
  const digits = `${sign === '-' ? '-' : ''}${whole}${fraction}`
  return scale > 0 ? shifted(digits, scale) : trimmed(`${digits}${'0'.repeat(-scale)}`)
}

/** Removes leading zeros, trailing zeros of the fraction, and the sign of zero. */
export const normalise = (value: string): string => plain(value)

export const add = (a: string, b: string): string => text(big(a).plus(big(b)))
export const subtract = (a: string, b: string): string => text(big(a).minus(big(b)))
export const multiply = (a: string, b: string): string => text(big(a).times(big(b)))

/** Returns `a / b` with at most `decimals` decimals. Throws on division by zero. */
export function divide(a: string, b: string, decimals: number, rounding: Rounding = 'half_up'): string {
  const divisor = big(b)
  if (divisor.eq('0')) throw new RangeError('Division by zero')
  return text(roundBig(big(a).div(divisor), decimals, rounding))
}

export function negate(value: string): string {
  const normal = plain(value)
  return normal === '0' ? normal : normal.charCodeAt(0) === minus ? normal.slice(1) : `-${normal}`
}
export const absolute = (value: string): string => magnitudeOf(plain(value))

/** Returns -1, 0 or 1 if `a` is less than, equal to or greater than `b`. */
export function compare(a: string, b: string): -1 | 0 | 1 {
  const [one, other] = [plain(a), plain(b)]
  if (one === other) return 0
  const [below, otherBelow] = [one.charCodeAt(0) === minus, other.charCodeAt(0) === minus]
  if (below !== otherBelow) return below ? -1 : 1
  const [left, right] = below ? [other.slice(1), one.slice(1)] : [one, other]
  const longer = wholeLength(left) - wholeLength(right)
  // With as many digits before the point, normalised numbers have the order of their texts.
  return (longer === 0 ? left < right : longer < 0) ? -1 : 1
}
export const equals = (a: string, b: string): boolean => plain(a) === plain(b)
export const isZero = (value: string): boolean => plain(value) === '0'
export function signOf(value: string): -1 | 0 | 1 {
  const normal = plain(value)
  return normal === '0' ? 0 : normal.charCodeAt(0) === minus ? -1 : 1
}
export const minimum = (a: string, b: string): string => (compare(a, b) <= 0 ? a : b)
export const maximum = (a: string, b: string): string => (compare(a, b) >= 0 ? a : b)

/** Returns the number of decimals without trailing zeros: 1 for `1.50`. */
export const decimalsOf = (value: string): number => normalise(value).split('.')[1]?.length ?? 0

/** Converts decimal text to integer units: `"1.5"` at scale 6 becomes `1500000n`. null if the value has more decimals than the scale. */
export function toUnits(value: string, scale: number): bigint | null {
  const [whole = '0', fraction = ''] = normalise(value).split('.')
  if (fraction.length > scale) return null
  const negative = whole.startsWith('-')
  const units = BigInt(whole.replace('-', '') + fraction.padEnd(scale, '0'))
  return negative ? -units : units
}

/** Converts integer units to decimal text: `1500000n` at scale 6 becomes `"1.5"`. */
export const fromUnits = (units: bigint, scale: number): string => shifted(units.toString(), scale)

/** Like `fromUnits`, for integer units as text. */
export function shifted(units: string, scale: number): string {
  const isBelow = units.charCodeAt(0) === minus
  const digits = (isBelow ? units.slice(1) : units).padStart(scale + 1, '0')
  const split = digits.length - scale
  const fraction = digits.slice(split)
  return plain(`${isBelow ? '-' : ''}${digits.slice(0, split)}${fraction === '' ? '' : `.${fraction}`}`)
}

/** Rounds to `decimals` decimals. "up" rounds away from zero and "down" rounds towards zero, as in big.js. */
const roundBig = (value: Big, decimals: number, rounding: Rounding): Big => value.round(decimals, roundingModes[rounding])

export const roundTo = (value: string, decimals: number, rounding: Rounding = 'half_up'): string => text(roundBig(big(value), decimals, rounding))

/** Rounds to a multiple of `step`, for example to a market's tick size. Throws if the step is not above zero. */
export function roundToStep(value: string, step: string, rounding: Rounding = 'half_up'): string {
  if (signOf(step) <= 0) throw new RangeError('A step must be above zero')
  return multiply(divide(value, step, 0, rounding), step)
}

export const isMultipleOf = (value: string, step: string): boolean => signOf(step) > 0 && text(big(value).mod(big(step))) === '0'

/** Returns `part` as a percentage of `whole`; null if the whole is zero. */
export const percentOf = (part: string, whole: string, decimals: number): string | null =>
  isZero(whole) ? null : divide(multiply(part, '100'), whole, decimals)

/** Returns the change from `from` to `to` as a percentage of `from`; null if `from` is zero. */
export const changePercent = (from: string, to: string, decimals: number): string | null => percentOf(subtract(to, from), from, decimals)

/** Returns `bps` basis points of a value (1 bps is 0.01%). Exact. */
export const basisPointsOf = (value: string, bps: number): string => multiply(multiply(value, bps.toString()), '0.0001')

/** Converts basis points to percent: 50 bps are `"0.5"` percent. */
export const basisPointsToPercent = (bps: number): string => multiply(bps.toString(), '0.01')

export interface DecimalFormat {
  /** Shows exactly this many decimals, rounded half up. Without this option, shows all decimals of the value. */
  readonly decimals?: number
  /** Shows at least this many decimals. Ignored if `decimals` is set. */
  readonly minDecimals?: number
  /** `always` puts a plus before positive values. */
  readonly sign?: 'auto' | 'always'
  /** Groups thousands with commas. Default true. */
  readonly grouped?: boolean
}

/** Formats a number for display: `"-1234.5"` with two decimals is `−1,234.50` (U+2212). A value that rounds to zero has no sign. */
export function formatDecimal(value: string, format: DecimalFormat = {}): string {
  const rounded = format.decimals === undefined ? normalise(value) : roundTo(value, format.decimals)
  const [whole = '0', fraction = ''] = rounded.replace('-', '').split('.')
  const shown = fraction.padEnd(format.decimals ?? format.minDecimals ?? 0, '0')
  const grouped = format.grouped === false ? whole : whole.replace(/\B(?=(\d{3})+$)/g, ',')
  const sign = signOf(rounded)
  const prefix = sign < 0 ? '−' : sign > 0 && format.sign === 'always' ? '+' : ''
  return `${prefix}${grouped}${shown === '' ? '' : `.${shown}`}`
}

/** How to show the user's own amounts: formatted, or hidden. */
export type AmountFormat = (value: string, format?: DecimalFormat) => string

/** Hides an amount: shows the same text for every amount, so that its width does not reveal the amount. */
export const hiddenAmount: AmountFormat = () => '••••'

/** Formats a count for display, in the same way in every language: `12,345`. */
export const formatCount = (count: number): string => count.toLocaleString('en-US')
