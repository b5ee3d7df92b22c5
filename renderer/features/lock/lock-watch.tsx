import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Bridge, Input, Name } from '../../../shared/ipc/contract.ts'
import type { HandOver } from '../../../shared/ipc/host/lock.ts'
import { longestKept, mostKept } from '../../../shared/lock-limits.ts'
import { minute, second } from '../../../shared/time.ts'
import { useBridge } from '../../ipc/bridge.tsx'
import { pageWork } from '../../ipc/page-work.ts'
import { dropForLock } from '../../ipc/query-client.ts'
import { type IpcCall, useIpcCall, useIpcQuery, useTouch } from '../../ipc/use-ipc.ts'
import { useClock } from '../../kit/time/time.tsx'

/** Coarse on purpose: main needs to know that somebody is here, not what they do. */
const touchEvery = 5 * second
const input = ['pointerdown', 'pointermove', 'wheel', 'keydown'] as const

interface LockWatchProps extends LeavingWindow {
  /** Takes away what lies over the page, and gives the way to bring it back. */
  readonly hide: () => () => void
}

/** Empties the window when main locks and has its page go; fills it again where it stayed. Tells main that somebody is here. */
export function LockWatch({ hide, leaves, stays }: LockWatchProps) {
  const bridge = useBridge()
  const client = useQueryClient()
  const clock = useClock()
  const touch = useTouch()
  const state = useIpcQuery('lock.state', {}).data?.state
  useEffect(() => {
    // A page that was never open holds nothing.
    if (state !== 'locked' || pageWork(client).getState().phase === 'fresh') return
    const bringBack = hide()
    dropForLock(client)
    const stay = leaveForLock(bridge, client, { leaves, stays })
    return () => {
      stay()
      // What main said meanwhile was not passed on.
      void client.invalidateQueries()
      bringBack()
    }
  }, [bridge, client, hide, leaves, state, stays])

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
  return null
}

/**
 * A request that waits on the phone when the app locks keeps the page for so long at most: longer than an order lives. A signature that comes later
 * is lost with the page; for a grant or a sign-in the wallet is asked again then, and a transaction is found on the chain.
 */
const longestAtWorkMs = 6 * minute

/** What the window has beside the calls that wait. */
interface LeavingWindow {
  readonly leaves: () => Omit<HandOver, 'calls'>
  readonly stays: () => void
}

/**
 * Hands over what may not be lost and lets main load the page again, as soon as nothing is under way in it. Gives the way to stay: the app was
 * unlocked first.
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
    // Unlocked in the same moment, or main could not take it: the page stays, and main ends it in time.
    if (answer?.result.ok === true) return
    stays()
    page.setState({ phase: 'stays' })
  }
  /** What follows from an answer has begun by then. */
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

/** Gives the commands again that the lock kept from main. The wallet's store is whole before anything reads it; the rest goes its own way. */
async function goOn(call: IpcCall, calls: HandOver['calls']): Promise<void> {
  // A cast at the boundary: main held each against the contract.
  const again = ({ name, input }: HandOver['calls'][number]) => call(name as Name, JSON.parse(input) as Input<Name>)
  for (const write of calls) if (write.name === 'wallet.storageSet') await again(write)
  for (const command of calls) if (command.name !== 'wallet.storageSet') void again(command)
}

/** Takes over what the page before left when the app locked; true once that is done. */
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
