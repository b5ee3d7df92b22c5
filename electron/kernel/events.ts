import type { AppEvent, QueryName } from '../../shared/ipc/contract.ts'

/** How a service tells the window something by itself. */
export type Emit = (event: AppEvent) => void

/** Repeats `work` until the returned function is called, also where it fails. */
export type Every = (ms: number, work: () => void | Promise<void>) => () => void

/** Tells which queries a service called old, before the windows hear of it. */
export type OnInvalidate = (listener: (queries: readonly QueryName[]) => void) => void
