import { bare } from './bare.ts'
import type { Foreign } from './foreign.ts'

/** At most so many characters of its beginning. */
export const startOf = (text: Foreign<string>, characters: number): string => bare(text).slice(0, characters)

/** In characters (UTF-16). */
export const lengthOf = (text: Foreign<string>): number => bare(text).length

/** Whether it holds nothing but white space. Looks at each character once at most. */
export const isBlank = (text: Foreign<string>): boolean => !/\S/.test(bare(text))
