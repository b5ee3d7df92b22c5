import type { Endpoint } from '../../../shared/api/endpoint.ts'
import { endpoints } from '../../../shared/api/endpoints/all-endpoints.ts'
import type { PreparedAction } from '../../../shared/api/schemas/prepared-action-resources.ts'
import { type Clock, minute, second } from '../../../shared/time.ts'
import type { Secret } from '../../kernel/secret.ts'
import { type FieldMapBook, perFieldMap } from '../field-names/field-map.ts'
import type { ApiClient } from '../transport/api-client.ts'

// By identity: another reading of the same route is not of this type.
const keptEndpoints: ReadonlySet<Endpoint> = new Set<Endpoint>([endpoints.getConfig, endpoints.getMeta])

const isPrepare = (endpoint: Endpoint): boolean => endpoint === endpoints.prepareOrder

interface Kept {
  readonly answer: Promise<unknown>
  readonly atMs: number
  readonly versions: string
  readonly isThere: boolean
}

/**
 * The same client; what the service publishes of itself (`/meta`, `/api/dex/config`) is read at most once a minute, by whomever it is asked
 * for. It is read anew at once where it may have changed: the versions in the headers are others, a preparation was answered
 * `contract_pending`, the field map says where fields are, or the user asks. A failure is not kept.
 */
export function keptReads(api: ApiClient, clock: Pick<Clock, 'monotonic'>, answers: FieldMapBook['answers']): ApiClient {
  const keptNow = perFieldMap(answers, () => new Map<string, Kept>())
  const versions = () => JSON.stringify(api.drift())

  const call: ApiClient['call'] = async (endpoint, request) => {
    const { route } = endpoint
    const kept = keptNow()
    if (isPrepare(endpoint)) {
      const answer = await api.call(endpoint, request)
      // The endpoint's own schema made it.
      if (answer.ok && (answer.value.value as PreparedAction).execution.status === 'contract_pending') kept.clear()
      return answer
    }
    if (!keptEndpoints.has(endpoint)) return api.call(endpoint, request)
    const found = kept.get(route)
    const good = found !== undefined && request.fresh !== true && clock.monotonic() - found.atMs < minute && found.versions === versions()
    // What is still under way may wait for its turn; an exit does not.
    const isInTime = request.urgency !== 'exit' || found?.isThere === true
    // The same endpoint without parameters: its answer has this type.
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
      // The answer itself may have brought other versions: it is as new as they are.
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
  /** What is under way may be older than what was just learned: a read that begins now is made anew. */
  fence(): void
}

/** What was read so recently is read again to keep it fresh: for a first reading somebody waits. */
const rereadMs = 30 * second
/** More different reads than any window shows. */
const mostReads = 500

/**
 * The same client; equal reads that are under way at the same time are one request. None is shared across a change: one that was sent, or that
 * ended, since the read began, and none across a fence. Exits, and calls with a sign-in, a deadline, a signal or an intent of their own, are left alone.
 * What is read again soon counts as polling, unless a change was sent since: then somebody waits to see what it did.
 */
export function coalescing(api: ApiClient, clock: Pick<Clock, 'monotonic'>): CoalescedApi {
  let underWay = new Map<string, Promise<unknown>>()
  const readAt = new Map<string, number>()
  const fence = () => {
    underWay = new Map()
  }

  /** Two secrets of one key are two credentials: which of them works is found out by asking with both. */
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
    // The same endpoint, asked for the same thing: its answer has this type.
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
