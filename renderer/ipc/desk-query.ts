import type { QueryClient } from '@tanstack/react-query'
import type { Bridge, Input, Name, Output, QueryName } from '../../shared/ipc/contract.ts'
import type { Failure } from '../../shared/ipc/failure.ts'
import { fail, type Result } from '../../shared/result.ts'
import { DeskFailure } from './desk-failure.ts'
import { invalidate } from './query-client.ts'
import { unlocked } from './unlocked.ts'

/**
 * One call over the bridge. The answer's `invalidates` is applied whether it succeeded or not: a failed change may have changed
 * something. While the app is locked it waits: what was under way goes on afterwards.
 */
export async function ask<N extends Name>(bridge: Bridge, client: QueryClient, name: N, input: Input<N>): Promise<Result<Output<N>, Failure>> {
  try {
    for (;;) {
      const answer = await bridge.call(name, input)
      invalidate(client, answer.invalidates)
      if (answer.result.ok || answer.result.failure.kind !== 'locked') return answer.result
      // Nothing was done: it is asked again as soon as the app is unlocked.
      await unlocked(bridge, client)
    }
  } catch {
    // The bridge answers failures as values; a throw means that the channel itself is broken.
    return fail({ kind: 'internal', reference: `channel:${name}` })
  }
}

/** After these, what was read before is nobody's to look at any more: it is not kept as stale. */
const closing: ReadonlySet<Failure['kind']> = new Set(['sign_in_required', 'no_wallet', 'wrong_wallet'])

/** What react-query needs to read something: `useQuery(deskQuery(bridge, client, 'keys.list', {}))`. */
export function deskQuery<N extends QueryName>(bridge: Bridge, client: QueryClient, name: N, input: Input<N>) {
  const queryKey = [name, input] as const
  return {
    queryKey,
    // `invalidates` of a query's answer is always empty, so reading cannot set off another reading.
    queryFn: async (): Promise<Output<N>> => {
      const query = client.getQueryCache().find({ queryKey, exact: true })
      const before: unknown = query?.state.data
      const result = await ask(bridge, client, name, input)
      if (result.ok) return result.value
      // An answer that came meanwhile is another wallet's, or a new sign-in's.
      if (closing.has(result.failure.kind) && query?.state.data === before) query?.setState({ data: undefined, dataUpdatedAt: 0 })
      throw new DeskFailure(result.failure)
    },
  }
}
