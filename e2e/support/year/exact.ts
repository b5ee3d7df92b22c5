/** Exact arithmetic of the tests' own, so that a mistake in the app's cannot hide itself. A number is a whole count of 10^-36. */
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

/** A number that the app shows, such as `−1,234.50`. */
export const read = (shown: string): bigint => exact(shown.replaceAll(',', '').replace('−', '-').replace('+', ''))

interface Shown {
  /** Exactly this many decimals, the last one rounded half up. */
  readonly decimals?: number
  /** At least this many. */
  readonly minDecimals?: number
  readonly plus?: boolean
}

/** A number as the app has to show it: grouped, with U+2212 for minus, and without a sign if it rounds to zero. */
export function shown(value: bigint, { decimals, minDecimals = 0, plus = false }: Shown = {}): string {
  const size = value < 0n ? -value : value
  const step = 10n ** BigInt(places - (decimals ?? places))
  const digits = (((size + step / 2n) / step) * step).toString().padStart(places + 1, '0')
  const part = decimals === undefined ? digits.slice(-places).replace(/0+$/, '').padEnd(minDecimals, '0') : digits.slice(-places).slice(0, decimals)
  const whole = digits.slice(0, -places).replace(/\B(?=(\d{3})+$)/g, ',')
  const sign = /^[0,]+$/.test(whole + part) ? '' : value < 0n ? '−' : plus ? '+' : ''
  return `${sign}${whole}${part === '' ? '' : `.${part}`}`
}
