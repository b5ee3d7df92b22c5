import type { Foreign } from './foreign.ts'

/** Returns the wrapped value without any limits. Use it only in readers that limit their own work. */
export const bare = <T>(value: Foreign<T>): T => value as unknown as T
