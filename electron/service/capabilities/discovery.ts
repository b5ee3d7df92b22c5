import { endpoints } from '../../../shared/api/endpoints/all-endpoints.ts'
import type { ServiceConfig, ServiceMeta } from '../../../shared/api/schemas/markets/service-resources.ts'
import { scopes as documentedScopes } from '../../../shared/api/scopes.ts'
import type { Failure } from '../../../shared/ipc/failure.ts'
import type { Offers, ServiceChange } from '../../../shared/ipc/host/service.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import { type Clock, minute } from '../../../shared/time.ts'
import type { Emit } from '../../kernel/events.ts'
import type { HandlersOf } from '../../kernel/handlers.ts'
import type { ProfileFacts } from '../../kernel/profile-facts.ts'
import type { Records } from '../../store/records/registry.ts'
import type { FieldMapService } from '../field-names/field-map.ts'
import type { ApiClient, KeyCredential } from '../transport/api-client.ts'

export interface DiscoveryDeps {
  readonly profile: ProfileFacts
  readonly api: Pick<ApiClient, 'call' | 'serviceChange'>
  /** Returns a key with `market:read`, the only scope that `/meta` requires; null if there is no such key. */
  readonly key: () => Promise<KeyCredential | null>
  readonly records: Records
  readonly pinnedRouter: () => string | null
  readonly fieldMap: Pick<FieldMapService, 'answers'>
  readonly emit: Emit
  readonly clock: Clock
  /** Called when the list of service changes gets a new entry. */
  readonly log: (drifts: readonly ServiceChange[]) => void
}

export interface Discovery {
  readonly handlers: HandlersOf<'service'>
  /** Reads `/meta` and the configuration again. */
  read(): Promise<void>
  /** Notifies the windows when a service change appears or disappears. */
  watch(): void
  changes(): { readonly drifts: readonly ServiceChange[]; readonly agreed: boolean }
  /** Returns the failure that forbids new trading actions until the user agrees to a service change. `null` if no agreement is needed. */
  held(): Failure | null
}

const documented = { api_version: 'v1', schema: 'svc-dex-api-v1.1' } as const
/** Maximum age of the published data when a view requests it. The app first reads older data again. */
const freshMs = 5 * minute

/**
 * The data that the service publishes about itself: what it accepts, and its versions (API document: Versioning 2 and 3).
 * If the service has changed, the app asks the user once, before the next new trading action. Reading, cancelling and closing always work.
 */
export function createDiscovery({ profile, api, key, records, pinnedRouter, fieldMap, emit, clock, log }: DiscoveryDeps): Discovery {
  const nothing = { params: {}, query: {}, body: undefined } as const
  let config: ServiceConfig | null = null
  let meta: ServiceMeta | null = null
  let readAtMs: number | null = null
  let readWith = fieldMap.answers()
  let under: Promise<void> | null = null
  let notified = ''

  const read = (fresh = false): Promise<void> => {
    under ??= (async () => {
      const [before, credential] = [taken(), await key()]
      readWith = fieldMap.answers()
      const [newConfig, newMeta] = await Promise.all([
        api.call(endpoints.getConfig, { ...nothing, credential: null, fresh }),
        credential === null ? null : api.call(endpoints.getMeta, { ...nothing, credential, fresh }),
      ])
      // If a read failed, keep the value of the previous read.
      if (newConfig.ok) config = newConfig.value.value
      if (newMeta?.ok === true) meta = newMeta.value.value
      if (newConfig.ok || newMeta?.ok === true) readAtMs = clock.now()
      watch()
      if (taken() !== before) emit({ type: 'invalidate', queries: ['service.offers'] })
    })().finally(() => {
      under = null
    })
    return under
  }

  const drifts = (): ServiceChange[] => {
    const found: ServiceChange[] = []
    const versions = api.serviceChange()
    if (versions !== null) {
      if (versions.apiVersion !== documented.api_version) found.push({ what: 'api_version', expected: documented.api_version, found: versions.apiVersion })
      if (versions.schema !== documented.schema) found.push({ what: 'schema', expected: documented.schema, found: versions.schema })
    }
    const pinned = pinnedRouter()
    const routers = [config?.contracts?.router, meta?.contracts?.router].filter((router) => router != null)
    const other = pinned === null ? undefined : routers.find((router) => router.toLowerCase() !== pinned.toLowerCase())
    if (pinned !== null && other !== undefined) found.push({ what: 'router', expected: pinned, found: other })
    const published = meta?.scopes ?? null
    if (published !== null && !sameWords(published, documentedScopes))
      found.push({ what: 'scopes', expected: [...documentedScopes].join(', '), found: [...published].sort().join(', ').slice(0, 500) })
    return found
  }

  const agreed = (all: readonly ServiceChange[]) => JSON.stringify(records.agreedDrifts.read({ profile: profile.id })) === JSON.stringify(all)

  function watch(): void {
    const all = drifts()
    const text = JSON.stringify(all)
    if (text === notified) return
    const first = notified === '' && all.length === 0
    notified = text
    if (first) return
    if (all.length > 0) log(all)
    emit({ type: 'invalidate', queries: ['service.drift', 'service.offers', 'app.attention', 'markets.status'] })
  }

  const changes = () => {
    const all = drifts()
    return { drifts: all, agreed: agreed(all) }
  }

  const offers = (): Offers => ({
    orderTypes: wordsOf(config?.orderTypes),
    marginModes: wordsOf(config?.marginModes),
    timesInForce: wordsOf(config?.timesInForce),
    delegated: meta?.delegated ?? null,
    readAtMs,
  })

  const taken = () => JSON.stringify({ ...offers(), readAtMs: null })

  return {
    read: () => read(),
    watch,
    changes,
    held: () => {
      const all = drifts()
      return all.length === 0 || agreed(all) ? null : { kind: 'held_back', why: 'drift', intentRef: null }
    },
    handlers: {
      'service.offers': async ({ again = false }): Promise<Result<Offers, Failure>> => {
        if (again || readAtMs === null || readWith !== fieldMap.answers() || clock.now() - readAtMs > freshMs || (meta === null && (await key()) !== null))
          await read(again)
        return ok(offers())
      },
      'service.drift': () => ok(changes()),
      'service.acceptChange': ({ drifts: seen }) => {
        const now = drifts()
        // Another change has appeared since the user saw the list of service changes. The user's agreement does not cover the new change.
        if (JSON.stringify(now) !== JSON.stringify(seen)) return fail({ kind: 'bad_input', field: 'drifts', issue: 'drifted_again' })
        records.agreedDrifts.write({ profile: profile.id }, now)
        return ok({})
      },
    },
  }
}

/** Returns the list, or `null` if the list is empty. An empty list would forbid everything, while `null` restricts nothing. */
const wordsOf = (list: readonly string[] | null | undefined): string[] | null =>
  list == null || list.length === 0 ? null : list.slice(0, 32).map((word) => word.trim().toLowerCase())

const sameWords = (a: readonly string[], b: readonly string[]): boolean => [...a].sort().join() === [...b].sort().join()
