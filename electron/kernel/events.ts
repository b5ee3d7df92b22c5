import type { AppEvent, QueryName } from '../../shared/ipc/contract.ts'

/** Sends an event from a service to the window. */
export type Emit = (event: AppEvent) => void

/** Repeats `work` until the returned function is called, even if `work` fails. */
export type Every = (ms: number, work: () => void | Promise<void>) => () => void

/** Calls the listener with the queries that a service invalidated, before the windows are notified. */
export type OnInvalidate = (listener: (queries: readonly QueryName[]) => void) => void
