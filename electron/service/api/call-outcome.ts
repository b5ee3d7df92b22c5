import type { Result } from '../../../shared/result.ts'
import { second } from '../../../shared/time.ts'
import type { ApiFailure } from '../transport/api-client.ts'
import type { Urgency } from '../transport/limiter.ts'

/**
 * Decides whether a failed write may have taken effect. Only a response of the service itself with a status below 500 proves that it did not. After
 * an HTML page, a redirect, a cut or unreadable body, or a status of 500 or more, the write may have taken effect.
 */
export function outcomeOf({ failure, sent }: ApiFailure): 'not_sent' | 'refused' | 'unknown' {
  if (sent === 'no') return 'not_sent'
  if (sent === 'maybe') return 'unknown'
  switch (failure.kind) {
    case 'refused':
      return failure.status < 500 ? 'refused' : 'unknown'
    case 'unreachable':
    case 'outcome_unknown':
    // For `unreadable`: the status shows that the service made the change. The outcome is still unknown, because the app cannot read the result.
    case 'unreadable':
    case 'internal':
      return 'unknown'
    default:
      return 'refused'
  }
}

/** Minimum waits, in ms, before the second and the third attempt of a request. */
const leastWaitsMs = [300, 1_000]
/** If the service asks for a longer wait than this, the app stops retrying, because the user is waiting for the result. */
const longestWaitMs = 10 * second

/**
 * Sends a request. If no response arrives, sends exactly the same bytes again, but not before the time in `Retry-After`. The first attempt has the
 * urgency in `pressed`; each retry has the lower urgency `user`.
 * Returns the last response, and whether the response to an earlier attempt was lost.
 */
export async function resent<T>(
  pressed: Urgency,
  send: (urgency: Urgency) => Promise<Result<T, ApiFailure>>,
  sleep: (ms: number) => Promise<void>,
): Promise<{ readonly answer: Result<T, ApiFailure>; readonly lost: boolean }> {
  let lost = false
  let answer = await send(pressed)
  for (const leastMs of leastWaitsMs) {
    if (answer.ok || answer.failure.sent === 'answered') break
    const askedMs = answer.failure.retryAfterMs ?? 0
    if (askedMs > longestWaitMs) break
    lost ||= answer.failure.sent === 'maybe'
    await sleep(Math.max(leastMs, askedMs))
    answer = await send('user')
  }
  return { answer, lost }
}
