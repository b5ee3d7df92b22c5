import type { Result } from '../../../shared/result.ts'
import { second } from '../../../shared/time.ts'
import type { ApiFailure } from '../transport/api-client.ts'
import type { Urgency } from '../transport/limiter.ts'

/**
 * What a failed call that changes something tells about the change. Only an answer of the service itself below 500 says that it did not
 * happen; HTML, a redirect, a cut or unreadable body and a 5xx may come after it did.
 */
export function outcomeOf({ failure, sent }: ApiFailure): 'not_sent' | 'refused' | 'unknown' {
  if (sent === 'no') return 'not_sent'
  if (sent === 'maybe') return 'unknown'
  switch (failure.kind) {
    case 'refused':
      return failure.status < 500 ? 'refused' : 'unknown'
    case 'unreachable':
    case 'outcome_unknown':
    // It happened, or so the status says; what came of it is read.
    case 'unreadable':
    case 'internal':
      return 'unknown'
    default:
      return 'refused'
  }
}

/** Waits before the second and third sending of the same bytes. */
const leastWaitsMs = [300, 1_000]
/** What the service asks for beyond this is longer than the user stands and waits. */
const longestWaitMs = 10 * second

/**
 * Sends, and sends the very same bytes again as long as no answer comes: never before what the service asked for is over (`Retry-After`).
 * Only the first sending is as urgent as what the user pressed. Gives the last answer, and whether one before it was lost.
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
