import { compare } from '../decimal.ts'
import type { GuardRails } from '../ipc/intents/guards.ts'

/** No rail at all. */
export const noRails: GuardRails = { orderValueUsdc: null, leverage: null, dailyLossUsdc: null, markets: null }

export type RailName = keyof GuardRails

/** The rails that a change raises or takes away: those need the user's typed word. */
export function loosened(before: GuardRails, after: GuardRails): readonly RailName[] {
  const above = (was: string | null, is: string | null): boolean => was !== null && (is === null || compare(is, was) > 0)
  const rails: RailName[] = []
  if (above(before.orderValueUsdc, after.orderValueUsdc)) rails.push('orderValueUsdc')
  if (before.leverage !== null && (after.leverage === null || after.leverage > before.leverage)) rails.push('leverage')
  if (above(before.dailyLossUsdc, after.dailyLossUsdc)) rails.push('dailyLossUsdc')
  const { markets: allowed } = before
  if (allowed !== null && (after.markets === null || after.markets.some((id) => !allowed.includes(id)))) rails.push('markets')
  return rails
}
