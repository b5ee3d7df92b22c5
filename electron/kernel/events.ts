import type { AppEvent, QueryName } from '../../shared/ipc/contract.ts'

/** Sends an event from the main process to the windows. */
export type Emit = (event: AppEvent) => void

/** Repeats `work` every `ms` milliseconds, even if it fails. The returned function stops the repetition. */
export type Every = (ms: number, work: () => void | Promise<void>) => () => void

/**
 * Registers a listener for outdated data. The listener receives the names of queries whose results became outdated, before the windows receive
 * them.
 */
export type OnInvalidate = (listener: (queries: readonly QueryName[]) => void) => void

/** Notifies once per burst of changes, `ms` after the first of them. */
export function throttleNotify(tell: () => void, ms: number) {
  let timer: NodeJS.Timeout | null = null
  let ended = false
  const now = () => {
    timer = null
    tell()
  }
  return {
    changed(): void {
      if (!ended) timer ??= setTimeout(now, ms)
    },
    stop(): void {
      if (timer !== null) clearTimeout(timer)
      ended = true
    },
  }
}
