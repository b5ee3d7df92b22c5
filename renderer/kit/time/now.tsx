import { createContext, type ReactNode, useContext, useEffect, useState, useSyncExternalStore } from 'react'
import { type Clock, systemClock } from '../../../shared/time.ts'
import { createWindowClock, type WindowClock } from './window-clock.ts'

const ClockContext = createContext<WindowClock>(createWindowClock(systemClock))

export function ClockProvider({ clock, children }: { readonly clock: WindowClock; readonly children: ReactNode }) {
  return <ClockContext value={clock}>{children}</ClockContext>
}

/** The service's time; the same object whatever the offset. */
export function useClock(): Clock {
  return useContext(ClockContext)
}

/** Unix milliseconds in the service's time, read anew every `everyMs` while the component is on screen; 0 reads it once per rendering. */
export function useNow(everyMs = 1_000): number {
  const clock = useContext(ClockContext)
  const [, tick] = useState(0)
  useSyncExternalStore(clock.onOffset, clock.offset)
  useEffect(() => {
    if (everyMs <= 0) return
    const timer = setInterval(() => tick((count) => count + 1), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return clock.now()
}
