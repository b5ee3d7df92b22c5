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
