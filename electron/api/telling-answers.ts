import type { ApiClient } from './api-client.ts'

/** The body of a success as received, secrets cut out; null: it could not be read. */
export type OnAnswer = (route: string, raw: string | null) => void

/** The same client; tells of each success, by its route. */
export const tellingAnswers = (api: ApiClient, onAnswer: OnAnswer): ApiClient => ({
  ...api,
  call: async (endpoint, request) => {
    const answer = await api.call(endpoint, request)
    if (answer.ok) {
      onAnswer(endpoint.route, answer.value.raw)
      return answer
    }
    const { failure } = answer.failure
    if (failure.kind === 'unreadable' || (failure.kind === 'unreachable' && failure.reason === 'malformed')) onAnswer(endpoint.route, null)
    return answer
  },
})
