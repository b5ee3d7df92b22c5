import type { Clock } from '../../../shared/time.ts'

/** A computer's two clocks, moved by a test. */
export interface LockClock extends Clock {
  pass(ms: number): void
  /** Sets the computer’s time of day; the monotonic clock continues unchanged. */
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
