import type { AppEvent, QueryName } from '../../shared/ipc/contract.ts'

/** Sends an event from the main process to the windows. */
export type Emit = (event: AppEvent) => void

/** Repeats `work` every `ms` milliseconds, even if it fails. The returned function stops this. */
export type Every = (ms: number, work: () => void | Promise<void>) => () => void

/** Calls the listener with the queries whose results became outdated, before the windows are notified. */
export type OnInvalidate = (listener: (queries: readonly QueryName[]) => void) => void
