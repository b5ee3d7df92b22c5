import type { ApiClient } from './api-client.ts'

/** The same client; tells of each success that could not be read, by its route. */
export const tellingUnreadable = (api: ApiClient, onUnreadable: (route: string) => void): ApiClient => ({
  ...api,
  call: async (endpoint, request) => {
    const answer = await api.call(endpoint, request)
    if (answer.ok) return answer
    const { failure } = answer.failure
    if (failure.kind === 'unreadable' || (failure.kind === 'unreachable' && failure.reason === 'malformed')) onUnreadable(endpoint.route)
    return answer
  },
})
