import { day } from '../../../shared/time.ts'

export interface AxisStop {
  readonly days: number
  readonly label: string
}

const near: readonly AxisStop[] = [
  { days: 0, label: 'Today' },
  { days: 7, label: '7 d' },
  { days: 30, label: '30 d' },
  { days: 90, label: '90 d' },
  { days: 180, label: '180 d' },
  { days: 365, label: '1 y' },
]

/** For keys of up to 2000 days (API key, `expires_in_days`). */
const far: readonly AxisStop[] = [...near.slice(0, 4), { days: 365, label: '1 y' }, { days: 2000, label: '5.5 y' }]

/** Evenly spaced stops, so that the near days take most of the room. Longer keys stretch only the end. */
export const axisStops = (longestDays: number): readonly AxisStop[] => (longestDays > 365 ? far : near)

/** Where a number of days stands, 0 to 100 percent; straight between two stops, clamped at both ends. */
export function axisPosition(days: number, stops: readonly AxisStop[]): number {
  const share = 100 / (stops.length - 1)
  for (let index = 1; index < stops.length; index++) {
    const from = stops[index - 1]
    const to = stops[index]
    if (from === undefined || to === undefined || days > to.days) continue
    return share * (index - 1 + Math.max(0, days - from.days) / (to.days - from.days))
  }
  return 100
}

export type ExpiryTone = 'over' | 'bad' | 'warn' | 'calm'

/** A week is when a bot must be moved, two weeks is when to plan it. */
export function expiryTone(leftMs: number): ExpiryTone {
  if (leftMs <= 0) return 'over'
  if (leftMs < 7 * day) return 'bad'
  return leftMs < 14 * day ? 'warn' : 'calm'
}
