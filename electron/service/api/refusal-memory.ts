import type { Endpoint } from '../../../shared/api/endpoint.ts'
import { endpoints } from '../../../shared/api/endpoints/all-endpoints.ts'
import type { Failure } from '../../../shared/ipc/failure.ts'
import { fail } from '../../../shared/result.ts'
import type { ApiClient, ApiFailure, KeyCredential, SessionCredential } from '../transport/api-client.ts'

/** The code of a missing scope is not shown (Errors): a 403 that speaks of it in any words. */
const ofScope = (failure: Failure): boolean =>
  failure.kind === 'scope_missing' ||
  (failure.kind === 'refused' &&
    failure.status === 403 &&
    /scope|permission|privilege|forbidden|not[ _-]?(allowed|authori[sz]ed)/i.test(`${failure.code} ${failure.message}`))

/** A preview is asked for automatically as a ticket changes, and changes nothing. */
const isReading = ({ route }: Endpoint): boolean => route.startsWith('GET ') || route === endpoints.previewRisk.route

/**
 * The same client; a read that was refused for a scope that its key lacks is not sent again with that key. `stateOf` gives what is known of a
 * key: when that, or its secret, is another, the service is asked again. So it is when the caller asks for a fresh answer, or for an exit.
 */
export function refusalMemory(api: ApiClient, stateOf: (keyId: string) => unknown): ApiClient {
  const refused = new WeakMap<KeyCredential['apiKey'], Map<string, { readonly failure: ApiFailure; readonly state: string }>>()
  const stateText = (keyId: string): string => JSON.stringify(stateOf(keyId) ?? null)

  const call: ApiClient['call'] = async (endpoint, request) => {
    const { credential, fresh, urgency } = request
    if (credential?.kind !== 'key' || !isReading(endpoint)) return api.call(endpoint, request)
    const known = refused.get(credential.apiKey)?.get(endpoint.route)
    if (known !== undefined && fresh !== true && urgency !== 'exit' && known.state === stateText(credential.keyId))
      return fail({ ...known.failure, sent: 'no' })
    const answer = await api.call(endpoint, request)
    const routes = refused.get(credential.apiKey) ?? new Map()
    if (!answer.ok && ofScope(answer.failure.failure)) routes.set(endpoint.route, { failure: answer.failure, state: stateText(credential.keyId) })
    else routes.delete(endpoint.route)
    refused.set(credential.apiKey, routes)
    return answer
  }
  return { ...api, call }
}

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
