import type { QueryClient } from '@tanstack/react-query'
import type { StoreApi } from 'zustand'
import type { Bridge, CommandName, Input, Name, Output, QueryName } from '../../shared/ipc/contract.ts'
import type { Failure } from '../../shared/ipc/failure.ts'
import { askedWhileLocked, carriesOver, leadsToWallet } from '../../shared/ipc/host/carried-over.ts'
import type { LockState } from '../../shared/ipc/host/lock.ts'
import { fail, type Result } from '../../shared/result.ts'
import { CallFailure } from './call-failure.ts'
import { type PageWork, pageWork, staysFor } from './page-work.ts'
import { invalidate } from './query-client.ts'

/**
 * After the page handed its state over, waits until it is clear whether the main process reloads the page. If it does, the returned promise never
 * resolves, because the reloaded page makes the pending calls again.
 */
const staysHere = (work: StoreApi<PageWork>): Promise<void> =>
  new Promise((resolve) => {
    const look = () => {
      if (work.getState().phase === 'left') return
      stop()
      resolve()
    }
    const stop = work.subscribe(look)
    look()
  })

/**
 * Makes one call over the bridge. Marks the queries in the answer's `invalidates` as outdated, even after a failure, because a failed call may have
 * changed something.
 * `withinMs`: also accepts an answer that another window received at most this long ago.
 * While the app is locked, the call waits and is not sent. If the lock reloads the page, the reloaded page sends those commands that must not be
 * lost.
 */
export async function ask<N extends Name>(bridge: Bridge, client: QueryClient, name: N, input: Input<N>, withinMs = 0): Promise<Result<Output<N>, Failure>> {
  const work = pageWork(client)
  const call = () => bridge.call(name, input, withinMs)
  try {
    for (;;) {
      await staysHere(work)
      if (askedWhileLocked.has(name) || !work.getState().locked) {
        const answer = leadsToWallet(name) ? await staysFor(work, call) : await call()
        noteLock(work, name, answer.result)
        invalidate(client, answer.invalidates)
        if (answer.result.ok || answer.result.failure.kind !== 'locked') return answer.result
      }
      // The main process refused the call because of the lock, and did nothing. Repeat the call as soon as the app is unlocked.
      await waitForUnlock(bridge, client, name, input)
    }
  } catch {
    // The bridge returns failures as values. If it throws, the channel itself is broken.
    return fail({ kind: 'internal', reference: `channel:${name}` })
  }
}

/** Stores the lock's state from the main process at once, before the page draws the change: the state decides which calls may be sent. */
function noteLock(work: StoreApi<PageWork>, name: Name, result: Result<unknown, Failure>): void {
  if (name !== 'lock.state' || !result.ok) return
  const locked = (result.value as LockState).state === 'locked' // the cast is safe: the contract guarantees this type for `lock.state`
  work.setState(({ phase }) => ({ locked, phase: locked || phase === 'left' ? phase : 'used' }))
}

async function waitForUnlock<N extends Name>(bridge: Bridge, client: QueryClient, name: N, input: Input<N>): Promise<void> {
  const work = pageWork(client)
  // The cast is safe: `carriesOver` is true only for commands. Leave out writes to the wallet's storage: the wallet's storage hands over its own
  // unfinished writes.
  const letGo = name !== 'wallet.storageSet' && carriesOver(name, input) ? work.getState().hold({ name: name as CommandName, input }) : null
  work.setState({ locked: true })
  await unlocked(bridge, client)
  work.setState({ locked: false })
  letGo?.()
}

/** After these failures the user may no longer see earlier data. The app discards that data instead of showing it as stale. */
const closing: ReadonlySet<Failure['kind']> = new Set(['sign_in_required', 'no_wallet', 'wrong_wallet'])

/** The options with which react-query reads a query: `useQuery(callQuery(bridge, client, 'keys.list', {}))`. `withinMs`: see `ask`. */
export function callQuery<N extends QueryName>(bridge: Bridge, client: QueryClient, name: N, input: Input<N>, withinMs = 0) {
  const queryKey = [name, input] as const
  return {
    queryKey,
    // `invalidates` is always empty for a query, so one read never triggers another.
    queryFn: async (): Promise<Output<N>> => {
      const query = client.getQueryCache().find({ queryKey, exact: true })
      const before: unknown = query?.state.data
      const result = await ask(bridge, client, name, input, withinMs)
      if (result.ok) return result.value
      // If other data arrived during this read, that data belongs to another wallet or a new sign-in. Keep that data.
      if (closing.has(result.failure.kind) && query?.state.data === before) query?.setState({ data: undefined, dataUpdatedAt: 0 })
      throw new CallFailure(result.failure)
    },
  }
}

const lockKey = ['lock.state', {}] as const

/** Waits until the app is unlocked. The window always observes `lock.state`, and the main process notifies it of changes. */
async function unlocked(bridge: Bridge, client: QueryClient): Promise<void> {
  // Ask the main process for the lock's state: the app may have been unlocked since the call was refused.
  const now = await bridge.call('lock.state', {})
  if (now.result.ok && now.result.value.state !== 'locked') return
  await client.invalidateQueries({ queryKey: lockKey })
  const isOpen = () => {
    const state = client.getQueryData<LockState>(lockKey)
    return state !== undefined && state.state !== 'locked'
  }
  await new Promise<void>((resolve) => {
    const stop = client.getQueryCache().subscribe(look)
    function look() {
      if (!isOpen()) return
      stop()
      resolve()
    }
    look()
  })
}
