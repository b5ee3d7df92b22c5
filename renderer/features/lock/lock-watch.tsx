import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { longestKept, mostKept } from '../../../shared/input-limits.ts'
import type { Bridge, Input, Name } from '../../../shared/ipc/contract.ts'
import type { HandOver } from '../../../shared/ipc/host/lock.ts'
import { minute, second } from '../../../shared/time.ts'
import { useBridge } from '../../ipc/bridge.tsx'
import { pageWork } from '../../ipc/page-work.ts'
import { dropForLock } from '../../ipc/query-client.ts'
import { type IpcCall, useIpcCall, useIpcQuery, useTouch } from '../../ipc/use-ipc.ts'
import { useClock } from '../../kit/time/time.tsx'

/**
 * Minimum time between two reports that the user is active. Long on purpose: the main process needs to know that the user is present, not what they
 * do.
 */
const touchEvery = 5 * second
const input = ['pointerdown', 'pointermove', 'wheel', 'keydown'] as const

interface LockWatchProps extends LeavingWindow {
  /** Hides sheets and other overlays. Returns a function that shows them again. */
  readonly hide: () => () => void
}

/**
 * When the app locks, empties the window and lets the main process reload the page. If the page is not reloaded, restores the window's content.
 * Also reports that the user is present.
 */
export function LockWatch({ hide, leaves, stays }: LockWatchProps) {
  const bridge = useBridge()
  const client = useQueryClient()
  const state = useIpcQuery('lock.state', {}).data?.state
  useEffect(() => {
    // If the app was never unlocked in this page, the page has no state to hand over.
    if (state !== 'locked' || pageWork(client).getState().phase === 'fresh') return
    const bringBack = hide()
    dropForLock(client)
    const stay = leaveForLock(bridge, client, { leaves, stays })
    return () => {
      stay()
      // During the lock, the main process sent this window no events, so read all data again.
      void client.invalidateQueries()
      bringBack()
    }
  }, [bridge, client, hide, leaves, state, stays])

  useActivity()
  return null
}

/** Reports to the main process that the user is present, so that the app does not lock while the user works in this window. */
export function useActivity(): void {
  const clock = useClock()
  const touch = useTouch()
  const state = useIpcQuery('lock.state', {}).data?.state
  useEffect(() => {
    if (state !== 'open') return
    let touchedAt = Number.NEGATIVE_INFINITY
    const onInput = () => {
      if (clock.monotonic() - touchedAt < touchEvery) return
      touchedAt = clock.monotonic()
      touch()
    }
    for (const name of input) window.addEventListener(name, onInput, { capture: true, passive: true })
    return () => {
      for (const name of input) window.removeEventListener(name, onInput, { capture: true })
    }
  }, [clock, state, touch])
}

/**
 * After a lock, how long the page waits for an open request on the phone. Longer than an order is valid.
 * A signature that arrives later is lost. For a grant or sign-in, the app then asks the wallet again; a sent transaction is found on the chain.
 */
const longestAtWorkMs = 6 * minute

/**
 * The parts of the window that `leaveForLock` needs. `leaves` collects the state to hand over; `stays` restores the window if the page is not
 * reloaded.
 */
interface LeavingWindow {
  readonly leaves: () => Omit<HandOver, 'calls'>
  readonly stays: () => void
}

/**
 * After a lock, waits until no work is running. Then hands the page's state and its waiting commands to the main process, which reloads the page.
 * Returns a function that cancels this if the user unlocks the app first.
 */
export function leaveForLock(bridge: Bridge, client: QueryClient, { leaves, stays }: LeavingWindow): () => void {
  const page = pageWork(client)
  let timer: ReturnType<typeof setTimeout> | undefined
  let over = false
  let late = false

  const leave = async () => {
    if (over || (page.getState().open > 0 && !late)) return
    stay()
    const calls = page
      .getState()
      .held()
      .map(({ name, input }) => ({ name, input: JSON.stringify(input) }))
      .filter(({ input }) => input.length <= longestKept)
      .slice(0, mostKept)
    page.setState({ phase: 'left' })
    const answer = await bridge.call('lock.leave', { ...leaves(), calls }).catch(() => null)
    // The main process did not reload the page: the user unlocked the app at the same moment, or main refused the state. So this page stays.
    if (answer?.result.ok === true) return
    stays()
    page.setState({ phase: 'stays' })
  }
  /** Hands the page's state over in a later task, so that a command triggered by the phone's answer starts first. */
  const look = () => {
    clearTimeout(timer)
    timer = setTimeout(leave)
  }
  const stopListening = page.subscribe(look)
  const lateTimer = setTimeout(() => {
    late = true
    look()
  }, longestAtWorkMs)
  function stay() {
    over = true
    clearTimeout(timer)
    clearTimeout(lateTimer)
    stopListening()
  }
  look()
  return stay
}

/**
 * Sends the commands that waited during the lock. Writes to the wallet library's storage go first and one by one, because other commands may read
 * that storage.
 */
async function goOn(call: IpcCall, calls: HandOver['calls']): Promise<void> {
  // The cast is safe: the main process checked each call against the IPC contract.
  const again = ({ name, input }: HandOver['calls'][number]) => call(name as Name, JSON.parse(input) as Input<Name>)
  for (const write of calls) if (write.name === 'wallet.storageSet') await again(write)
  for (const command of calls) if (command.name !== 'wallet.storageSet') void again(command)
}

/** Restores the state that the previous page handed over when the app locked. Returns `true` when done. */
export function useTakeBack(putBack: (left: HandOver) => void): boolean {
  const call = useIpcCall()
  const [done, setDone] = useState(false)
  useEffect(() => {
    void (async () => {
      const left = await call('lock.takeBack', {})
      if (left.ok && left.value !== null) {
        putBack(left.value)
        await goOn(call, left.value.calls)
      }
      setDone(true)
    })()
  }, [call, putBack])
  return done
}
