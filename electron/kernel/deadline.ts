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

/** Ends one after the other, also where one of them fails: `failed` is told, and the next has its turn. */
export async function endAll(ends: readonly (() => unknown)[], failed: (error: unknown) => void): Promise<void> {
  for (const end of ends)
    try {
      await end()
    } catch (error) {
      failed(error)
    }
}

interface TimeToEnd {
  /** The longest wait for one of them, in ms. */
  readonly eachMs: number
  /** And for all of them: the rest begins to end without being waited for. */
  readonly allMs: number
}

/** As `endAll`, within a time: what hangs keeps nothing after it from ending. */
export async function endInTime(ends: readonly (() => unknown)[], { eachMs, allMs }: TimeToEnd, failed: (error: unknown) => void): Promise<void> {
  const over = sleep(allMs)
  for (const end of ends) {
    const ended = Promise.try(end).catch(failed)
    await Promise.race([ended, sleep(eachMs), over])
  }
}

/** Runs tasks one after the other, in the order they were given, whether the one before failed or not. */
export function createQueue(): <T>(task: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (task) => {
    const run = last.then(task, task)
    // Not its result, which may hold a secret.
    last = run.then(
      () => undefined,
      () => undefined,
    )
    return run
  }
}
