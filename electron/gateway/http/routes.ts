import { z } from 'zod'
import type { Endpoint } from '../../../shared/api/endpoint.ts'
import { endpointGroups, endpoints } from '../../../shared/api/endpoints/all-endpoints.ts'
import { versionedPath } from '../../../shared/api/host-url.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import { type GatewayRefusal, refusal } from './gateway-refusal.ts'

/** What the gateway does with a call. */
export type CallKind = 'read' | 'stream' | 'prepare' | 'execute' | 'relay' | 'receipt' | 'outcome'

export interface MatchedRoute {
  readonly kind: CallKind
  readonly endpoint: Endpoint
  /** The path with its query, exactly as the bot sent it. */
  readonly target: string
  readonly params: Readonly<Record<string, string>>
}

/** The gateway's own route: what became of an execution whose answer was lost. `{key}` is its action and its idempotency key, joined by `~`. */
export const outcomePath = '/gateway/calls'

interface Pattern {
  readonly method: string
  readonly segments: readonly string[]
  readonly endpoint: Endpoint
  readonly queryNames: ReadonlySet<string>
}

const { market, account, trading, public: publicReads, relay } = endpointGroups
/** Everything that a bot may call. Developer routes are not in it, so that no bot can manage keys or webhooks. */
const patterns: readonly Pattern[] = [market, account, trading, publicReads, relay].flatMap((group) =>
  Object.values<Endpoint>(group).map((endpoint) => {
    const [method = '', path = ''] = endpoint.route.split(' ')
    const { query } = endpoint
    return {
      method,
      segments: `${endpoint.root === 'base' ? versionedPath : ''}${path}`.split('/').slice(1),
      endpoint,
      queryNames: new Set(query instanceof z.ZodObject ? Object.keys(query.shape) : []),
    }
  }),
)

/** The patterns without a parameter by path, and the others by number of segments, since most calls go to a plain path. */
const plain = Map.groupBy(
  patterns.filter(({ segments }) => !segments.some((segment) => segment.startsWith('{'))),
  ({ segments }) => `/${segments.join('/')}`,
)
const withParameter = Map.groupBy(
  patterns.filter(({ segments }) => segments.some((segment) => segment.startsWith('{'))),
  ({ segments }) => segments.length,
)

const kinds = new Map<Endpoint, CallKind>([
  [endpoints.openStream, 'stream'],
  [endpoints.prepareOrder, 'prepare'],
  [endpoints.executeOrder, 'execute'],
  [endpoints.relayIntent, 'relay'],
  [endpoints.reportReceipt, 'receipt'],
])

const longestTarget = 2_048
/**
 * Plain segments only. A percent sign is refused in a path, so that no encoded slash or dot can mean another path to the service than to the gateway.
 */
const plainPath = /^(\/[A-Za-z0-9_.~:-]+)+$/
const plainQuery = /^(?:[A-Za-z0-9_.~:,+&=-]|%[0-9A-Fa-f]{2})*$/

/**
 * Finds the route of a request line. Compares the path as it was sent, without decoding or normalising it: absolute URLs, empty segments, `.`, `..`,
 * backslashes and encoded characters are refused, and so is a query name that the route does not have.
 */
export function matchRoute(method: string, target: string): Result<MatchedRoute, GatewayRefusal> {
  const mark = target.indexOf('?')
  const path = mark === -1 ? target : target.slice(0, mark)
  const query = mark === -1 ? '' : target.slice(mark + 1)
  const segments = path.split('/').slice(1)
  if (target.length > longestTarget || !plainPath.test(path) || segments.some((segment) => segment === '.' || segment === '..')) return fail(refusal('PATH'))
  if (path.startsWith(`${outcomePath}/`) && segments.length === 3)
    return method === 'GET' && query === ''
      ? ok({ kind: 'outcome', endpoint: endpoints.executeOrder, target, params: { key: segments[2] ?? '' } })
      : fail(refusal('METHOD'))
  const here = plain.get(path) ?? (withParameter.get(segments.length) ?? []).filter((pattern) => fits(pattern.segments, segments))
  if (here.length === 0) return fail(refusal('ROUTE'))
  const found = here.find((pattern) => pattern.method === method)
  if (found === undefined) return fail(refusal('METHOD', {}, { allow: [...new Set(here.map((pattern) => pattern.method))].join(', ') }))
  if (!plainQuery.test(query)) return fail(refusal('PATH'))
  const names = query === '' ? [] : [...new URLSearchParams(query).keys()]
  const foreign = names.find((name, index) => !found.queryNames.has(name) || names.indexOf(name) !== index)
  if (foreign !== undefined) return fail(refusal('QUERY', { field: foreign }))
  const params = Object.fromEntries(found.segments.flatMap((segment, at) => (segment.startsWith('{') ? [[segment.slice(1, -1), segments[at] ?? '']] : [])))
  return ok({ kind: kinds.get(found.endpoint) ?? 'read', endpoint: found.endpoint, target, params })
}

const fits = (pattern: readonly string[], segments: readonly string[]): boolean =>
  pattern.length === segments.length && pattern.every((part, at) => part.startsWith('{') || part === segments[at])
