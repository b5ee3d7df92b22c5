import type { Clock } from '../../../shared/time.ts'

/** Real time plus the time that tests have added. The practice exchange, phone and relay share this clock. */
export interface PracticeClock extends Clock {
  advance(ms: number): void
  onAdvance(listener: (ms: number) => void): () => void
}

export function createPracticeClock(base: Clock): PracticeClock {
  let offset = 0
  const listeners = new Set<(ms: number) => void>()
  return {
    now: () => base.now() + offset,
    monotonic: () => base.monotonic() + offset,
    advance: (ms) => {
      offset += ms
      for (const listener of listeners) listener(ms)
    },
    onAdvance: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
