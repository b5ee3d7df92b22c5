import type { AskedOrder } from './asked-order.ts'
import { matchingScale } from './scales.ts'
import type { TypedLeaf } from './typed-data.ts'

const valued = ['orderValue', 'referencePrice', 'limitPrice', 'triggerPrice', 'takeProfit', 'stopLoss', 'clientOrderId'] as const
type ValuedRole = (typeof valued)[number]

/** Smaller numbers (a market, a leverage, a permille) stand for too many things to be known by their value. */
const distinctive = 1_000_000n

const asked = (order: AskedOrder, role: ValuedRole): string | null => (role === 'orderValue' ? order.orderValueUsdc : order[role])

/**
 * What is left over under unknown names, and says exactly what was asked for under a role that no name claimed. Where
 * two values could be meant, or one could mean two things, nothing is recognised.
 */
export function recogniseByValue(order: AskedOrder, isNamed: (role: ValuedRole) => boolean, rest: readonly TypedLeaf[]): ReadonlyMap<ValuedRole, TypedLeaf> {
  const says = (leaf: TypedLeaf, role: ValuedRole): boolean => {
    const value = asked(order, role)
    if (value === null) return false
    if (role === 'clientOrderId') return leaf.value === value
    return typeof leaf.value === 'bigint' && leaf.value >= distinctive && matchingScale({ units: leaf.value, asked: value }) !== null
  }
  const open = valued.filter((role) => !isNamed(role))
  const found = new Map<ValuedRole, TypedLeaf>()
  for (const role of open) {
    const leaves = rest.filter((leaf) => says(leaf, role))
    const [leaf] = leaves
    if (leaf !== undefined && leaves.length === 1 && open.filter((other) => says(leaf, other)).length === 1) found.set(role, leaf)
  }
  return found
}
