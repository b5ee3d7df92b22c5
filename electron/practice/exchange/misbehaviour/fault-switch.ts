import type { Clock } from '../../../../shared/time.ts'
import type { Faults } from '../../base/faults.ts'
import type { HostName } from '../http/ports.ts'
import { type Refusal, refuse } from '../http/reply.ts'
import type { Shape } from './shapes.ts'

/** Decides which fault applies to a request. A fault with `times: n` applies to n requests only. The faults may change while the server runs. */
export interface FaultSwitch {
  answersHtml(): boolean
  /** Returns null if the host is up. Otherwise returns the status of its gateway's error response, or `hangs` if the host never responds. */
  hostDown(host: HostName): 502 | 503 | 504 | 'hangs' | null
  /** Resolves when the host responds again after it was made to hang. */
  hostUp(host: HostName): Promise<void>
  refusesConnections(host: HostName): boolean
  /** True if the server must cut the connection before it handles the request. */
  dropsRequest(route: string): boolean
  /** True if the server must handle the request and then cut the connection instead of responding. */
  dropsAnswer(route: string): boolean
  /** Returns the response that a fault sends without handling the request; null if no fault applies. */
  replacement(route: string): Refusal | null
  bodyKind(route: string): Faults['body'][number]['kind'] | null
  /** The faults that change the structure of responses to GET requests to this route. */
  shapes(route: string): readonly Shape[]
  /** Returns the address from which all requests seem to come; null if each request has its real address. */
  callerIp(): string | null
  /** Resolves once no fault delays the response to this route. */
  released(route: string): Promise<void>
}

const pollEveryMs = 15

const concerns = (fault: { readonly route: string }, route: string): boolean => fault.route === route || fault.route === '*'

export function createFaultSwitch({ faults, clock }: { faults: Faults; clock: Clock }): FaultSwitch {
  const strikes = (list: { route: string; times: number }[], route: string): boolean => {
    const fault = list.find((each) => concerns(each, route) && each.times > 0)
    if (fault === undefined) return false
    fault.times -= 1
    return true
  }
  const downOf = (host: HostName) => faults.hostDown.find((each) => each.host === host)?.how ?? null
  const whileHolds = async (holds: () => boolean): Promise<void> => {
    while (holds()) await new Promise((resolve) => setTimeout(resolve, pollEveryMs).unref())
  }
  return {
    hostDown: (host) => {
      const how = downOf(host)
      return how === 'refused' ? null : how
    },
    hostUp: (host) => whileHolds(() => downOf(host) === 'hangs'),
    refusesConnections: (host) => downOf(host) === 'refused',
    answersHtml: () => faults.html,
    dropsRequest: (route) => strikes(faults.dropRequest, route),
    dropsAnswer: (route) => strikes(faults.dropAnswer, route),
    replacement: (route) => {
      const fault = faults.answer.find((each) => concerns(each, route) && each.times > 0)
      if (fault === undefined) return null
      fault.times -= 1
      const headers = fault.retryAfterSeconds === undefined ? {} : { 'Retry-After': String(fault.retryAfterSeconds) }
      return refuse(fault.status, fault.code, 'The practice exchange was told to answer so', {}, headers)
    },
    bodyKind: (route) => faults.body.find((each) => concerns(each, route))?.kind ?? null,
    shapes: (route) => (route.startsWith('GET ') ? faults.shapes.filter((each) => concerns(each, route)) : []),
    callerIp: () => faults.callerIp,
    released: async (route) => {
      const since = clock.monotonic()
      await whileHolds(() => faults.delay.some((each) => concerns(each, route) && (each.ms === null || clock.monotonic() - since < each.ms)))
    },
  }
}
