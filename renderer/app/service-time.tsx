import { type ReactNode, useLayoutEffect } from 'react'
import { useDeskQuery } from '../ipc/use-desk.ts'
import { ClockProvider } from '../kit/time/now.tsx'
import type { WindowClock } from '../kit/time/window-clock.ts'

/** Keeps the window's clock in the service's time, by the offset that main measured. */
export function ServiceTime({ clock, children }: { readonly clock: WindowClock; readonly children: ReactNode }) {
  const offsetMs = useDeskQuery('app.clock', {}).data?.offsetMs ?? 0
  useLayoutEffect(() => clock.setOffset(offsetMs), [clock, offsetMs])
  return <ClockProvider clock={clock}>{children}</ClockProvider>
}
