import { type Clock, minute, second } from '../../../shared/time.ts'
import type { Sleep } from '../../kernel/deadline.ts'

export type LimiterClass = 'developer' | 'versioned' | 'public'

/**
 * Who waits for a request, most urgent first. exit: a user who pressed cancel, close, revoke or disable. user: anybody else who waits for
 * the answer. polling: nobody; it is read again to keep what is shown fresh.
 */
export type Urgency = 'exit' | 'user' | 'polling'

/** paused: the service asked for `leftMs` more of quiet, which is longer than the caller waits. */
export type Admission = { readonly kind: 'go' } | { readonly kind: 'ended' } | { readonly kind: 'paused'; readonly leftMs: number }

export interface Asking {
  /** Default: user. */
  readonly urgency?: Urgency
  /** Ends the wait. */
  readonly signal?: AbortSignal
  /** The longest pause that the caller waits out, in ms. A queue is waited for however long it is. */
  readonly patienceMs?: number
}

export interface Limiter {
  /**
   * Resolves when a request of the class may leave: by urgency, then in the order of asking. An exit waits for no pause and for nobody; only
   * the service's own rate spaces several of them.
   */
  admit(kind: LimiterClass, asking?: Asking): Promise<Admission>
  /** Holds a class back for `ms`: the service asked for it (`Retry-After`). */
  pause(kind: LimiterClass, ms: number): void
}

interface Rate {
  /** Requests that may leave at once. */
  readonly burst: number
  readonly perSecond: number
}

/**
 * The document gives 10 a second on the developer routes, without saying how a second is counted. A bucket of `burst`
 * refilled at `perSecond` lets at most `burst + perSecond` through in any second: 8 (LIM-01), and the ninth is an exit's. The limits of the
 * other classes are not shown (Limits), so none is made up: they wait only when the service asked for it.
 */
const rates: Readonly<Record<LimiterClass, Rate>> = {
  developer: { burst: 2, perSecond: 6 },
  versioned: { burst: Number.POSITIVE_INFINITY, perSecond: 0 },
  public: { burst: Number.POSITIVE_INFINITY, perSecond: 0 },
}

/** What is read again without anybody asking may cost the host so much at most, over all classes, windows and trackers; less once it refused. */
export const pollsPerSecond = 5

const ranks = { exit: 0, user: 1, polling: 2 } satisfies Record<Urgency, number>
const go: Admission = { kind: 'go' }
const ended: Admission = { kind: 'ended' }

interface Waiter {
  readonly kind: LimiterClass
  readonly urgency: Urgency
  readonly patienceMs: number
  readonly settle: (admission: Admission) => void
}

/** One per host, shared by every window and profile that talks to it. */
export function createLimiter({ clock, sleep }: { readonly clock: Clock; readonly sleep: Sleep }): Limiter {
  const buckets = {
    developer: createBucket(clock, rates.developer),
    versioned: createBucket(clock, rates.versioned),
    public: createBucket(clock, rates.public),
  }
  const polls = createWindow(clock, pollsPerSecond)
  /** In the order in which they may leave. */
  const waiting: Waiter[] = []
  let pumping = false
  let wake = new AbortController()

  /** Ms until it may be tried again; null: it is settled. */
  const attempt = ({ kind, urgency, patienceMs, settle }: Waiter): number | null => {
    const bucket = buckets[kind]
    const pausedMs = urgency === 'exit' ? 0 : bucket.pausedMs()
    if (pausedMs > patienceMs) {
      settle({ kind: 'paused', leftMs: pausedMs })
      return null
    }
    const wait = Math.max(pausedMs, bucket.waitMs(urgency), urgency === 'polling' ? polls.waitMs() : 0)
    if (wait > 0) return wait
    bucket.take()
    if (urgency === 'polling') polls.take()
    settle(go)
    return null
  }

  const pump = async () => {
    pumping = true
    while (waiting.length > 0) {
      let soonest = Number.POSITIVE_INFINITY
      for (const waiter of [...waiting]) {
        const wait = attempt(waiter)
        if (wait === null) waiting.splice(waiting.indexOf(waiter), 1)
        else soonest = Math.min(soonest, wait)
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
      const place = waiting.findIndex((other) => ranks[other.urgency] > ranks[urgency])
      const ahead = (place === -1 ? waiting : waiting.slice(0, place)).some((other) => other.kind === kind)
      // The common case costs no queueing.
      if (!ahead && attempt(waiter) === null) return promise
      waiting.splice(place === -1 ? waiting.length : place, 0, waiter)
      signal?.addEventListener('abort', stop, { once: true })
      if (pumping) wake.abort()
      else void pump()
      return promise
    },
    pause(kind, ms) {
      buckets[kind].pause(ms)
      polls.slower()
      // Who waits may not want to wait so long.
      wake.abort()
    },
  }
}

function createBucket(clock: Clock, { burst, perSecond }: Rate) {
  let tokens = burst
  let filledAt = clock.monotonic()
  let pausedUntil = Number.NEGATIVE_INFINITY
  return {
    /** An exit may take one that is not there yet, once: the next one waits for it. */
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

/** Refusals that come together are one: each read that was under way brings its own. */
const oneRefusalMs = 2 * second
/** Without another refusal for so long, it is twice as fast again. */
const calmMs = minute

/** At most `most` in any second, however it is cut; half as many after each refusal. */
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
