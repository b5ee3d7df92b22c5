import { hour, second } from '../../shared/time.ts'
import type { LimiterClass } from './limiter.ts'

export const mostAttempts = 4
const firstBackoffMs = 200
const longestRetryAfterMs = 60 * second
/** Nobody means to be left alone for longer: what asks for more is a mistake that a restart would have to mend. */
const longestPauseMs = hour
const jitterMs = 250
const budgetTokens = 10
const earnedPerSuccess = 0.2

/** Keeps retries a small share of the traffic, per class: when a host is down, repeating everything makes it worse. */
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

/** Milliseconds of `Retry-After`: seconds or a date, an hour at most; null for neither. */
export function retryAfterMs(header: string | string[] | undefined, nowMs: number): number | null {
  const text = (Array.isArray(header) ? header[0] : header)?.trim()
  if (text === undefined || text === '') return null
  const ms = /^\d+(\.\d+)?$/.test(text) ? Number(text) * second : Date.parse(text) - nowMs
  return Number.isNaN(ms) ? null : Math.min(longestPauseMs, Math.max(0, ms))
}

/**
 * How long to wait before attempt `attempt + 1`. `Retry-After` is never undercut, and jitter keeps several windows
 * from coming back at the same moment. null: longer than anyone should wait here.
 */
export function waitBeforeRetry(attempt: number, retryAfter: number | null, random: () => number): number | null {
  if (retryAfter !== null) return retryAfter > longestRetryAfterMs ? null : retryAfter + random() * jitterMs
  return firstBackoffMs * 2 ** (attempt - 1) * (0.5 + random() / 2)
}
