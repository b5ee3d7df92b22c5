import { canonical } from './names/name-words.ts'
import { never, readTime } from './reader/units.ts'

export { isRecord } from './reader/kinds.ts'

/** Returns the first of the aliases that is present and not null, with its value and the spelling that the object uses. */
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

/** Returns the value of the first alias found, or `undefined`. */
export const readField = (source: Readonly<Record<string, unknown>>, aliases: readonly string[]): unknown => findField(source, aliases)?.value

/** Parses a time to Unix milliseconds. `undefined` if the value is no time, or means "never". */
export const time = (value: unknown): number | undefined => {
  const found = readTime(value)
  return found === never ? undefined : found
}
