import type { Foreign } from './foreign.ts'

/** Returns the value from another party, without any limits on its size or depth. Use it only in readers that limit their own work. */
export const bare = <T>(value: Foreign<T>): T => value as unknown as T
