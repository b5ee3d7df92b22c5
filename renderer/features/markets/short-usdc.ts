import { absolute, compare, divide, formatDecimal } from '../../../shared/decimal.ts'

const units = [
  ['1000000000', 'B'],
  ['1000000', 'M'],
  ['1000', 'k'],
] as const

/** `184.27 M`: an amount where there is no room for all its digits. */
export function shortUsdc(value: string): string {
  const unit = units.find(([least]) => compare(absolute(value), least) >= 0)
  return unit === undefined ? formatDecimal(value, { decimals: 2 }) : `${formatDecimal(divide(value, unit[0], 2), { decimals: 2 })} ${unit[1]}`
}
