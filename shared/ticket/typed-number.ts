import { multiply, parseDecimal } from '../decimal.ts'

/** Thousands separators are common in pasted amounts; only well-placed ones are taken. Null: not a number. */
export const typedDecimal = (typed: string): string | null => {
  const trimmed = typed.trim()
  return parseDecimal(/^\d{1,3}(,\d{3})+(\.\d*)?$/.test(trimmed) ? trimmed.replaceAll(',', '') : trimmed)
}

/** A whole number of at most four digits, for a leverage; null: something else. */
export const typedWhole = (typed: string): number | null => (/^\d{1,4}$/.test(typed.trim()) ? Number(typed) : null)

/** "0.5" percent are 50 bps; null where it is not a whole number of them. */
export function slippageBps(percent: string): number | null {
  const value = typedDecimal(percent)
  if (value === null) return null
  const bps = multiply(value, '100')
  return /^\d{1,6}$/.test(bps) ? Number(bps) : null
}

export const isBlank = (typed: string): boolean => typed.trim() === ''
