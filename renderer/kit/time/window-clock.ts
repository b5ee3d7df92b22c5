import type { Clock } from '../../../shared/time.ts'

/**
 * A window's one clock. What main tells is in the service's time, so the window lives in it too: the offset that main measured is set
 * here, and every ring, age and deadline follows at once. The object stays the same, so that what goes on for long may hold it.
 */
export interface WindowClock extends Clock {
  /** Milliseconds by which the service is ahead of this computer. */
  readonly offset: () => number
  readonly setOffset: (ms: number) => void
  /** Gives the way to stop listening. */
  readonly onOffset: (listener: () => void) => () => void
}

export function createWindowClock(computer: Clock): WindowClock {
  const listeners = new Set<() => void>()
  let offset = 0
  return {
    now: () => computer.now() + offset,
    monotonic: () => computer.monotonic(),
    offset: () => offset,
    setOffset: (ms) => {
      if (ms === offset) return
      offset = ms
      for (const listener of [...listeners]) listener()
    },
    onOffset: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
