import { type Clock, hour, second } from '../../../shared/time.ts'
import type { LimiterClass } from './limiter.ts'

export const mostAttempts = 4
const firstBackoffMs = 200
const longestRetryAfterMs = 60 * second
/** The longest pause that the app accepts. A longer pause must be a mistake of the service; without this limit, only a restart would end it. */
const longestPauseMs = hour
const jitterMs = 250
const budgetTokens = 10
const earnedPerSuccess = 0.2

/** Limits retries to a small share of the requests of each class. If every request were repeated, a failing host would be overloaded. */
export interface RetryBudget {
  spend(kind: LimiterClass): boolean
  earn(kind: LimiterClass): void
}

export function createRetryBudget(): RetryBudget {
  const tokens = { developer: budgetTokens, versioned: budgetTokens, public: budgetTokens }
  return {
    spend(kind) {
      if (tokens[kind] < 1) return false
      tokens[kind] -= 1
      return true
    },
    earn(kind) {
      tokens[kind] = Math.min(budgetTokens, tokens[kind] + earnedPerSuccess)
    },
  }
}

/**
 * Parses the header `Retry-After`, which contains seconds or an HTTP date (RFC 9110, 10.2.3). Returns milliseconds, at most one hour; `null` for any
 * other text.
 */
export function retryAfterMs(header: string | string[] | undefined, nowMs: number): number | null {
  const text = (Array.isArray(header) ? header[0] : header)?.trim()
  if (text === undefined || text.length > longestHeader) return null
  const ms = /^\d+(\.\d+)?$/.test(text) ? Number(text) * second : httpDate(text, nowMs) - nowMs
  return Number.isNaN(ms) ? null : Math.min(longestPauseMs, Math.max(0, ms))
}

const longestHeader = 64
const fixdate = /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/
const rfc850 = /^[A-Z][a-z]+day, (\d\d)-([A-Z][a-z]{2})-(\d\d) (\d\d:\d\d:\d\d) GMT$/
const asctime = /^[A-Z][a-z]{2} ([A-Z][a-z]{2}) {1,2}(\d{1,2}) (\d\d:\d\d:\d\d) (\d{4})$/

/** Parses a date in one of the three formats of RFC 9110, 5.6.7. All are in UTC. Returns Unix ms; NaN for any other text. */
function httpDate(text: string, nowMs: number): number {
  if (fixdate.test(text)) return Date.parse(text)
  const [, day, month, years, time] = rfc850.exec(text) ?? []
  if (years !== undefined) {
    // The year has two digits. Choose the century so that the date is at most 50 years in the future.
    const century = Math.floor(new Date(nowMs).getUTCFullYear() / 100) * 100
    const year = century + Number(years)
    return Date.parse(`${day} ${month} ${year > new Date(nowMs).getUTCFullYear() + 50 ? year - 100 : year} ${time} GMT`)
  }
  const [, word, date, at, year] = asctime.exec(text) ?? []
  return year === undefined ? Number.NaN : Date.parse(`${date} ${word} ${year} ${at} GMT`)
}

/**
 * Returns the milliseconds to wait before attempt `attempt + 1`: at least `Retry-After`, plus a random part, so that several windows do not retry at
 * the same moment. Returns `null` if the service asks for a longer wait than the app accepts.
 */
export function waitBeforeRetry(attempt: number, retryAfter: number | null, random: () => number): number | null {
  if (retryAfter !== null) return retryAfter > longestRetryAfterMs ? null : retryAfter + random() * jitterMs
  return firstBackoffMs * 2 ** (attempt - 1) * (0.5 + random() / 2)
}

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
