import type { ApiClient } from '../transport/api-client.ts'

/** `raw` gives the body of a success as received, secrets cut out, which costs as much as parsing it; null: it could not be read. */
export type OnAnswer = (route: string, raw: (() => string) | null) => void

/** The same client; reports each success by its route. A listener that throws fails no answer. */
export const tellingAnswers = (api: ApiClient, onAnswer: OnAnswer): ApiClient => {
  const tell: OnAnswer = (...answer) => {
    try {
      onAnswer(...answer)
    } catch {
      // A journal that cannot be read: what the check goes by is there again with it.
    }
  }
  return {
    ...api,
    call: async (endpoint, request) => {
      const answer = await api.call(endpoint, request)
      if (answer.ok) {
        tell(endpoint.route, () => answer.value.raw)
        return answer
      }
      const { failure } = answer.failure
      if (failure.kind === 'unreadable' || (failure.kind === 'unreachable' && failure.reason === 'malformed')) tell(endpoint.route, null)
      return answer
    },
  }
}
