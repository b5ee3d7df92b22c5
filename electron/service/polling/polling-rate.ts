import type { Failure } from '../../../shared/ipc/failure.ts'
import type { PollingRate } from '../../../shared/ipc/host/service.ts'
import { ok, type Result } from '../../../shared/result.ts'
import { type Clock, minute, second } from '../../../shared/time.ts'
import type { ApiClient } from '../transport/api-client.ts'

/** Decides how often all windows and views of the app poll the service. */
export interface PollingRateKeeper {
  /** Call when the window becomes visible or hidden. */
  shown(visible: boolean): void
  /** Call when the computer falls asleep or wakes, or its screen is locked or unlocked. */
  asleep(sleeping: boolean): void
  /** Call when the service answered 429. `retryAfterMs` is how long it asked the app to wait. */
  refused(retryAfterMs: number): void
  /** Call once a second. After some time without refusals, raises the polling rate again. */
  tick(): void
  read(): PollingRate
  readonly handlers: { 'app.pollingRate': () => Result<PollingRate, Failure> }
}

/** Minimum interval between two polls while no window is visible. */
const hiddenLeastMs = 30 * second
const mostFactor = 8
/** Several refusals within this time count as one, because each of several simultaneous reads reports a refusal. */
const oneRefusalMs = 2 * second
/** After this long without a refusal, the polling rate doubles. */
const calmMs = minute

/**
 * Decides how often the whole app polls. Each view sets how fresh its data must be, and the polling rate slows down all views alike. The interval
 * doubles after each refusal, and halves after each minute without a refusal.
 */
export function createPollingRate({ clock, onChange }: { readonly clock: Clock; readonly onChange: () => void }): PollingRateKeeper {
  let visible = true
  let sleeping = false
  let factor = 1
  let refusedAt = Number.NEGATIVE_INFINITY
  let refusedUntil = Number.NEGATIVE_INFINITY
  let announced = JSON.stringify(read())

  function read(): PollingRate {
    if (sleeping) return { state: 'asleep', factor, leastMs: hiddenLeastMs, stopped: true }
    if (clock.monotonic() < refusedUntil) return { state: 'refused', factor, leastMs: 0, stopped: true }
    if (!visible) return { state: 'hidden', factor, leastMs: hiddenLeastMs, stopped: false }
    return { state: factor > 1 ? 'refused' : 'shown', factor, leastMs: 0, stopped: false }
  }

  const tell = () => {
    const now = JSON.stringify(read())
    if (now === announced) return
    announced = now
    onChange()
  }

  return {
    read,
    handlers: { 'app.pollingRate': () => ok(read()) },
    shown(now) {
      visible = now
      tell()
    },
    asleep(now) {
      sleeping = now
      tell()
    },
    refused(retryAfterMs) {
      const now = clock.monotonic()
      if (now - refusedAt >= oneRefusalMs) factor = Math.min(mostFactor, factor * 2)
      refusedAt = now
      refusedUntil = Math.max(refusedUntil, now + retryAfterMs)
      tell()
    },
    tick() {
      if (factor > 1 && clock.monotonic() - Math.max(refusedAt, refusedUntil) >= calmMs) {
        factor /= 2
        refusedAt = clock.monotonic()
      }
      tell()
    },
  }
}

/**
 * Wraps a client for calls that the app repeats automatically. They share the host's limit for polling, and calls for which a user waits go first.
 */
export const polling = <A extends Pick<ApiClient, 'call'>>(api: A): A => ({
  ...api,
  call: ((endpoint, request) => api.call(endpoint, { urgency: 'polling', ...request })) satisfies ApiClient['call'],
})
