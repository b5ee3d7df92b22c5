import type { createDeadline, Sleep } from '../../../electron/kernel/deadline.ts'
import type { Clock } from '../../../shared/time.ts'

/** Simulated time that passes only when code sleeps. A sleep returns immediately and triggers all timers that fall into it. */
export interface TestTime {
  readonly clock: Clock
  readonly sleep: Sleep
  readonly startDeadline: typeof createDeadline
  readonly waits: readonly number[]
}

export function createTestTime(startMs = 1_800_000_000_000): TestTime {
  let passed = 0
  const waits: number[] = []
  const deadlines = new Map<object, { readonly at: number; readonly end: () => void }>()
  return {
    clock: { now: () => startMs + passed, monotonic: () => passed },
    waits,
    async sleep(ms, signal) {
      if (signal?.aborted) return false
      waits.push(ms)
      passed += ms
      for (const [key, { at, end }] of [...deadlines])
        if (at <= passed) {
          deadlines.delete(key)
          end()
        }
      return true
    },
    startDeadline(_clock, at, end) {
      const key = {}
      deadlines.set(key, { at, end })
      return { cancel: () => void deadlines.delete(key) }
    },
  }
}
