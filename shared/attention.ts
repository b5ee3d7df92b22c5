import type { ListedAttention } from './ipc/host/app.ts'
import { durationText } from './signing/wording.ts'
import { minute, second } from './time.ts'

/**
 * If the clocks differ by more than this, the user should set this computer's clock. A wallet's relay compares times with the clock and may start to
 * refuse the app.
 */
const farFromMs = 30 * second

/** Whether the service's clock and this computer's clock differ too much. `offsetMs`: how far the service's clock is ahead. */
export const isClockFar = (offsetMs: number): boolean => Math.abs(offsetMs) > farFromMs

/** Returns a clock difference in words, such as `10 min` or `3 s`. Uses whole minutes from two minutes on. */
export function clockDistanceText(offsetMs: number): string {
  const length = Math.abs(offsetMs)
  return durationText(length < 2 * minute ? length : Math.round(length / minute) * minute)
}

/** Whether the sidebar, the tray and the app's icon count this item. They leave out mere information and items that the user snoozed. */
export const isCounted = ({ severity, snoozed }: Pick<ListedAttention, 'severity' | 'snoozed'>): boolean => severity !== 'info' && snoozed === null
