import { type Clock, minute, second } from '../../../shared/time.ts'
import type { Sleep } from '../../kernel/deadline.ts'

export type LimiterClass = 'developer' | 'versioned' | 'public'

/**
 * Who waits for a request, most urgent first. `exit`: the user pressed cancel, close, revoke or disable. `user`: a user waits for any other result.
 * `bot`: a bot's request that the gateway passes on. `polling`: the app refreshes automatically, and no user waits.
 */
export type Urgency = 'exit' | 'user' | 'bot' | 'polling'

/** The limiter's decision. `paused`: the pause that the service requested still lasts `leftMs`, which is longer than the caller accepts. */
export type Admission = { readonly kind: 'go' } | { readonly kind: 'ended' } | { readonly kind: 'paused'; readonly leftMs: number }

export interface Asking {
  /** The urgency of the request; `user` by default. */
  readonly urgency?: Urgency
  /** Aborting this signal ends the wait. */
  readonly signal?: AbortSignal
  /** The longest pause that the caller accepts, in ms. Time in the queue does not count. */
  readonly patienceMs?: number
}

export interface Limiter {
  /**
   * Resolves when the client may send a request of this class. The most urgent requests go first, and equally urgent ones in order. An exit does not
   * wait for pauses or queues; only the service's rate limit can delay it.
   */
  admit(kind: LimiterClass, asking?: Asking): Promise<Admission>
  /** Holds back all requests of a class for `ms`, as the service has asked (`Retry-After`). */
  pause(kind: LimiterClass, ms: number): void
}

interface Rate {
  readonly burst: number
  readonly perSecond: number
}

/**
 * The API document allows 10 requests per second on developer routes, but does not say how they are counted. With this token bucket, any period of
 * one second has at most `burst + perSecond` requests: 8 (LIM-01), plus one exit (cancel, close, revoke).
 * For other classes, the API document names no limit, so they wait only if the service asks the app to wait.
 */
const rates: Readonly<Record<LimiterClass, Rate>> = {
  developer: { burst: 2, perSecond: 6 },
  versioned: { burst: Number.POSITIVE_INFINITY, perSecond: 0 },
  public: { burst: Number.POSITIVE_INFINITY, perSecond: 0 },
}

/** How many automatic requests per second the limiter allows, for all classes and windows together. A refusal halves the number. */
export const pollsPerSecond = 5

const ranks = { exit: 0, user: 1, bot: 2, polling: 3 } satisfies Record<Urgency, number>
const go: Admission = { kind: 'go' }
const ended: Admission = { kind: 'ended' }

interface Waiter {
  readonly kind: LimiterClass
  readonly urgency: Urgency
  readonly patienceMs: number
  readonly settle: (admission: Admission) => void
}

