/** The only source of time in the product. Tests pass their own. */
export interface Clock {
  /** Unix time in milliseconds; may jump when the user sets the system clock. */
  now(): number
  /** Milliseconds from an arbitrary start; never decreases. For durations and countdowns. */
  monotonic(): number
}

export const systemClock: Clock = { now: () => Date.now(), monotonic: () => performance.now() }

export const second = 1_000
export const minute = 60 * second
export const hour = 60 * minute
export const day = 24 * hour
