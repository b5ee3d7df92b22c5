import type { Clock } from '../../../shared/time.ts'

/** A computer’s two clocks (time of day and monotonic), controlled by a test. */
export interface LockClock extends Clock {
  pass(ms: number): void
  /** Sets the time of day. The monotonic clock does not change. */
  set(ms: number): void
}

export function createLockClock(now = 1_790_000_000_000): LockClock {
  let [wall, steady] = [now, 0]
  return {
    now: () => wall,
    monotonic: () => steady,
    pass(ms) {
      wall += ms
      steady += ms
    },
    set(ms) {
      wall = ms
    },
  }
}
