import { canonical } from './names/name-words.ts'
import { never, readTime } from './reader/units.ts'

export { isRecord } from './reader/kinds.ts'

/** Reading of single values outside the resources of `schemas`: of payloads, errors and messages. */

/** The first alias that the object has with a value other than null, under the name that the object gives it. */
export function findField(source: Readonly<Record<string, unknown>>, aliases: readonly string[]): { readonly name: string; readonly value: unknown } | null {
  const names = Object.keys(source)
  for (const alias of aliases) {
    const wanted = canonical(alias)
    const name = Object.hasOwn(source, alias) ? alias : names.find((candidate) => canonical(candidate) === wanted)
    if (name === undefined) continue
    const value = source[name]
    if (value !== null && value !== undefined) return { name, value }
  }
  return null
}

/** The value under the first alias found, or undefined. */
export const readField = (source: Readonly<Record<string, unknown>>, aliases: readonly string[]): unknown => findField(source, aliases)?.value

/** A time as Unix milliseconds; undefined: none, or "never". */
export const time = (value: unknown): number | undefined => {
  const found = readTime(value)
  return found === never ? undefined : found
}
