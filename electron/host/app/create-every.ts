import type { Every } from '../../kernel/events.ts'

/**
 * Work that fails is tried again at its next turn, and does not end the app: what it trips over may be there after each start, and without the app
 * nothing can be cancelled, closed or revoked. `failed` hears of an error once for as long as it stays the same.
 */
export const createEvery =
  (failed: (error: unknown) => void): Every =>
  (ms, work) => {
    let last: string | null = null
    const note = (error: unknown) => {
      const text = String(error)
      if (text !== last) failed(error)
      last = text
    }
    const timer = setInterval(() => {
      void Promise.try(work).then(() => {
        last = null
      }, note)
    }, ms)
    return () => clearInterval(timer)
  }
