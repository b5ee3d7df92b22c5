import type { Failure } from '../../../shared/ipc/failure.ts'
import type { PollingRate } from '../../../shared/ipc/host/service.ts'
import { ok, type Result } from '../../../shared/result.ts'
import { type Clock, minute, second } from '../../../shared/time.ts'
import type { ApiClient } from '../transport/api-client.ts'

/** How fast anything is read again, for every window and every view alike. */
export interface PollingRateKeeper {
  /** Whether anybody can see the window. */
  shown(visible: boolean): void
  /** Whether the computer sleeps, or its screen is locked. */
  asleep(sleeping: boolean): void
  /** The service answered 429; `retryAfterMs`: what it asked for. */
  refused(retryAfterMs: number): void
  /** To be called once a second: what was slowed down comes back. */
  tick(): void
  read(): PollingRate
  readonly handlers: { 'app.pollingRate': () => Result<PollingRate, Failure> }
}

/** While nobody looks. */
const hiddenLeastMs = 30 * second
const mostFactor = 8
/** Refusals that come together are one: each read that was under way brings its own. */
const oneRefusalMs = 2 * second
/** Without another refusal for so long, it is tried twice as fast again. */
const calmMs = minute

/**
 * The one place that decides how often the service is asked: the views say how fresh they want something, and this says how much slower it is
 * just now. Twice as slow after each refusal, twice as fast after each calm minute.
 */
export function createPollingRate({ clock, onChange }: { readonly clock: Clock; readonly onChange: () => void }): PollingRateKeeper {
  let visible = true
  let sleeping = false
  let factor = 1
  let refusedAt = Number.NEGATIVE_INFINITY
  let refusedUntil = Number.NEGATIVE_INFINITY
  let told = JSON.stringify(read())

  function read(): PollingRate {
    if (sleeping) return { state: 'asleep', factor, leastMs: hiddenLeastMs, stopped: true }
    if (clock.monotonic() < refusedUntil) return { state: 'refused', factor, leastMs: 0, stopped: true }
    if (!visible) return { state: 'hidden', factor, leastMs: hiddenLeastMs, stopped: false }
    return { state: factor > 1 ? 'refused' : 'shown', factor, leastMs: 0, stopped: false }
  }

  const tell = () => {
    const now = JSON.stringify(read())
    if (now === told) return
    told = now
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

/** The same client for what asks by itself, again and again: its calls share the host's budget for polling, and go after everybody who waits. */
export const polling = <A extends Pick<ApiClient, 'call'>>(api: A): A => ({
  ...api,
  call: ((endpoint, request) => api.call(endpoint, { urgency: 'polling', ...request })) satisfies ApiClient['call'],
})
