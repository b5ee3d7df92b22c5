import type { ApiFailure } from '../transport/api-client.ts'

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
