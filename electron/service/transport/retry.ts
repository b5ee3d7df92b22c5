import { hour, second } from '../../../shared/time.ts'
import type { LimiterClass } from './limiter.ts'

export const mostAttempts = 4
const firstBackoffMs = 200
const longestRetryAfterMs = 60 * second
/** A longer wait is surely a mistake by the service. Without this limit, only a restart of the app would end it. */
const longestPauseMs = hour
const jitterMs = 250
const budgetTokens = 10
const earnedPerSuccess = 0.2

/** Limits retries to a small share of each class’s traffic, because repeating every request would overload a failing host. */
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
 * Reads `Retry-After`, which contains seconds or an HTTP date (RFC 9110, 10.2.3). Returns milliseconds, at most one hour. `null` for
 * any other text, as if it were absent.
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

/** Unix ms of a date in one of the three forms of RFC 9110, 5.6.7, all in UTC; NaN for any other text. */
function httpDate(text: string, nowMs: number): number {
  if (fixdate.test(text)) return Date.parse(text)
  const [, day, month, years, time] = rfc850.exec(text) ?? []
  if (years !== undefined) {
    // Picks the century that puts the date at most 50 years ahead.
    const century = Math.floor(new Date(nowMs).getUTCFullYear() / 100) * 100
    const year = century + Number(years)
    return Date.parse(`${day} ${month} ${year > new Date(nowMs).getUTCFullYear() + 50 ? year - 100 : year} ${time} GMT`)
  }
  const [, word, date, at, year] = asctime.exec(text) ?? []
  return year === undefined ? Number.NaN : Date.parse(`${date} ${word} ${year} ${at} GMT`)
}

/**
 * Milliseconds to wait before attempt `attempt + 1`, never less than `Retry-After`. Jitter keeps several windows apart. `null`: the
 * wait is too long for this call.
 */
export function waitBeforeRetry(attempt: number, retryAfter: number | null, random: () => number): number | null {
  if (retryAfter !== null) return retryAfter > longestRetryAfterMs ? null : retryAfter + random() * jitterMs
  return firstBackoffMs * 2 ** (attempt - 1) * (0.5 + random() / 2)
}
