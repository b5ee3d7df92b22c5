/**
 * Exact arithmetic of the tests, independent of the app’s, so that an error in the app’s arithmetic cannot hide. A number is a count of units of
 * 10^-36.
 */
const places = 36
const one = 10n ** BigInt(places)

export function exact(written: string): bigint {
  const [, sign, whole = '', part = ''] = /^(-?)(\d+)(?:\.(\d{1,36}))?$/.exec(written) ?? []
  if (whole === '') throw new Error(`not a decimal number: ${written}`)
  const size = BigInt(whole + part.padEnd(places, '0'))
  return sign === '-' ? -size : size
}

export const product = (a: string, b: string): bigint => (exact(a) * exact(b)) / one
export const total = (numbers: readonly bigint[]): bigint => numbers.reduce((sum, each) => sum + each, 0n)

/** Parses a number as the app shows it, such as `−1,234.50`. */
export const read = (shown: string): bigint => exact(shown.replaceAll(',', '').replace('−', '-').replace('+', ''))

interface Shown {
  /** Number of decimals; the last one is rounded half up. */
  readonly decimals?: number
  readonly minDecimals?: number
  readonly plus?: boolean
}

/** Formats a number as the app must show it: thousands separators, U+2212 as minus sign, no sign if rounded to zero. */
export function shown(value: bigint, { decimals, minDecimals = 0, plus = false }: Shown = {}): string {
  const size = value < 0n ? -value : value
  const step = 10n ** BigInt(places - (decimals ?? places))
  const digits = (((size + step / 2n) / step) * step).toString().padStart(places + 1, '0')
  const part = decimals === undefined ? digits.slice(-places).replace(/0+$/, '').padEnd(minDecimals, '0') : digits.slice(-places).slice(0, decimals)
  const whole = digits.slice(0, -places).replace(/\B(?=(\d{3})+$)/g, ',')
  const sign = /^[0,]+$/.test(whole + part) ? '' : value < 0n ? '−' : plus ? '+' : ''
  return `${sign}${whole}${part === '' ? '' : `.${part}`}`
}
