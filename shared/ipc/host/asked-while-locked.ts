import type { Name } from '../contract.ts'

/** All calls that a window may make while the app is locked. */
export const askedWhileLocked: ReadonlySet<string> = new Set<Name>(['lock.state', 'lock.unlock', 'lock.now', 'lock.leave'])
