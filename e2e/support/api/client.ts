import { Agent, type Dispatcher } from 'undici'
import { z } from 'zod'
import type { Sleep } from '../../../electron/kernel/deadline.ts'
import { Secret } from '../../../electron/kernel/secret.ts'
import { createApiClient } from '../../../electron/service/api/client.ts'
import { createVitalSigns } from '../../../electron/service/api/vital-signs.ts'
import type { ApiClient, KeyCredential, SessionCredential } from '../../../electron/service/transport/api-client.ts'
import { createLimiter, type Urgency } from '../../../electron/service/transport/limiter.ts'
import { createBreaker, createRetryBudget } from '../../../electron/service/transport/retry.ts'
import type { ExchangeNote } from '../../../electron/store/journal/journal.ts'
import { type Endpoint, endpoint } from '../../../shared/api/endpoint.ts'
import { AnyAnswer } from '../../../shared/api/schemas/markets/service-resources.ts'
import type { RequestRecord } from '../../../shared/ipc/intents/orders.ts'
import { type Clock, systemClock } from '../../../shared/time.ts'

export const keyCredential: KeyCredential = { kind: 'key', keyId: 'k1', label: 'bot', apiKey: new Secret('SVCtest0123456789abcdef') }
export const sessionCredential: SessionCredential = { kind: 'session', bearer: new Secret('svcds1.test-0123456789') }

const loose = { params: z.object({}), query: z.object({}), body: z.unknown(), response: AnyAnswer, secrets: [], evidence: 'assumed', success: 200 } as const

/** Test endpoints, declared as in the app’s endpoint table: a read, a write and a public call. */
export const read = endpoint({ ...loose, route: 'GET /markets', root: 'base', credential: 'key', scope: 'market:read', limiter: 'versioned', retry: 'safe' })
export const write = endpoint({
  ...loose,
  route: 'POST /orders/prepare',
  root: 'base',
  credential: 'key',
  scope: 'by_action',
  limiter: 'versioned',
  retry: 'never',
})
export const relay = endpoint({
  ...loose,
  route: 'POST /api/dex/actions/relay',
  root: 'host',
  credential: 'none',
  scope: null,
  limiter: 'public',
  retry: 'never',
})
export const manage = endpoint({
  ...loose,
  route: 'GET /api/dex/developer/keys',
  root: 'host',
  credential: 'session',
  scope: null,
  limiter: 'developer',
  retry: 'safe',
})
export const open = endpoint({ ...loose, route: 'GET /api/dex/config', root: 'host', credential: 'none', scope: null, limiter: 'public', retry: 'safe' })

export interface TestClient {
  readonly api: ApiClient
  readonly records: RequestRecord[]
  readonly notes: ExchangeNote[]
  /** The simulated waits of the client before its retries, in ms. */
  readonly waits: number[]
  /** The times at which the rate limiter admitted requests, by the client’s monotonic clock. */
  readonly admitted: number[]
  /** The client’s clock. Simulated waits advance it. */
  readonly clock: Clock
  readonly advance: (ms: number) => void
}

/**
 * The product’s API client with simulated time: instead of waiting, the clock jumps ahead. The clock starts at `time`. `onSeen` is called for each
 * request with its response.
 */
export function testClient(
  hostUrl: string,
  dispatcher: Dispatcher = new Agent({ connections: 4, pipelining: 1 }),
  time: Clock = systemClock,
  onSeen: () => void = () => {},
  botDispatcher: Dispatcher = dispatcher,
): TestClient {
  const waiting = createWaitingClock(time)
  const limiter = createLimiter(waiting)
  const admitted: number[] = []
  const records: RequestRecord[] = []
  const notes: ExchangeNote[] = []
  const waits: number[] = []
  const api = createApiClient({
    hostUrl,
    version: '1.2.3',
    clock: waiting.clock,
    dispatcher,
    botDispatcher,
    limiter: {
      ...limiter,
      admit: async (...asking) => {
        const admission = await limiter.admit(...asking)
        if (admission.kind === 'go') admitted.push(waiting.clock.monotonic())
        return admission
      },
    },
    breaker: createBreaker(waiting.clock),
    budget: createRetryBudget(),
    vitalSigns: createVitalSigns(waiting.clock),
    sleep: async (ms) => {
      waits.push(ms)
      return waiting.sleep(ms)
    },
    random: () => 0.5,
    onExchange: (record, _wallet, note) => {
      records.push(record)
      notes.push(note)
      onSeen()
    },
  })
  return { api, records, notes, waits, admitted, clock: waiting.clock, advance: waiting.advance }
}

/** A clock with a matching sleep function: sleeping advances the clock at once. */
function createWaitingClock(time: Clock): { readonly clock: Clock; readonly sleep: Sleep; readonly advance: (ms: number) => void } {
  let aheadMs = 0
  const advance = (ms: number) => {
    aheadMs += ms
  }
  return {
    advance,
    clock: { now: () => Math.round(time.now() + aheadMs), monotonic: () => time.monotonic() + aheadMs },
    sleep: async (ms) => {
      // Lets requests that need not wait start before the clock jumps ahead.
      await new Promise((resolve) => setImmediate(resolve))
      advance(ms)
      return true
    },
  }
}

export const call = (
  api: ApiClient,
  target: Endpoint,
  request: {
    body?: unknown
    deadlineMs?: number
    urgency?: Urgency
    rawBody?: string
    headers?: Record<string, string>
    intentRef?: string
    signal?: AbortSignal
  } = {},
) =>
  api.call(target, {
    params: {},
    query: {},
    body: request.body,
    ...request,
    credential: (target.credential === 'key' ? keyCredential : target.credential === 'session' ? sessionCredential : null) as never,
  })
