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

/** The whole days of a duration in ms. The last hour of a day may be missing, so that a key made for 30 days has 30 days left at first. */
export const wholeDays = (ms: number): number => Math.floor((ms + hour) / day)
