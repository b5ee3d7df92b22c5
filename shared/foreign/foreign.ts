import { bare } from './bare.ts'

declare const closed: unique symbol

/**
 * A value from another party: a service, an RPC server, or any client that connects to the app. The type prevents code from reading the value
 * directly. Only the functions in this folder and in `shared/api/redact.ts` read it, with limits on depth, length and count. `npm run check`
 * verifies this.
 */
export type Foreign<T> = { readonly [closed]: T }

/** Marks incoming data as foreign. This affects only the type; the value stays the same. */
export const foreign = <T>(value: T): Foreign<T> => value as unknown as Foreign<T>

const backslash = 0x5c

/**
 * Returns the position of the quote that ends a JSON string. `from`: a position inside the string. Without a closing quote, returns the end of the
 * text. Takes linear time.
 */
export function endOfText(text: string, from: number): number {
  for (let at = text.indexOf('"', from); at >= 0; at = text.indexOf('"', at + 1)) {
    let escapes = 0
    while (at - 1 - escapes >= from && text.charCodeAt(at - 1 - escapes) === backslash) escapes += 1
    if (escapes % 2 === 0) return at
  }
  return text.length
}

/**
 * Returns the position of the first character from `from` on that `other` matches; without one, the end of the text. `other`: a global regular
 * expression for a single character. Takes linear time.
 */
export function endBefore(other: RegExp, text: string, from: number): number {
  other.lastIndex = from
  return other.exec(text)?.index ?? text.length
}

export const startOf = (text: Foreign<string>, characters: number): string => bare(text).slice(0, characters)

export const lengthOf = (text: Foreign<string>): number => bare(text).length

/** Whether the text holds only white space. Reads each character at most once. */
export const isBlank = (text: Foreign<string>): boolean => !/\S/.test(bare(text))
