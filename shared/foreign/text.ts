import { bare } from './bare.ts'
import type { Foreign } from './foreign.ts'

export const startOf = (text: Foreign<string>, characters: number): string => bare(text).slice(0, characters)

export const lengthOf = (text: Foreign<string>): number => bare(text).length

/** Whether the text holds only white space. Reads each character at most once. */
export const isBlank = (text: Foreign<string>): boolean => !/\S/.test(bare(text))