/** Creates the limiter of one host. All windows and profiles that use the host share it. */
export function createLimiter({ clock, sleep }: { readonly clock: Clock; readonly sleep: Sleep }): Limiter {
  const buckets = {
    developer: createBucket(clock, rates.developer),
    versioned: createBucket(clock, rates.versioned),
    public: createBucket(clock, rates.public),
  }
  const polls = createWindow(clock, pollsPerSecond)
  const waiting: Waiter[] = []
  let pumping = false
  let wake = new AbortController()

  /** Decides about a request. Returns the milliseconds until the next try if it must wait. */
  const attempt = ({ kind, urgency, patienceMs }: Omit<Waiter, 'settle'>): Admission | number => {
    const bucket = buckets[kind]
    const pausedMs = urgency === 'exit' ? 0 : bucket.pausedMs()
    if (pausedMs > patienceMs) return { kind: 'paused', leftMs: pausedMs }
    const wait = Math.max(pausedMs, bucket.waitMs(urgency), urgency === 'polling' ? polls.waitMs() : 0)
    if (wait > 0) return wait
    bucket.take()
    if (urgency === 'polling') polls.take()
    return go
  }

  const pump = async () => {
    pumping = true
    while (waiting.length > 0) {
      let soonest = Number.POSITIVE_INFINITY
      for (const waiter of [...waiting]) {
        const decided = attempt(waiter)
        if (typeof decided === 'number') soonest = Math.min(soonest, decided)
        else {
          waiter.settle(decided)
          waiting.splice(waiting.indexOf(waiter), 1)
        }
      }
      if (waiting.length === 0) break
      wake = new AbortController()
      await sleep(Math.ceil(soonest), wake.signal)
    }
    pumping = false
  }

  return {
    admit(kind, { urgency = 'user', signal, patienceMs = Number.POSITIVE_INFINITY } = {}) {
      if (signal?.aborted) return Promise.resolve(ended)
      const place = waiting.findIndex((other) => ranks[other.urgency] > ranks[urgency])
      const ahead = (place === -1 ? waiting : waiting.slice(0, place)).some((other) => other.kind === kind)
      // Usually no other request is waiting. In that case, send this request without queueing it.
      const decided = ahead ? 0 : attempt({ kind, urgency, patienceMs })
      if (typeof decided !== 'number') return Promise.resolve(decided)
      const { promise, resolve } = Promise.withResolvers<Admission>()
      const waiter: Waiter = {
        kind,
        urgency,
        patienceMs,
        settle: (admission) => {
          signal?.removeEventListener('abort', stop)
          resolve(admission)
        },
      }
      function stop() {
        const place = waiting.indexOf(waiter)
        if (place !== -1) waiting.splice(place, 1)
        waiter.settle(ended)
        wake.abort()
      }
      waiting.splice(place === -1 ? waiting.length : place, 0, waiter)
      signal?.addEventListener('abort', stop, { once: true })
      if (pumping) wake.abort()
      else void pump()
      return promise
    },
    pause(kind, ms) {
      buckets[kind].pause(ms)
      polls.slower()
      // Wake the queue, because some waiting callers may not accept the new pause.
      wake.abort()
    },
  }
}

function createBucket(clock: Clock, { burst, perSecond }: Rate) {
  let tokens = burst
  let filledAt = clock.monotonic()
  let pausedUntil = Number.NEGATIVE_INFINITY
  return {
    /** Returns how long a request must wait. An exit may use the next token before the bucket contains it; the following exit must then wait. */
    waitMs(urgency: Urgency): number {
      const now = clock.monotonic()
      tokens = Math.min(burst, tokens + ((now - filledAt) / second) * perSecond)
      filledAt = now
      const short = (urgency === 'exit' ? 0 : 1) - tokens
      return short > 0 ? (short / perSecond) * second : 0
    },
    take(): void {
      tokens -= 1
    },
    pausedMs: (): number => Math.max(0, pausedUntil - clock.monotonic()),
    pause(ms: number): void {
      pausedUntil = Math.max(pausedUntil, clock.monotonic() + ms)
    },
  }
}

/** Several refusals within this time count as one, because each of several simultaneous reads reports a refusal. */
const oneRefusalMs = 2 * second
/** After this long without a refusal, the polling rate doubles. */
const calmMs = minute

/** Allows at most `most` requests in any period of one second. Each refusal halves the number that it allows. */
function createWindow(clock: Clock, most: number) {
  const taken: number[] = []
  let allowed = most
  let refusedAt = Number.NEGATIVE_INFINITY
  return {
    waitMs(): number {
      const now = clock.monotonic()
      if (allowed < most && now - refusedAt >= calmMs) {
        allowed = Math.min(most, allowed * 2)
        refusedAt = now
      }
      const hindering = taken.length < allowed ? undefined : taken[taken.length - allowed]
      return hindering === undefined ? 0 : Math.max(0, hindering + second - now)
    },
    take(): void {
      taken.push(clock.monotonic())
      if (taken.length > most) taken.shift()
    },
    slower(): void {
      const now = clock.monotonic()
      if (now - refusedAt >= oneRefusalMs) allowed = Math.max(1, Math.floor(allowed / 2))
      refusedAt = now
    },
  }
}
