import type { Clock } from '../../shared/time.ts'
import type { ApiClient } from '../api/api-client.ts'

/** The service's time as far as its `Date` headers tell it: what deadlines and expiries of the service are compared with. */
export const createServiceClock = (clock: Clock, api: Pick<ApiClient, 'clockOffsetMs'>): Clock => ({
  now: () => clock.now() + (api.clockOffsetMs() ?? 0),
  monotonic: () => clock.monotonic(),
})
