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
