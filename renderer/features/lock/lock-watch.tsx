import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { second } from '../../../shared/time.ts'
import { dropForLock } from '../../ipc/query-client.ts'
import { useDeskQuery } from '../../ipc/use-desk.ts'
import { useTouch } from '../../ipc/use-touch.ts'
import { useClock } from '../../ui/now.tsx'

/** Coarse on purpose: main needs to know that somebody is here, not what they do. */
const touchEvery = 5 * second
const input = ['pointerdown', 'pointermove', 'wheel', 'keydown'] as const

/**
 * Empties the window when main locks, fills it again afterwards, and tells main that somebody is here. `hide` takes away what lies over
 * the page, and gives the way to bring it back.
 */
export function LockWatch({ hide }: { readonly hide: () => () => void }) {
  const client = useQueryClient()
  const clock = useClock()
  const touch = useTouch()
  const state = useDeskQuery('lock.state', {}).data?.state
  const latest = useRef(hide)
  latest.current = hide

  useEffect(() => {
    if (state !== 'locked') return
    const bringBack = latest.current()
    dropForLock(client)
    return () => {
      // What main said meanwhile was not passed on.
      void client.invalidateQueries()
      bringBack()
    }
  }, [client, state])

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
