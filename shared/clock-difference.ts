import { durationText } from './signing/wording.ts'
import { minute, second } from './time.ts'

/**
 * From this difference on, the user should set the clock: the relay of a wallet, which checks times against this computer's clock, may start to
 * refuse it.
 */
const farFromMs = 30 * second

/** Takes an offset in milliseconds: how far the clock of the service is ahead of this computer. */
export const isClockFar = (offsetMs: number): boolean => Math.abs(offsetMs) > farFromMs

/** Returns `10 min` or `3 s`, for a sentence about this computer's clock. Whole minutes from two minutes on, where seconds no longer matter. */
export function clockDistanceText(offsetMs: number): string {
  const length = Math.abs(offsetMs)
  return durationText(length < 2 * minute ? length : Math.round(length / minute) * minute)
}
