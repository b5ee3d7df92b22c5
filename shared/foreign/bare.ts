import type { Foreign } from './foreign.ts'

/** What is inside, without any bound. For readers that bound what they do with it. */
export const bare = <T>(value: Foreign<T>): T => value as unknown as T
