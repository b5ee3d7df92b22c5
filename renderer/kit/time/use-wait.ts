import { useCallback, useState } from 'react'
import { useClock, useNow } from './now.tsx'

/** Milliseconds until a passphrase is looked at again, counted down once a second; and the way to set them. */
export function useWait(firstMs: number): { readonly leftMs: number; readonly wait: (ms: number) => void } {
  const clock = useClock()
  const [freeAt, setFreeAt] = useState(() => clock.monotonic() + firstMs)
  const leftMs = Math.max(0, freeAt - clock.monotonic())
  useNow(leftMs > 0 ? 1_000 : 0)
  const wait = useCallback((ms: number) => setFreeAt(clock.monotonic() + ms), [clock])
  return { leftMs, wait }
}
