import type { Endpoint } from '../../../shared/api/endpoint.ts'
import { endpoints } from '../../../shared/api/endpoints/all-endpoints.ts'
import type { Failure } from '../../../shared/ipc/failure.ts'
import { fail } from '../../../shared/result.ts'
import type { ApiClient, ApiFailure, KeyCredential, SessionCredential } from '../transport/api-client.ts'

/**
 * True if the service refuses a call because the key lacks a scope. The API document names no error code for this, so any 403 that mentions a scope
 * counts.
 */
const ofScope = (failure: Failure): boolean =>
  failure.kind === 'scope_missing' ||
  (failure.kind === 'refused' &&
    failure.status === 403 &&
    /scope|permission|privilege|forbidden|not[ _-]?(allowed|authori[sz]ed)/i.test(`${failure.code} ${failure.message}`))

/**
 * True for reads. A risk preview counts as a read: it changes nothing, and the app requests it automatically while the user edits a ticket.
 */
const isReading = ({ route }: Endpoint): boolean => route.startsWith('GET ') || route === endpoints.previewRisk.route

/**
 * Wraps a client so that it does not repeat a read with the same key after the service refused the read for a missing scope.
 * `stateOf` returns the stored facts about a key. The client sends the read again if these facts or the secret change, if the caller wants a fresh
 * answer, or if a cancel or close needs the read.
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

/**
 * Listener for successful responses. `raw` returns the body with secrets removed; `raw` is `null` if the body could not be read. Call `raw` only if
 * needed, because it takes as long as parsing the body.
 */
export type OnAnswer = (route: string, raw: (() => string) | null) => void

/** Wraps a client so that `onAnswer` is called with the route and body of each successful call. If `onAnswer` throws, the call still succeeds. */
export const tellingAnswers = (api: ApiClient, onAnswer: OnAnswer): ApiClient => {
  const tell: OnAnswer = (...answer) => {
    try {
      onAnswer(...answer)
    } catch {
      // Ignore an error of the listener, for example because the journal is unreadable. The call itself has succeeded.
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

/**
 * Wraps a client so that `onRefused` is called when the service refuses a session, that is, answers a call with a session with 401. The caller gets
 * the failure only after `onRefused` has resolved.
 */
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
