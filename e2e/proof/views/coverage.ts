import { contract } from '../../../shared/ipc/contract.ts'
import { toldKinds } from './kinds.ts'
import { leavesOf } from './leaves.ts'
import type { Told, View } from './view.ts'

const join = (path: string, name: string): string => [path, name].filter(Boolean).join('.')
const toldField = (told: Told): readonly string[] => (typeof told === 'string' ? [told] : 'said' in told ? [told.said] : told.from)

/** Present in every result: when it was read, from which route, and the fields that the app does not know. */
const common = /^(readAtMs|source)$|(^|\.)unknownFields$/

/** Fields that no view covers, and fields that a view names but that do not exist. A shrinking or outdated table would prove less than it claims. */
export function gapsOf({ query, route, parts, own, unshown }: View): string[] {
  const shown = parts.flatMap((part) => Object.keys(part.fields).map((name) => join(part.shown, name)))
  const told = parts.flatMap((part) => Object.values(part.fields).flatMap((field) => toldField(field).map((name) => join(part.told, name))))
  const leaves = leavesOf(contract[query].output).filter((leaf) => !common.test(leaf))
  // Each name in `own` also covers all fields below it.
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
