import type { ApiClient, SessionCredential } from '../transport/api-client.ts'

/** The same client; tells of each sign-in that the service refuses, before its caller hears of it. Only a 401 to it is classified so. */
export function tellingRefusals(api: ApiClient, onRefused: (session: SessionCredential) => Promise<void>): ApiClient {
  return {
    ...api,
    call: async (endpoint, request) => {
      const answer = await api.call(endpoint, request)
      if (!answer.ok && answer.failure.failure.kind === 'sign_in_required' && request.credential?.kind === 'session') await onRefused(request.credential)
      return answer
    },
  }
}
