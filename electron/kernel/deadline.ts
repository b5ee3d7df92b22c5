import type { Clock } from '../../shared/time.ts'

/** Calls `onEnd` once at the time `endsAt` (monotonic ms), unless cancelled. A pending deadline does not keep the process running. */
export function createDeadline(clock: Clock, endsAt: number, onEnd: () => void): { cancel(): void } {
  const timer = setTimeout(onEnd, Math.max(0, endsAt - clock.monotonic()))
  timer.unref()
  return { cancel: () => clearTimeout(timer) }
}

/** Waits `ms` milliseconds. Returns false if `signal` was aborted before the end. */
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

/** Calls the functions `ends` one after another. If one fails, calls `failed` and continues. */
export async function endAll(ends: readonly (() => unknown)[], failed: (error: unknown) => void): Promise<void> {
  for (const end of ends)
    try {
      await end()
    } catch (error) {
      failed(error)
    }
}

interface TimeToEnd {
  /** Time limit for each function, in ms. */
  readonly eachMs: number
  /** Time limit for all functions together, in ms. After that, `endInTime` calls the remaining functions without waiting for them. */
  readonly allMs: number
}

/** Calls the functions `ends` one after another. Each has a time limit, so that a function that hangs does not block the next ones. */
export async function endInTime(ends: readonly (() => unknown)[], { eachMs, allMs }: TimeToEnd, failed: (error: unknown) => void): Promise<void> {
  const over = sleep(allMs)
  for (const end of ends) {
    const ended = Promise.try(end).catch(failed)
    await Promise.race([ended, sleep(eachMs), over])
  }
}

/** Creates a queue that runs tasks one after another. A task that fails does not stop the queue. */
export function createQueue(): <T>(task: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (task) => {
    const run = last.then(task, task)
    // Drop the task’s result here, because it may contain a secret, which must not stay in memory.
    last = run.then(
      () => undefined,
      () => undefined,
    )
    return run
  }
}

/** Runs at most `most` tasks at once. The others wait in order. */
export function createTurns(most: number): <T>(task: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  let running = 0
  return async (task) => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve))
    else running += 1
    try {
      return await task()
    } finally {
      const next = waiting.shift()
      if (next === undefined) running -= 1
      else next()
    }
  }
}
