import { contract } from '../../../shared/ipc/contract.ts'
import { toldKinds } from './kinds.ts'
import { leavesOf } from './leaves.ts'
import type { Told, View } from './view.ts'

const join = (path: string, name: string): string => [path, name].filter(Boolean).join('.')
const toldField = (told: Told): readonly string[] => (typeof told === 'string' ? [told] : 'said' in told ? [told.said] : told.from)

/** Fields of every query result: when and from which route the app read the data, and unknown fields. */
const common = /^(readAtMs|source)$|(^|\.)unknownFields$/

/**
 * Fields that no view maps, and mapped fields that do not exist. The test expects none of them, because otherwise the dialect proof would cover less
 * than it claims.
 */
export function gapsOf({ query, route, parts, own, unshown }: View): string[] {
  const shown = parts.flatMap((part) => Object.keys(part.fields).map((name) => join(part.shown, name)))
  const told = parts.flatMap((part) => Object.values(part.fields).flatMap((field) => toldField(field).map((name) => join(part.told, name))))
  const leaves = leavesOf(contract[query].output).filter((leaf) => !common.test(leaf))
  const owned = own.flatMap((name) => {
    const inner = leaves.filter((leaf) => leaf === name || leaf.startsWith(`${name}.`))
    return inner.length === 0 ? [name] : inner
  })
  const kinds = [...toldKinds(route).keys()]
  const missing = (what: string, wanted: readonly string[], there: readonly string[]) =>
    wanted.filter((name) => !there.includes(name)).map((name) => `${query}: ${name} ${what}`)
  return [
    ...missing('is shown and in no mapping', leaves, [...shown, ...owned]),
    ...missing('is mapped and not in the contract', [...shown, ...owned], leaves),
    ...missing('is told and in no mapping', kinds, [...told, ...unshown]),
    ...missing('is mapped and not told', [...told, ...unshown], kinds),
    ...owned.filter((name) => shown.includes(name)).map((name) => `${query}: ${name} is mapped twice`),
  ]
}
