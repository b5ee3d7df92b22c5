import type { Clock } from '../../shared/time.ts'

/** Calls back once at `endsAt` (monotonic ms), unless cancelled before. Does not keep the process alive. */
export function createDeadline(clock: Clock, endsAt: number, onEnd: () => void): { cancel(): void } {
  const timer = setTimeout(onEnd, Math.max(0, endsAt - clock.monotonic()))
  timer.unref()
  return { cancel: () => clearTimeout(timer) }
}

/** Waits `ms`; gives false when the signal ended the wait before. */
export type Sleep = (ms: number, signal?: AbortSignal) => Promise<boolean>

export const sleep: Sleep = (ms, signal) => {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  if (signal?.aborted) return Promise.resolve(false)
  const stop = () => {
    clearTimeout(timer)
    resolve(false)
  }
  const timer = setTimeout(() => {
    signal?.removeEventListener('abort', stop)
    resolve(true)
  }, ms)
  signal?.addEventListener('abort', stop, { once: true })
  return promise
}
