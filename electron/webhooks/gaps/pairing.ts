/** A pair that may belong together; places in two lists. The better ones come first. */
export interface Edge {
  readonly left: number
  readonly right: number
  readonly score: number
  /** Of two that say as much, the nearer in time. */
  readonly distanceMs: number
}

/**
 * Pairs as many as can be, each at most once: the best first, then those left over by moving others where that makes room. What is paired stays
 * paired, though perhaps with another. Gives the right place of each left one.
 */
export function pairUp(edges: readonly Edge[]): ReadonlyMap<number, number> {
  const sorted = [...edges].sort((a, b) => b.score - a.score || a.distanceMs - b.distanceMs)
  const rightOf = new Map<number, number>()
  const leftOf = new Map<number, number>()
  const reach = new Map<number, number[]>()
  for (const { left, right } of sorted) {
    const list = reach.get(left)
    if (list === undefined) reach.set(left, [right])
    else list.push(right)
    if (rightOf.has(left) || leftOf.has(right)) continue
    rightOf.set(left, right)
    leftOf.set(right, left)
  }
  for (const start of reach.keys()) {
    if (rightOf.has(start)) continue
    /** By the right place: the left one from which it was reached. */
    const from = new Map<number, number>()
    const free = freeFrom(start, from)
    if (free !== null) moveAlong(free, from)
  }
  return rightOf

  /** A right place that is free, reached from a left one over those that hold others; null: there is none. */
  function freeFrom(start: number, from: Map<number, number>): number | null {
    const waiting = [start]
    for (let left = waiting.shift(); left !== undefined; left = waiting.shift()) {
      for (const right of reach.get(left) ?? []) {
        if (from.has(right)) continue
        from.set(right, left)
        const holder = leftOf.get(right)
        if (holder === undefined) return right
        waiting.push(holder)
      }
    }
    return null
  }

  function moveAlong(free: number, from: ReadonlyMap<number, number>): void {
    let right: number | undefined = free
    while (right !== undefined) {
      const left = from.get(right)
      if (left === undefined) return
      const before: number | undefined = rightOf.get(left)
      rightOf.set(left, right)
      leftOf.set(right, left)
      right = before
    }
  }
}
