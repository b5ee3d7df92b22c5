import type { Clock } from '../../shared/time.ts'
import type { Sleep } from './deadline.ts'

export type LimiterClass = 'developer' | 'versioned' | 'public'

export interface Limiter {
  /** Resolves true when a request of the class may leave, in the order of asking; false when the signal ended the wait. */
  admit(kind: LimiterClass, signal?: AbortSignal): Promise<boolean>
  /** Holds a class back for `ms`: the service answered 429. */
  pause(kind: LimiterClass, ms: number): void
}

interface Rate {
  /** Requests that may leave at once. */
  readonly burst: number
  readonly perSecond: number
}

/**
 * The document gives 10 a second on the developer routes, without saying how a second is counted. A bucket of `burst`
 * refilled at `perSecond` lets at most `burst + perSecond` through in any second: 9 (LIM-01). The limits of the other
 * classes are not shown (Limits), so none is made up: they wait only when the service said 429.
 */
const rates: Readonly<Record<LimiterClass, Rate>> = {
  developer: { burst: 3, perSecond: 6 },
  versioned: { burst: Number.POSITIVE_INFINITY, perSecond: 0 },
  public: { burst: Number.POSITIVE_INFINITY, perSecond: 0 },
}

/** One per host, shared by every window and profile that talks to it. */
export function createLimiter({ clock, sleep }: { readonly clock: Clock; readonly sleep: Sleep }): Limiter {
  const buckets = {
    developer: createBucket(clock, sleep, rates.developer),
    versioned: createBucket(clock, sleep, rates.versioned),
    public: createBucket(clock, sleep, rates.public),
  }
  return {
    admit: (kind, signal) => buckets[kind].admit(signal),
    pause: (kind, ms) => buckets[kind].pause(ms),
  }
}

function createBucket(clock: Clock, sleep: Sleep, rate: Rate) {
  let tokens = rate.burst
  let filledAt = clock.monotonic()
  let pausedUntil = Number.NEGATIVE_INFINITY
  let queue: Promise<unknown> = Promise.resolve()
  let waiting = 0

  /** Milliseconds until a token is there; takes it when that is now. */
  const take = (): number => {
    const now = clock.monotonic()
    if (now < pausedUntil) return pausedUntil - now
    tokens = Math.min(rate.burst, tokens + ((now - filledAt) / 1_000) * rate.perSecond)
    filledAt = now
    if (tokens < 1) return ((1 - tokens) / rate.perSecond) * 1_000
    tokens -= 1
    return 0
  }

  const turn = async (signal: AbortSignal | undefined): Promise<boolean> => {
    for (;;) {
      if (signal?.aborted) return false
      const wait = take()
      if (wait <= 0) return true
      if (!(await sleep(Math.ceil(wait), signal))) return false
    }
  }

  return {
    admit(signal: AbortSignal | undefined): Promise<boolean> {
      // The common case costs no queueing.
      if (waiting === 0 && !signal?.aborted && take() <= 0) return Promise.resolve(true)
      waiting += 1
      const admitted = queue
        .then(() => turn(signal))
        .finally(() => {
          waiting -= 1
        })
      queue = admitted.catch(() => undefined)
      return admitted
    },
    pause(ms: number): void {
      pausedUntil = Math.max(pausedUntil, clock.monotonic() + ms)
    },
  }
}
