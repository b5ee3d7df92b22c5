import { type QueryClient, type UseMutationResult, type UseQueryResult, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import type { Bridge, CommandName, Input, Name, Output, QueryName } from '../../shared/ipc/contract.ts'
import type { Failure } from '../../shared/ipc/failure.ts'
import { fail, type Result } from '../../shared/result.ts'
import { useBridge } from './bridge.tsx'
import { DeskFailure } from './desk-failure.ts'
import { invalidate } from './query-client.ts'

/** One call over the bridge. The answer's `invalidates` is applied whether it succeeded or not: a failed change may have changed something. */
async function ask<N extends Name>(bridge: Bridge, client: QueryClient, name: N, input: Input<N>): Promise<Result<Output<N>, Failure>> {
  try {
    const answer = await bridge.call(name, input)
    invalidate(client, answer.invalidates)
    return answer.result
  } catch {
    // The bridge answers failures as values; a throw means that the channel itself is broken.
    return fail({ kind: 'internal', reference: `channel:${name}` })
  }
}

function unwrap<T>(result: Result<T, Failure>): T {
  if (result.ok) return result.value
  throw new DeskFailure(result.failure)
}

interface QueryChoices {
  /** False keeps the query from being asked. */
  readonly enabled?: boolean
  /** Milliseconds between two readings; false or absent reads once and then on invalidation. */
  readonly every?: number | false
  /** Keeps the last answer on screen while the input changes. */
  readonly keepPrevious?: boolean
}

/**
 * Reads something from main: `useDeskQuery('keys.list', {})`. Key: `[name, input]`.
 * `error` is a `DeskFailure`; after a failed repeat `data` still holds the last good answer, to be shown as stale.
 */
export function useDeskQuery<N extends QueryName>(name: N, input: Input<N>, choices: QueryChoices = {}): UseQueryResult<Output<N>, DeskFailure> {
  const bridge = useBridge()
  const client = useQueryClient()
  return useQuery<Output<N>, DeskFailure>({
    queryKey: [name, input],
    // `invalidates` of a query's answer is always empty, so reading cannot set off another reading.
    queryFn: async () => unwrap(await ask(bridge, client, name, input)),
    enabled: choices.enabled ?? true,
    refetchInterval: choices.every ?? false,
    refetchIntervalInBackground: true,
    ...(choices.keepPrevious === true ? { placeholderData: (previous: Output<N> | undefined) => previous as never } : {}),
  })
}

/** Changes something: `const revoke = useDeskCommand('keys.revoke')`, then `revoke.mutate(input)`. `error` is a `DeskFailure`. */
export function useDeskCommand<N extends CommandName>(name: N): UseMutationResult<Output<N>, DeskFailure, Input<N>> {
  const bridge = useBridge()
  const client = useQueryClient()
  return useMutation<Output<N>, DeskFailure, Input<N>>({ mutationFn: async (input) => unwrap(await ask(bridge, client, name, input)) })
}

export type DeskCall = <N extends Name>(name: N, input: Input<N>) => Promise<Result<Output<N>, Failure>>

/** For flows of several steps: a function that asks main and answers with a `Result`, never by throwing. */
export function useDeskCall(): DeskCall {
  const bridge = useBridge()
  const client = useQueryClient()
  return useCallback((name, input) => ask(bridge, client, name, input), [bridge, client])
}
