import { useSyncExternalStore } from 'react'

const follow = (listener: () => void): (() => void) => {
  document.addEventListener('visibilitychange', listener)
  return () => document.removeEventListener('visibilitychange', listener)
}

/** Whether anybody can see the window; prices are not read while nobody can. */
export const useVisible = (): boolean => useSyncExternalStore(follow, () => document.visibilityState === 'visible')
