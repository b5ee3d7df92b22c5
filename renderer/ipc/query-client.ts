import { QueryClient } from '@tanstack/react-query'
import type { Bridge, DeskEvent } from '../../shared/ipc/contract.ts'

/**
 * Only main retries, and main knows better than the page whether there is a network: queries here neither retry nor pause.
 * An answer counts as fresh until main says that it is old, or the query's own interval passes.
 */
export function createQueryClient(): QueryClient {
  const always = { retry: false, networkMode: 'always' } as const
  return new QueryClient({
    defaultOptions: { queries: { ...always, staleTime: Number.POSITIVE_INFINITY, refetchOnWindowFocus: false, refetchOnReconnect: false }, mutations: always },
  })
}

/** Marks every answer of the named queries as old; those on screen are asked again. */
export function invalidate(client: QueryClient, queries: readonly string[]): void {
  for (const name of queries) void client.invalidateQueries({ queryKey: [name] })
}

export interface EventEffects {
  readonly onNotice: (notice: Extract<DeskEvent, { type: 'notice' }>) => void
  readonly onReload: () => void
}

/** Applies what main says by itself. Returns the way to stop listening. */
export function followEvents(bridge: Bridge, client: QueryClient, effects: EventEffects): () => void {
  return bridge.on((event) => {
    switch (event.type) {
      case 'invalidate':
        invalidate(client, event.queries)
        return
      case 'notice':
        effects.onNotice(event)
        return
      case 'reload':
        effects.onReload()
    }
  })
}
