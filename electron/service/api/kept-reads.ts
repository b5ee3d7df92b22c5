import type { Endpoint } from '../../../shared/api/endpoint.ts'
import { endpoints } from '../../../shared/api/endpoints/all-endpoints.ts'
import type { PreparedAction } from '../../../shared/api/schemas/prepared-action-resources.ts'
import { type Clock, minute } from '../../../shared/time.ts'
import type { FieldMapBook } from '../field-names/field-map.ts'
import { perFieldMap } from '../field-names/per-field-map.ts'
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
