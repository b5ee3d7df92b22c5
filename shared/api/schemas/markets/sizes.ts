import { absolute, divide, isZero } from '../../../decimal.ts'

/** What an amount in USDC, to the cent, is in base units at a price: to the digits that a cent tells, and one more. */
export function sizeFrom(valueUsdc: string | null, price: string | null): string | null {
  if (valueUsdc === null || price === null || isZero(price)) return null
  const [whole = ''] = absolute(price).split('.', 1)
  return divide(valueUsdc, price, whole.length + 3)
}
