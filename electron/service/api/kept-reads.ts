import type { Endpoint } from '../../../shared/api/endpoint.ts'
import { endpoints } from '../../../shared/api/endpoints/all-endpoints.ts'
import type { PreparedAction } from '../../../shared/api/schemas/prepared-action-resources.ts'
import type { Failure } from '../../../shared/ipc/failure.ts'
import { fail } from '../../../shared/result.ts'
import { type Clock, minute, second } from '../../../shared/time.ts'
import type { Secret } from '../../kernel/secret.ts'
import { type FieldMapService, perFieldMap } from '../field-names/field-map.ts'
import type { ApiClient, ApiFailure, KeyCredential, SessionCredential } from '../transport/api-client.ts'

// Compare endpoint objects by identity. A second object for the same route could have another response type.
const keptEndpoints: ReadonlySet<Endpoint> = new Set<Endpoint>([endpoints.getConfig, endpoints.getMeta])

const isPrepare = (endpoint: Endpoint): boolean => endpoint === endpoints.prepareOrder

interface Kept {
  readonly answer: Promise<unknown>
  readonly atMs: number
  readonly versions: string
  readonly isThere: boolean
}

/**
 * Wraps a client so that it reads `/meta` and `/api/dex/config` at most once a minute, for all callers together. It does not keep failures.
 * It reads both again at once if they may have changed: the version headers changed, a prepare request returned `contract_pending`, the field map
 * changed, or the user asks.
 */
export function keptReads(api: ApiClient, clock: Pick<Clock, 'monotonic'>, answers: FieldMapService['answers']): ApiClient {
  const keptNow = perFieldMap(answers, () => new Map<string, Kept>())
  const versions = () => JSON.stringify(api.serviceChange())

  const call: ApiClient['call'] = async (endpoint, request) => {
    const { route } = endpoint
    const kept = keptNow()
    if (isPrepare(endpoint)) {
      const answer = await api.call(endpoint, request)
      // The cast is safe: the schema of `prepareOrder` has checked this value.
      if (answer.ok && (answer.value.value as PreparedAction).execution.status === 'contract_pending') kept.clear()
      return answer
    }
    if (!keptEndpoints.has(endpoint)) return api.call(endpoint, request)
    const found = kept.get(route)
    const good = found !== undefined && request.fresh !== true && clock.monotonic() - found.atMs < minute && found.versions === versions()
    // An exit (cancel, close, revoke) uses only a stored result. It does not wait for a read that is still running.
    const isInTime = request.urgency !== 'exit' || found?.isThere === true
    if (good && isInTime) return found.answer as ReturnType<typeof api.call<typeof endpoint>>
    const answer = api.call(endpoint, request)
    const mine = { answer, atMs: clock.monotonic(), versions: versions(), isThere: false }
    kept.set(route, mine)
    const forget = () => {
      if (kept.get(route) === mine) kept.delete(route)
    }
    try {
      const read = await answer
      if (!read.ok) forget()
      // This response may itself show new versions. Store it together with these versions; otherwise, the next call would discard it as outdated.
      else if (kept.get(route) === mine) kept.set(route, { ...mine, versions: versions(), isThere: true })
      return read
    } catch (error) {
      forget()
      throw error
    }
  }
  return { ...api, call }
}

export interface CoalescedApi extends ApiClient {
  /** After this call, later reads do not share a read that is running now, because its result may be outdated. */
  fence(): void
}

/** A read that the app repeats within this time counts as polling. A read repeated later counts as urgent, because a user is probably waiting. */
const rereadMs = 30 * second
/** Maximum number of reads to remember. The windows make fewer different reads than this. */
const mostReads = 500

/**
 * Wraps a client so that equal reads at the same time share one request. A read never shares a request that started before a call of `fence`, or
 * before a change was sent or completed.
 * Does not affect exits (cancel, close, revoke), or calls with a session, a deadline, a signal or an intent.
 * A read that is repeated soon counts as polling, unless a change was sent in between: then the user is waiting to see the effect.
 */
export function coalescing(api: ApiClient, clock: Pick<Clock, 'monotonic'>): CoalescedApi {
  let underWay = new Map<string, Promise<unknown>>()
  const readAt = new Map<string, number>()
  const fence = () => {
    underWay = new Map()
  }

  /**
   * Assigns a number to each secret. A key may have two secrets, because the app may try both to find out which one is valid. The two secrets count
   * as different credentials.
   */
  const numbers = new WeakMap<Secret, number>()
  let count = 0
  const numberOf = (secret: Secret): number => {
    const number = numbers.get(secret) ?? ++count
    numbers.set(secret, number)
    return number
  }

  const call: ApiClient['call'] = async (endpoint, request) => {
    if (endpoint.retry === 'never') {
      fence()
      readAt.clear()
      try {
        return await api.call(endpoint, request)
      } finally {
        fence()
      }
    }
    const { credential, params, query, signal, deadlineMs, intentRef, headers, fresh, urgency } = request
    const own = urgency === 'exit' || signal !== undefined || deadlineMs !== undefined || intentRef !== undefined || headers !== undefined || fresh === true
    if (own || !endpoint.route.startsWith('GET ') || credential?.kind === 'session') return api.call(endpoint, request)
    const key = JSON.stringify([endpoint.route, params, query, credential?.wallet ?? null, credential == null ? 0 : numberOf(credential.apiKey)])
    const found = underWay.get(key)
    if (found !== undefined) return found as ReturnType<typeof api.call<typeof endpoint>>
    const mine = underWay
    const now = clock.monotonic()
    const again = now - (readAt.get(key) ?? Number.NEGATIVE_INFINITY) < rereadMs
    readAt.delete(key)
    readAt.set(key, now)
    const [oldest] = readAt.keys()
    if (readAt.size > mostReads && oldest !== undefined) readAt.delete(oldest)
    const answer = api.call(endpoint, again ? { urgency: 'polling', ...request } : request).finally(() => mine.delete(key))
    mine.set(key, answer)
    return answer
  }

  return { ...api, call, fence }
}

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
