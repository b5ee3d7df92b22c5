import type { Dispatcher } from 'undici'
import type { Endpoint } from '../../../shared/api/endpoint.ts'
import { type Clock, second } from '../../../shared/time.ts'
import { type Breaker, createBreaker } from './retry.ts'

export interface HostLine {
  readonly hostUrl: string
  readonly dispatcher: Dispatcher
  /** The connections for the requests of bots. If absent, bots share `dispatcher`. */
  readonly botDispatcher?: Dispatcher
}

export interface Host {
  readonly which: 'first' | 'second'
  readonly origin: string
  /** The host and port, without the scheme. */
  readonly name: string
  readonly dispatcher: Dispatcher
  readonly botDispatcher: Dispatcher
}

export interface HostState {
  readonly which: 'first' | 'second'
  readonly host: string
  readonly state: 'up' | 'down' | 'unknown'
  readonly lastAnswerAgeMs: number | null
  /** True if this host sent the newest response. */
  readonly answering: boolean
}

/** The profile's own host, and the second host if the user has set one (GEN-02). */
export interface Hosts {
  /** Returns the host to try next, excluding the hosts in `tried`. Returns `null` if no host remains, or if all remaining hosts are paused. */
  choose(endpoint: Endpoint, tried: readonly Host[]): Host | null
  /** True if another host can be tried when the current host does not answer. */
  hasOther(endpoint: Endpoint, tried: readonly Host[]): boolean
  /** True if reads still work although this host fails, because the other host works and sent the newest response. */
  carried(host: Host): boolean
  answered(host: Host): void
  /** Records that a host failed. `leastMs` is how long the host asked the app to wait, if it did. */
  failed(host: Host, leastMs: number): void
  setSecond(line: HostLine | null): void
  read(): readonly HostState[]
  close(): Promise<void>
}

interface Kept extends Host {
  readonly breaker: Breaker
  state: HostState['state']
  lastAnswerAtMs: number | null
}

/**
 * Pauses of the first host if there is a second host for the call. A single failure pauses the first host. After the pause, the app tries the first
 * host again; each further failure doubles the pause.
 */
const firstHostPauses = { failuresToOpen: 1, firstPauseMs: 5 * second, longestPauseMs: 60 * second }

/** True if the second host may also serve the call: the call is versioned and changes nothing. All other calls use only the first host. */
const eitherHost = (endpoint: Endpoint): boolean => endpoint.root === 'base' && endpoint.retry === 'safe'

export const hostNamed = ({ name, which }: Host) => ({ name, second: which === 'second' })

/** Undici allows to destroy a dispatcher twice, so both names may mean the same one. */
const disconnect = ({ dispatcher, botDispatcher }: Host) => Promise.all([dispatcher.destroy(), botDispatcher.destroy()])

export function createHosts({ clock, first: firstLine }: { readonly clock: Clock; readonly first: HostLine }): Hosts {
  const keep = (which: Host['which'], { hostUrl, dispatcher, botDispatcher = dispatcher }: HostLine, breaker: Breaker): Kept => ({
    which,
    origin: new URL(hostUrl).origin,
    name: new URL(hostUrl).host,
    dispatcher,
    botDispatcher,
    breaker,
    state: 'unknown',
    lastAnswerAtMs: null,
  })
  const firstHost = keep('first', firstLine, createBreaker(clock, firstHostPauses))
  let secondHost: Kept | null = null
  let answering: Host['which'] | null = null

  const keptOf = (host: Host): Kept | null => [firstHost, secondHost].find((kept) => kept !== null && kept.origin === host.origin) ?? null

  return {
    choose(endpoint, tried) {
      if (secondHost === null || !eitherHost(endpoint)) return firstHost
      const left = [firstHost, secondHost].filter((kept) => !tried.includes(kept))
      // If one host has just failed, try the other host even if it is paused. Otherwise, prefer a host that is not paused.
      return tried.length > 0 ? (left[0] ?? null) : (left.find(({ breaker }) => breaker.allows('versioned')) ?? null)
    },
    hasOther: (endpoint, tried) => secondHost !== null && eitherHost(endpoint) && tried.length < 2,
    carried: (host) => answering !== null && answering !== host.which && (answering === 'first' ? firstHost : secondHost)?.state === 'up',
    answered(host) {
      const kept = keptOf(host)
      if (kept === null) return
      kept.breaker.succeeded('versioned')
      kept.state = 'up'
      kept.lastAnswerAtMs = clock.now()
      answering = kept.which
    },
    failed(host, leastMs) {
      const kept = keptOf(host)
      if (kept === null) return
      kept.breaker.failed('versioned', leastMs)
      kept.state = 'down'
    },
    setSecond(line) {
      const before = secondHost
      secondHost = line === null ? null : keep('second', line, createBreaker(clock))
      if (answering === 'second') answering = null
      // Cancel the reads that still use the previous second host. The views then send their reads again.
      if (before !== null) void disconnect(before)
    },
    read: () =>
      [firstHost, secondHost]
        .filter((kept) => kept !== null)
        .map(({ which, name, state, lastAnswerAtMs }) => ({
          which,
          host: name,
          state,
          lastAnswerAgeMs: lastAnswerAtMs === null ? null : Math.max(0, clock.now() - lastAnswerAtMs),
          answering: answering === which,
        })),
    close: async () => {
      await Promise.all([firstHost, secondHost].map((host) => host && disconnect(host)))
    },
  }
}

/** The root of the versioned API, relative to `{host_url}` (API document: Versioning 1). */
const versionedPrefix = '/api/dex/v1'

interface Address {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly path: string
  /** Returns the path without its query. The log contains only this path, because a query may contain sensitive data. */
  readonly shownPath: string
}

const isMethod = (text: string): text is Address['method'] => text === 'GET' || text === 'POST' || text === 'PUT' || text === 'DELETE'

/** Fills `params` into the route and appends `query`. Throws if a route parameter has no value, which is a bug. */
export function addressOf(endpoint: Endpoint, params: unknown, query: unknown): Address {
  const space = endpoint.route.indexOf(' ')
  const method = endpoint.route.slice(0, space)
  const template = endpoint.route.slice(space + 1)
  if (!isMethod(method)) throw new Error(`No such method: ${endpoint.route}`)

  const values = entriesOf(params)
  const fill = (_whole: string, name: string): string => {
    const value = values.get(name)
    // Refuse `.` and `..`. Percent-encoding does not change them, so they would change the path.
    if (value === undefined || value === '' || value === '.' || value === '..') throw new Error(`No usable value for {${name}} of ${endpoint.route}`)
    return encodeURIComponent(value)
  }
  const filled = template.includes('{') ? template.replace(/\{([^}]+)\}/g, fill) : template
  const shownPath = endpoint.root === 'base' ? `${versionedPrefix}${filled}` : filled

  const asked = entriesOf(query)
  return { method, path: asked.size === 0 ? shownPath : `${shownPath}?${new URLSearchParams([...asked])}`, shownPath }
}

function entriesOf(source: unknown): Map<string, string> {
  const entries = new Map<string, string>()
  if (typeof source !== 'object' || source === null) return entries
  for (const [name, value] of Object.entries(source)) {
    if (value === null || value === undefined) continue
    if (typeof value === 'object') entries.set(name, Array.isArray(value) ? value.join(',') : JSON.stringify(value))
    else entries.set(name, String(value))
  }
  return entries
}
