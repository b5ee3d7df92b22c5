import type { Name } from '../contract.ts'

/** All that a window may ask while the app is locked. */
export const askedWhileLocked: ReadonlySet<string> = new Set<Name>(['lock.state', 'lock.unlock', 'lock.now', 'lock.leave'])
