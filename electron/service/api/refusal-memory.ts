import type { Endpoint } from '../../../shared/api/endpoint.ts'
import { endpoints } from '../../../shared/api/endpoints/all-endpoints.ts'
import type { Failure } from '../../../shared/ipc/failure.ts'
import { fail } from '../../../shared/result.ts'
import type { ApiClient, ApiFailure, KeyCredential } from '../transport/api-client.ts'

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
