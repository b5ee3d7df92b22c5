import type { Dispatcher } from 'undici'
import type { Endpoint } from '../../../shared/api/endpoint.ts'
import { type Clock, second } from '../../../shared/time.ts'
import { type Breaker, createBreaker } from './breaker.ts'

/** Where a host is and the connections to it. */
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
  /** With its port where it has one. */
  readonly host: string
  readonly state: 'up' | 'down' | 'unknown'
  readonly lastAnswerAgeMs: number | null
  /** Whether the newest answer of all was this host's. */
  readonly answering: boolean
}

/** The host of a profile, and the second one where the user named it (GEN-02). */
export interface Hosts {
  /** Where the call goes next, beside the hosts that did not answer it. null: nowhere; both are left alone for a while. */
  choose(endpoint: Endpoint, tried: readonly Host[]): Host | null
  /** Whether another host may be asked when this one does not answer. */
  hasOther(endpoint: Endpoint, tried: readonly Host[]): boolean
  /** Whether reads go on although this host is in trouble: the other one is well, and answered last. */
  carried(host: Host): boolean
  answered(host: Host): void
  /** `leastMs`: what it asked for before it is tried again. */
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

/** One failure is enough where somebody else may answer; the first host is tried again after so long, then after twice that, and so on. */
const firstHostPauses = { failuresToOpen: 1, firstPauseMs: 5 * second, longestPauseMs: 60 * second }

/** Versioned calls that change nothing may be answered by either host; everything else is the first host's alone. */
const eitherHost = (endpoint: Endpoint): boolean => endpoint.root === 'base' && endpoint.retry === 'safe'

/** As the request log names it. */
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
      // The one that is left after a failure is asked whatever is known of it.
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
      // What is under way there ends; it is a read, and every view reads again.
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
  /** Path and query as they are sent, encoded. */
  readonly path: string
  /** The path without its query, for the log: a query may hold more than a log should. */
  readonly shownPath: string
}

const isMethod = (text: string): text is Address['method'] => text === 'GET' || text === 'POST' || text === 'PUT' || text === 'DELETE'

/** Puts `params` into the route and `query` behind it. Throws for a parameter that the route has no value for: a bug. */
export function addressOf(endpoint: Endpoint, params: unknown, query: unknown): Address {
  const space = endpoint.route.indexOf(' ')
  const method = endpoint.route.slice(0, space)
  const template = endpoint.route.slice(space + 1)
  if (!isMethod(method)) throw new Error(`No such method: ${endpoint.route}`)

  const values = entriesOf(params)
  const filled = template.replace(/\{([^}]+)\}/g, (_whole, name: string) => {
    const value = values.get(name)
    // `.` and `..` survive percent-encoding and would be taken for steps through the path.
    if (value === undefined || value === '' || value === '.' || value === '..') throw new Error(`No usable value for {${name}} of ${endpoint.route}`)
    return encodeURIComponent(value)
  })
  const shownPath = endpoint.root === 'base' ? `${versionedPrefix}${filled}` : filled

  const asked = entriesOf(query)
  return { method, path: asked.size === 0 ? shownPath : `${shownPath}?${new URLSearchParams([...asked])}`, shownPath }
}

/** Scalars by name; what is null or undefined is left out. */
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
