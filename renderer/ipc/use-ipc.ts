import { type UseMutationResult, type UseQueryResult, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import type { CommandName, Input, Name, Output, QueryName } from '../../shared/ipc/contract.ts'
import type { Failure } from '../../shared/ipc/failure.ts'
import type { Result } from '../../shared/result.ts'
import { useBridge } from './bridge.tsx'
import { CallFailure } from './call-failure.ts'
import { ask, callQuery } from './call-query.ts'
import { atPollingRate, usePollingRate } from './polling-rate.tsx'
import { freshMs } from './query-client.ts'

function unwrap<T>(result: Result<T, Failure>): T {
  if (result.ok) return result.value
  throw new CallFailure(result.failure)
}

interface QueryChoices {
  /** False keeps the query from being asked. */
  readonly enabled?: boolean
  /** Milliseconds between two readings, at the polling rate that main keeps; false or absent reads once and then on invalidation. */
  readonly every?: number | false
  /** Keeps the last answer on screen while the input changes. */
  readonly keepPrevious?: boolean
}

/**
 * Reads from main: `useIpcQuery('keys.list', {})`. Key: `[name, input]`. `error` is a `CallFailure`. After a failed reread, `data` keeps the last
 * good answer to show as stale, unless the failure means the user may no longer see it: the sign-in or wallet is gone.
 */
export function useIpcQuery<N extends QueryName>(name: N, input: Input<N>, choices: QueryChoices = {}): UseQueryResult<Output<N>, CallFailure> {
  const bridge = useBridge()
  const client = useQueryClient()
  const every = choices.every ?? false
  const interval = atPollingRate(every, usePollingRate())
  return useQuery<Output<N>, CallFailure>({
    ...callQuery(bridge, client, name, input),
    enabled: choices.enabled ?? true,
    refetchInterval: interval,
    staleTime: freshMs(name, interval),
    meta: { every },
    refetchIntervalInBackground: true,
    ...(choices.keepPrevious === true ? { placeholderData: (previous: Output<N> | undefined) => previous as never } : {}),
  })
}

/** Changes something: `const revoke = useIpcCommand('keys.revoke')`, then `revoke.mutate(input)`. `error` is a `CallFailure`. */
export function useIpcCommand<N extends CommandName>(name: N): UseMutationResult<Output<N>, CallFailure, Input<N>> {
  const bridge = useBridge()
  const client = useQueryClient()
  return useMutation<Output<N>, CallFailure, Input<N>>({ mutationFn: async (input) => unwrap(await ask(bridge, client, name, input)) })
}

export type IpcCall = <N extends Name>(name: N, input: Input<N>) => Promise<Result<Output<N>, Failure>>

/** For flows of several steps: a function that asks main and answers with a `Result`, never by throwing. */
export function useIpcCall(): IpcCall {
  const bridge = useBridge()
  const client = useQueryClient()
  return useCallback((name, input) => ask(bridge, client, name, input), [bridge, client])
}

/** Tells main that somebody is here. Whatever it answers is of no interest: a locked app takes no note. */
export function useTouch(): () => void {
  const bridge = useBridge()
  return useCallback(() => void bridge.call('lock.touch', {}).catch(() => undefined), [bridge])
}
