/** The only source of time in the product. Tests use their own clock. */
export interface Clock {
  /** Unix time in milliseconds; may jump when the user sets the system clock. */
  now(): number
  /** Milliseconds since an arbitrary start. Never decreases, so it is suitable for durations and countdowns. */
  monotonic(): number
}

export const systemClock: Clock = { now: () => Date.now(), monotonic: () => performance.now() }

export const second = 1_000
export const minute = 60 * second
export const hour = 60 * minute
export const day = 24 * hour

/**
 * Whole days of a time left in ms, rounded down. Up to two minutes may be missing from a day, so that a key created for 30 days has 30 days left at
 * first. Not for an age, which would look longer than it is.
 */
export const wholeDaysLeft = (ms: number): number => Math.floor((ms + 2 * minute) / day)
