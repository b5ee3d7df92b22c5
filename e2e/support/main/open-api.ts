import { type ApiClientParts, createApiClient } from '../../../electron/service/api/client.ts'
import { createVitalSigns, type VitalSigns } from '../../../electron/service/api/vital-signs.ts'
import type { ApiClient } from '../../../electron/service/transport/api-client.ts'
import { createLimiter } from '../../../electron/service/transport/limiter.ts'
import { createBreaker, createRetryBudget } from '../../../electron/service/transport/retry.ts'
import type { Clock } from '../../../shared/time.ts'
import { inOtherManners, type Speaks } from './other-manners.ts'
import { createRecordingDispatcher, type SentRequest } from './recording-dispatcher.ts'

export interface OpenApiOptions {
  readonly hostUrl: string
  readonly clock: Clock
  readonly vitalSigns?: VitalSigns
  readonly sleep: (ms: number) => Promise<boolean>
  readonly sent: SentRequest[]
  readonly onExchange: ApiClientParts['onExchange']
  readonly fieldMap?: ApiClientParts['fieldMap']
  /** Rewrites the body of each successful response of the service. */
  readonly speaks?: Speaks | undefined
  /** The connections to use. If absent, the client opens its own, and records each request. */
  readonly connections?: Pick<ApiClientParts, 'dispatcher' | 'botDispatcher'>
}

/** The product’s API client with real connections. Adds each request to `sent`. */
export const openApi = ({
  hostUrl,
  clock,
  vitalSigns = createVitalSigns(clock),
  sleep,
  sent,
  onExchange,
  fieldMap,
  speaks,
  connections,
}: OpenApiOptions): ApiClient =>
  createApiClient({
    hostUrl,
    version: '0.0.0',
    clock,
    ...(connections ?? { dispatcher: speaks === undefined ? createRecordingDispatcher(sent) : inOtherManners(createRecordingDispatcher(sent), speaks) }),
    limiter: createLimiter({ clock, sleep }),
    breaker: createBreaker(clock),
    budget: createRetryBudget(),
    vitalSigns,
    sleep,
    random: () => 0,
    onExchange,
    ...(fieldMap !== undefined && { fieldMap }),
  })
