import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useEffect, useRef } from 'react'
import type { PollingRate } from '../../shared/ipc/host/service.ts'
import { useBridge } from './bridge.tsx'
import { callQuery } from './call-query.ts'

const usual: PollingRate = { state: 'shown', factor: 1, leastMs: 0, stopped: false }
const PollingRateContext = createContext<PollingRate>(usual)

/**
 * If a view reads data at least every `actedOnMs` milliseconds, orders may depend on this data. Even at a slow polling rate, the view reads it at
 * least every `mostForActingMs`, because two reads must fit into the 8 s that a price may be old.
 */
const actedOnMs = 2_000
const mostForActingMs = 4_000

/**
 * Returns the milliseconds between two reads at this polling rate, for data that a view wants to read every `every` ms. `false`: no reads.
 */
export function atPollingRate(every: number | false, pollingRate: PollingRate): number | false {
  if (every === false || pollingRate.stopped) return false
  const slowed = every * pollingRate.factor
  return Math.max(pollingRate.leastMs, every <= actedOnMs ? Math.min(slowed, Math.max(every, mostForActingMs)) : slowed)
}

/** Rereads visible data that is older than the interval that its view wants. */
export function catchUp(client: QueryClient, nowMs: number): void {
  const late = client.getQueryCache().findAll({
    type: 'active',
    predicate: ({ meta, state }) => typeof meta?.every === 'number' && nowMs - Math.max(state.dataUpdatedAt, state.errorUpdatedAt) >= meta.every,
  })
  for (const query of late) void client.refetchQueries({ queryKey: query.queryKey, exact: true })
}

/**
 * How often to ask the main process for the polling rate, in ms. The main process also notifies the page of each change, but a change may come
 * before the page listens.
 */
const lookEveryMs = 5_000

const slowness = (pollingRate: PollingRate) => (pollingRate.stopped ? Number.POSITIVE_INFINITY : Math.max(pollingRate.factor, pollingRate.leastMs))

/** Provides the polling rate to all views inside. When polling becomes faster, views read outdated data again at once. */
export function PollingRateProvider({ children }: { readonly children: ReactNode }) {
  const client = useQueryClient()
  const pollingRate = useQuery({ ...callQuery(useBridge(), client, 'app.pollingRate', {}), refetchInterval: lookEveryMs }).data ?? usual
  const before = useRef(pollingRate)
  useEffect(() => {
    // Use this computer's clock and not the service's, because react-query timestamps answers with this computer's clock.
    if (slowness(pollingRate) < slowness(before.current)) catchUp(client, Date.now())
    before.current = pollingRate
  }, [client, pollingRate])
  return <PollingRateContext value={pollingRate}>{children}</PollingRateContext>
}

export const usePollingRate = (): PollingRate => useContext(PollingRateContext)
