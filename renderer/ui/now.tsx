import { createContext, type ReactNode, useContext, useEffect, useState } from 'react'
import { type Clock, systemClock } from '../../shared/time.ts'

const ClockContext = createContext<Clock>(systemClock)

export function ClockProvider({ clock, children }: { readonly clock: Clock; readonly children: ReactNode }) {
  return <ClockContext value={clock}>{children}</ClockContext>
}

export function useClock(): Clock {
  return useContext(ClockContext)
}

/** Unix milliseconds, read anew every `everyMs` while the component is on screen; 0 reads it once per rendering. */
export function useNow(everyMs = 1_000): number {
  const clock = useClock()
  const [, tick] = useState(0)
  useEffect(() => {
    if (everyMs <= 0) return
    const timer = setInterval(() => tick((count) => count + 1), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return clock.now()
}
