import type { Clock } from '../../../shared/time.ts'

/** A computer's two clocks, moved by a test. */
export interface LockClock extends Clock {
  pass(ms: number): void
  /** The computer's time of day is set; the other clock goes on. */
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
