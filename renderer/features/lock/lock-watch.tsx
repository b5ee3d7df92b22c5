import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { second } from '../../../shared/time.ts'
import { useBridge } from '../../ipc/bridge.tsx'
import { pageWork } from '../../ipc/page-work.ts'
import { dropForLock } from '../../ipc/query-client.ts'
import { useDeskQuery } from '../../ipc/use-desk.ts'
import { useTouch } from '../../ipc/use-touch.ts'
import { useClock } from '../../kit/time/now.tsx'
import { type LeavingWindow, leaveForLock } from './leave-for-lock.ts'

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
  const state = useDeskQuery('lock.state', {}).data?.state
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
