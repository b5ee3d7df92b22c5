import { sleep } from './deadline.ts'

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
