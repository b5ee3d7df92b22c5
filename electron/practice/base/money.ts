import { add, roundTo } from '../../../shared/decimal.ts'

const decimalText = /^(?:0|[1-9]\d{0,29})(?:\.\d{1,18})?$/

/** True if the value is a decimal string as the API document defines it: digits, at most one point, no sign, no exponent. */
export const isDecimalText = (value: unknown): value is string => typeof value === 'string' && decimalText.test(value)

export const sum = (values: readonly string[]): string => values.reduce(add, '0')

/** Formats a number with exactly `decimals` digits after the point, rounded half up. */
export function fixed(value: string, decimals: number): string {
  const [whole = '0', fraction = ''] = roundTo(value, decimals).split('.')
  return decimals === 0 ? whole : `${whole}.${fraction.padEnd(decimals, '0')}`
}

/** Counts the decimals as written: 7 for `1.0000000`. The API document limits the number of written digits, even if they are zeros. */
export const writtenDecimals = (text: string): number => text.split('.')[1]?.length ?? 0
