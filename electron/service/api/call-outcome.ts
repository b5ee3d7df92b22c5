import type { Result } from '../../../shared/result.ts'
import { second } from '../../../shared/time.ts'
import type { ApiFailure } from '../transport/api-client.ts'
import type { Urgency } from '../transport/limiter.ts'

/**
 * Whether a failed write may have taken effect. Only the service’s own response below 500 proves that it did not.
 * HTML, a redirect, a cut or unreadable body, and a 5xx may follow a change that did happen.
 */
export function outcomeOf({ failure, sent }: ApiFailure): 'not_sent' | 'refused' | 'unknown' {
  if (sent === 'no') return 'not_sent'
  if (sent === 'maybe') return 'unknown'
  switch (failure.kind) {
    case 'refused':
      return failure.status < 500 ? 'refused' : 'unknown'
    case 'unreachable':
    case 'outcome_unknown':
    // The status says that the change happened, but its result is unknown until it is read.
    case 'unreadable':
    case 'internal':
      return 'unknown'
    default:
      return 'refused'
  }
}

/** Milliseconds to wait before sending the same bytes a second and third time. */
const leastWaitsMs = [300, 1_000]
/** If the service asks for a longer wait than this, the app gives up: the user is waiting. */
const longestWaitMs = 10 * second

/**
 * Sends a request and resends the exact bytes while no response comes, never sooner than `Retry-After` allows. Only the first send has the urgency of
 * the user's action. Returns the last response and whether an earlier one was lost.
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
