import type { Clock } from '../../shared/time.ts'

/** Calls `onEnd` once at `endsAt` (monotonic ms), unless cancelled before. Does not keep the process alive. */
export function createDeadline(clock: Clock, endsAt: number, onEnd: () => void): { cancel(): void } {
  const timer = setTimeout(onEnd, Math.max(0, endsAt - clock.monotonic()))
  timer.unref()
  return { cancel: () => clearTimeout(timer) }
}

/** Waits `ms`. Returns false if the signal ended the wait early. */
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

/** Runs `ends` one after the other. If one fails, calls `failed` and continues with the next. */
export async function endAll(ends: readonly (() => unknown)[], failed: (error: unknown) => void): Promise<void> {
  for (const end of ends)
    try {
      await end()
    } catch (error) {
      failed(error)
    }
}

interface TimeToEnd {
  /** The longest wait for each function, in ms. */
  readonly eachMs: number
  /** The longest wait for all functions together, in ms. The remaining ones are then called without waiting. */
  readonly allMs: number
}

/** Runs `ends` one after the other, each with a time limit, so that one that hangs does not block the next. */
export async function endInTime(ends: readonly (() => unknown)[], { eachMs, allMs }: TimeToEnd, failed: (error: unknown) => void): Promise<void> {
  const over = sleep(allMs)
  for (const end of ends) {
    const ended = Promise.try(end).catch(failed)
    await Promise.race([ended, sleep(eachMs), over])
  }
}

/** Runs tasks one after the other in the given order, even if one fails. */
export function createQueue(): <T>(task: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (task) => {
    const run = last.then(task, task)
    // Keep no result, because it may hold a secret.
    last = run.then(
      () => undefined,
      () => undefined,
    )
    return run
  }
}
