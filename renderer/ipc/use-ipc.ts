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
  /** If `false`, the query is not sent. */
  readonly enabled?: boolean
  /** Milliseconds between two reads, adjusted by the polling rate. If false or absent, reads once, then again only after an invalidation. */
  readonly every?: number | false
  /** Keeps the last answer on screen while the answer for a changed input loads. */
  readonly keepPrevious?: boolean
}

/**
 * Reads data from the main process: `useIpcQuery('keys.list', {})`. The query key is `[name, input]`; `error` is a `CallFailure`.
 * If a reread fails, `data` is still the last good answer, to be shown as outdated.
 * Exception: after the loss of the sign-in or the wallet, `data` is dropped, because the user may no longer see it.
 */
export function useIpcQuery<N extends QueryName>(name: N, input: Input<N>, choices: QueryChoices = {}): UseQueryResult<Output<N>, CallFailure> {
  const bridge = useBridge()
  const client = useQueryClient()
  const every = choices.every ?? false
  const interval = atPollingRate(every, usePollingRate())
  return useQuery<Output<N>, CallFailure>({
    ...callQuery(bridge, client, name, input, freshMs(name, interval)),
    enabled: choices.enabled ?? true,
    refetchInterval: interval,
    staleTime: freshMs(name, interval),
    meta: { every },
    refetchIntervalInBackground: true,
    ...(choices.keepPrevious === true ? { placeholderData: (previous: Output<N> | undefined) => previous as never } : {}),
  })
}

/** Sends a command: `const revoke = useIpcCommand('keys.revoke')`, then `revoke.mutate(input)`. `error` is a `CallFailure`. */
export function useIpcCommand<N extends CommandName>(name: N): UseMutationResult<Output<N>, CallFailure, Input<N>> {
  const bridge = useBridge()
  const client = useQueryClient()
  return useMutation<Output<N>, CallFailure, Input<N>>({ mutationFn: async (input) => unwrap(await ask(bridge, client, name, input)) })
}

export type IpcCall = <N extends Name>(name: N, input: Input<N>) => Promise<Result<Output<N>, Failure>>

/** Returns a function that calls the main process and returns a `Result`. It never throws, which suits flows of several steps. */
export function useIpcCall(): IpcCall {
  const bridge = useBridge()
  const client = useQueryClient()
  return useCallback((name, input) => ask(bridge, client, name, input), [bridge, client])
}

/**
 * Returns a function that reports to the main process that the user is active. The page ignores the answer, because a locked app refuses the call.
 */
export function useTouch(): () => void {
  const bridge = useBridge()
  return useCallback(() => void bridge.call('lock.touch', {}).catch(() => undefined), [bridge])
}
