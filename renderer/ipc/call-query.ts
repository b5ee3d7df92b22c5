import type { QueryClient } from '@tanstack/react-query'
import type { StoreApi } from 'zustand'
import type { Bridge, CommandName, Input, Name, Output, QueryName } from '../../shared/ipc/contract.ts'
import type { Failure } from '../../shared/ipc/failure.ts'
import { askedWhileLocked } from '../../shared/ipc/host/asked-while-locked.ts'
import { carriesOver, leadsToWallet } from '../../shared/ipc/host/carried-over.ts'
import type { LockState } from '../../shared/ipc/host/lock.ts'
import { fail, type Result } from '../../shared/result.ts'
import { CallFailure } from './call-failure.ts'
import { type PageWork, pageWork, staysFor } from './page-work.ts'
import { invalidate } from './query-client.ts'

/** What waits in a page that has handed over ends with it; the next page does it. */
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
 * One call over the bridge. Applies the answer's `invalidates` even after a failure, which may have changed something. While the app is locked the
 * call waits and does not reach main. A command that must not be lost moves to the next page if this one leaves.
 */
export async function ask<N extends Name>(bridge: Bridge, client: QueryClient, name: N, input: Input<N>): Promise<Result<Output<N>, Failure>> {
  const work = pageWork(client)
  const call = () => bridge.call(name, input)
  try {
    for (;;) {
      await staysHere(work)
      if (askedWhileLocked.has(name) || !work.getState().locked) {
        const answer = leadsToWallet(name) ? await staysFor(work, call) : await call()
        noteLock(work, name, answer.result)
        invalidate(client, answer.invalidates)
        if (answer.result.ok || answer.result.failure.kind !== 'locked') return answer.result
      }
      // Nothing was done: it is asked again as soon as the app is unlocked.
      await waitForUnlock(bridge, client, name, input)
    }
  } catch {
    // The bridge answers failures as values; a throw means that the channel itself is broken.
    return fail({ kind: 'internal', reference: `channel:${name}` })
  }
}

/** What main says of the lock decides what it is asked, before anything is drawn by it. */
function noteLock(work: StoreApi<PageWork>, name: Name, result: Result<unknown, Failure>): void {
  if (name !== 'lock.state' || !result.ok) return
  const locked = (result.value as LockState).state === 'locked' // the contract's own answer to this name
  work.setState(({ phase }) => ({ locked, phase: locked || phase === 'left' ? phase : 'used' }))
}

async function waitForUnlock<N extends Name>(bridge: Bridge, client: QueryClient, name: N, input: Input<N>): Promise<void> {
  const work = pageWork(client)
  // A cast at the boundary: only commands are carried over.
  // The wallet's store hands over itself what it could not write.
  const letGo = name !== 'wallet.storageSet' && carriesOver(name, input) ? work.getState().hold({ name: name as CommandName, input }) : null
  work.setState({ locked: true })
  await unlocked(bridge, client)
  work.setState({ locked: false })
  letGo?.()
}

/** After these failures the user may no longer see earlier data, so it is not kept as stale. */
const closing: ReadonlySet<Failure['kind']> = new Set(['sign_in_required', 'no_wallet', 'wrong_wallet'])

/** What react-query needs to read something: `useQuery(callQuery(bridge, client, 'keys.list', {}))`. */
export function callQuery<N extends QueryName>(bridge: Bridge, client: QueryClient, name: N, input: Input<N>) {
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
      throw new CallFailure(result.failure)
    },
  }
}

const lockKey = ['lock.state', {}] as const

/** Waits until the app is unlocked. `lock.state` is on screen for as long as the window lives, and main says when it is old. */
async function unlocked(bridge: Bridge, client: QueryClient): Promise<void> {
  // What the page knows may be older than the refusal.
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
