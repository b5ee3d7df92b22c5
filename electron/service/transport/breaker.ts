import { type Clock, second } from '../../../shared/time.ts'
import type { LimiterClass } from './limiter.ts'

export interface BreakerPauses {
  /** After this many failures in a row, the breaker pauses the host. */
  readonly failuresToOpen: number
  readonly firstPauseMs: number
  readonly longestPauseMs: number
}

const usualPauses: BreakerPauses = { failuresToOpen: 5, firstPauseMs: 2 * second, longestPauseMs: 30 * second }

/**
 * Pauses reads from a host that does not answer, separately for each class of routes. The app sends writes (such as a cancel) during a pause too, and
 * their failures also count.
 */
export interface Breaker {
  /** False while requests are paused. After the pause, allows one request, which tests the host. */
  allows(kind: LimiterClass): boolean
  succeeded(kind: LimiterClass): void
  /** Records a failure. `leastMs` is how long the host asked the app to wait, if it did. */
  failed(kind: LimiterClass, leastMs?: number): void
}

export function createBreaker(clock: Clock, { failuresToOpen, firstPauseMs, longestPauseMs }: BreakerPauses = usualPauses): Breaker {
  const fresh = () => ({ failures: 0, openUntil: Number.NEGATIVE_INFINITY, pauseMs: firstPauseMs })
  const states = { developer: fresh(), versioned: fresh(), public: fresh() }
  return {
    allows(kind) {
      const state = states[kind]
      if (state.failures < failuresToOpen) return true
      const now = clock.monotonic()
      if (now < state.openUntil) return false
      state.openUntil = now + state.pauseMs
      return true
    },
    succeeded(kind) {
      states[kind] = fresh()
    },
    failed(kind, leastMs = 0) {
      const state = states[kind]
      state.failures += 1
      if (state.failures < failuresToOpen) return
      if (state.failures > failuresToOpen) state.pauseMs = Math.min(longestPauseMs, state.pauseMs * 2)
      state.openUntil = clock.monotonic() + Math.max(state.pauseMs, leastMs)
    },
  }
}
