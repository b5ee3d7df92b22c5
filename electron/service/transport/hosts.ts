import type { Dispatcher } from 'undici'
import type { Endpoint } from '../../../shared/api/endpoint.ts'
import { type Clock, second } from '../../../shared/time.ts'
import { type Breaker, createBreaker } from './breaker.ts'

/** A host's address and its connections. */
export interface HostLine {
  readonly hostUrl: string
  readonly dispatcher: Dispatcher
}

export interface Host {
  readonly which: 'first' | 'second'
  readonly origin: string
  readonly dispatcher: Dispatcher
}

export interface HostState {
  readonly which: 'first' | 'second'
  /** With the port if the URL has one. */
  readonly host: string
  readonly state: 'up' | 'down' | 'unknown'
  readonly lastAnswerAgeMs: number | null
  /** Whether this host sent the newest response. */
  readonly answering: boolean
}

/** The profile's host, and the second host if the user set one (GEN-02). */
export interface Hosts {
  /** The host to try next, except those in `tried`. `null`: no host is left, or all are paused. */
  choose(endpoint: Endpoint, tried: readonly Host[]): Host | null
  /** Whether another host may be tried when this one does not answer. */
  hasOther(endpoint: Endpoint, tried: readonly Host[]): boolean
  /** Whether reads work despite this host's trouble: the other host works and answered last. */
  carried(host: Host): boolean
  answered(host: Host): void
  /** `leastMs`: the wait that the host requested. */
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

/** One failure is enough when another host may answer. The first host is tried again after this pause, doubled each time. */
const firstHostPauses = { failuresToOpen: 1, firstPauseMs: 5 * second, longestPauseMs: 60 * second }

/** Either host may answer versioned calls that change nothing; all other calls go to the first. */
const eitherHost = (endpoint: Endpoint): boolean => endpoint.root === 'base' && endpoint.retry === 'safe'

/** The host's name in the request log. */
export const hostNamed = ({ origin, which }: Host) => ({ name: new URL(origin).host, second: which === 'second' })

export function createHosts({ clock, first: firstLine }: { readonly clock: Clock; readonly first: HostLine }): Hosts {
  const keep = (which: Host['which'], { hostUrl, dispatcher }: HostLine, breaker: Breaker): Kept => ({
    which,
    origin: new URL(hostUrl).origin,
    dispatcher,
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
      // After a failure, the remaining host is tried even if it is paused.
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
      // Ends reads running on the old second host; every view reads again.
      void before?.dispatcher.destroy()
    },
    read: () =>
      [firstHost, secondHost]
        .filter((kept) => kept !== null)
        .map(({ which, origin, state, lastAnswerAtMs }) => ({
          which,
          host: new URL(origin).host,
          state,
          lastAnswerAgeMs: lastAnswerAtMs === null ? null : Math.max(0, clock.now() - lastAnswerAtMs),
          answering: answering === which,
        })),
    close: async () => {
      await Promise.all([firstHost.dispatcher.destroy(), secondHost?.dispatcher.destroy()])
    },
  }
}

/** Relative to `{host_url}`: the root of the versioned API (Versioning 1). */
const versionedPrefix = '/api/dex/v1'

interface Address {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Path and query as sent, encoded. */
  readonly path: string
  /** The path without its query, for the log: a query may contain sensitive data. */
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
  const filled = template.replace(/\{([^}]+)\}/g, (_whole, name: string) => {
    const value = values.get(name)
    // `.` and `..` survive percent-encoding and would act as path steps.
    if (value === undefined || value === '' || value === '.' || value === '..') throw new Error(`No usable value for {${name}} of ${endpoint.route}`)
    return encodeURIComponent(value)
  })
  const shownPath = endpoint.root === 'base' ? `${versionedPrefix}${filled}` : filled

  const asked = entriesOf(query)
  return { method, path: asked.size === 0 ? shownPath : `${shownPath}?${new URLSearchParams([...asked])}`, shownPath }
}

/** Scalar values by name, without `null` and `undefined`. */
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
