import type { Foreign } from './foreign.ts'

/** Returns the value inside, without any bound. Only for readers that bound their own work. */
export const bare = <T>(value: Foreign<T>): T => value as unknown as T
