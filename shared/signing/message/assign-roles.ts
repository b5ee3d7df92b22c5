import { type AskedValue, recogniseByValue } from '../by-value.ts'
import { type Aliases, type Recognised, recognise } from '../recognise.ts'
import { fieldAt, type PinnedFormat } from './signing-format.ts'
import type { TypedLeaf } from './typed-data.ts'

interface Given<Role extends string> {
  readonly aliases: Aliases<Role>
  readonly values: readonly AskedValue<Role>[]
  /** Of this very layout; null: it was never agreed to, or before meanings were kept. */
  readonly format: PinnedFormat | null
}

/**
 * Gives each value of a message the ticket field that it carries: as agreed to with the signing format, else by its name, else by what it says. A field keeps
 * its meaning once it has one, so that another value in it is a difference and never something unknown.
 */
export function assignRoles<Role extends string>(leaves: readonly TypedLeaf[], { aliases, values, format }: Given<Role>): Recognised<Role> {
  const isRole = (name: string): name is Role => Object.hasOwn(aliases, name)
  const agreed = (leaf: TypedLeaf): Role | null => {
    const role = fieldAt(format, leaf)?.role ?? null
    return role !== null && isRole(role) ? role : null
  }
  const named = recognise<Role>(
    leaves.filter((leaf) => agreed(leaf) === null),
    aliases,
  )
  const found = new Map<Role, TypedLeaf[]>()
  const take = (role: Role, leaf: TypedLeaf): void => void found.set(role, [...(found.get(role) ?? []), leaf])
  for (const leaf of leaves) {
    const role = agreed(leaf)
    if (role !== null) take(role, leaf)
  }
  for (const [role, some] of named.found) for (const leaf of some) take(role, leaf)
  // A number that had no meaning when the format was agreed to has none by another value either: it would fit at another scale.
  const open = values.filter(({ kind }) => kind !== 'number' && kind !== 'slippage')
  const isKnown = (leaf: TypedLeaf) => (fieldAt(format, leaf)?.rule ?? 'empty') !== 'empty'
  const byValue = recogniseByValue(
    values,
    (role) => found.has(role),
    named.rest.filter((leaf) => !isKnown(leaf)),
  )
  const again = recogniseByValue(open, (role) => found.has(role) || byValue.has(role), named.rest.filter(isKnown))
  for (const [role, leaf] of [...byValue, ...again]) take(role, leaf)
  const recognised = new Set([...byValue.values(), ...again.values()])
  return { found, rest: named.rest.filter((leaf) => !recognised.has(leaf)) }
}
