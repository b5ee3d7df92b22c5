import { sameId } from '../same-id.ts'
import { matchingScale } from './scales.ts'
import type { TypedLeaf } from './typed-data.ts'

/** Something asked for that a message can be searched for. Null: nothing was asked for there. */
export interface AskedValue<Role extends string> {
  readonly role: Role
  readonly asked: string | null
  readonly kind: 'number' | 'id'
}

/** Smaller numbers (a market, a leverage, a permille) stand for too many things to be known by their value. */
const distinctive = 1_000_000n

function says<Role extends string>(leaf: TypedLeaf, { asked, kind }: AskedValue<Role>): boolean {
  if (asked === null) return false
  if (kind === 'id') return sameId(leaf.value, asked)
  return typeof leaf.value === 'bigint' && leaf.value >= distinctive && matchingScale({ units: leaf.value, asked }) !== null
}

/**
 * What is left over under unknown names, and says exactly what was asked for under a role that no name claimed. Where
 * two values could be meant, or one could mean two things, nothing is recognised.
 */
export function recogniseByValue<Role extends string>(
  values: readonly AskedValue<Role>[],
  isNamed: (role: Role) => boolean,
  rest: readonly TypedLeaf[],
): ReadonlyMap<Role, TypedLeaf> {
  const open = values.filter(({ role }) => !isNamed(role))
  const found = new Map<Role, TypedLeaf>()
  for (const value of open) {
    const leaves = rest.filter((leaf) => says(leaf, value))
    const [leaf] = leaves
    if (leaf !== undefined && leaves.length === 1 && open.filter((other) => says(leaf, other)).length === 1) found.set(value.role, leaf)
  }
  return found
}
