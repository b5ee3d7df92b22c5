import { durationText } from './signing/wording.ts'
import { minute, second } from './time.ts'

/**
 * Beyond this difference, the user should set the clock. A wallet's relay compares times with this computer's clock and may start to refuse the app.
 */
const farFromMs = 30 * second

/** `offsetMs`: how far the service's clock is ahead of this computer's. */
export const isClockFar = (offsetMs: number): boolean => Math.abs(offsetMs) > farFromMs

/** Returns `10 min` or `3 s`, for a sentence about this computer's clock. Uses whole minutes from two minutes on. */
export function clockDistanceText(offsetMs: number): string {
  const length = Math.abs(offsetMs)
  return durationText(length < 2 * minute ? length : Math.round(length / minute) * minute)
}
