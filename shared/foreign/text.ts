import { bare } from './bare.ts'
import type { Foreign } from './foreign.ts'

/** Returns at most the first `characters` characters. */
export const startOf = (text: Foreign<string>, characters: number): string => bare(text).slice(0, characters)

/** Returns the length in characters (UTF-16). */
export const lengthOf = (text: Foreign<string>): number => bare(text).length

/** Whether the text holds only white space. Reads each character at most once. */
export const isBlank = (text: Foreign<string>): boolean => !/\S/.test(bare(text))
