import { useCallback } from 'react'
import { useBridge } from './bridge.tsx'

/** Tells main that somebody is here. Whatever it answers is of no interest: a locked app takes no note. */
export function useTouch(): () => void {
  const bridge = useBridge()
  return useCallback(() => void bridge.call('lock.touch', {}).catch(() => undefined), [bridge])
}
