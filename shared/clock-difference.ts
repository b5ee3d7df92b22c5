import { durationText } from './signing/wording.ts'
import { minute, second } from './time.ts'

/** From here on a person should set the clock: a wallet's relay, which goes by this computer's clock, may begin to refuse it. */
const farFromMs = 30 * second

/** Offsets are the milliseconds by which the service's clock is ahead of this computer's. */
export const isClockFar = (offsetMs: number): boolean => Math.abs(offsetMs) > farFromMs

/** `10 min behind`, `3 s ahead of`, for a sentence about this computer's clock. Whole minutes from two on: nobody sets a clock by the second. */
export const clockDifferenceText = (offsetMs: number): string => `${clockDistanceText(offsetMs)} ${offsetMs > 0 ? 'behind' : 'ahead of'}`

/** The same without the direction. */
export function clockDistanceText(offsetMs: number): string {
  const length = Math.abs(offsetMs)
  return durationText(length < 2 * minute ? length : Math.round(length / minute) * minute)
}
