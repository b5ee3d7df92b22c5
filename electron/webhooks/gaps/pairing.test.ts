import { array, assert, integer, property, record } from 'fast-check'
import { expect, test } from 'vitest'
import { type Edge, pairUp } from './match.ts'

const edge = record<Edge>({
  left: integer({ min: 0, max: 5 }),
  right: integer({ min: 0, max: 5 }),
  score: integer({ min: 1, max: 3 }),
  distanceMs: integer({ min: 0, max: 9 }),
})

function most(edges: readonly Edge[], taken: readonly number[] = [], left = 0): number {
  if (left > 5) return 0
  const rights = new Set(edges.filter((one) => one.left === left && !taken.includes(one.right)).map(({ right }) => right))
  return Math.max(most(edges, taken, left + 1), ...[...rights].map((right) => 1 + most(edges, [...taken, right], left + 1)))
}

test('the gap check pairs as many events and history rows as possible, each at most once, and only those that may match [HOOK-07]', () => {
  assert(
    property(array(edge, { maxLength: 18 }), (edges) => {
      const pairs = [...pairUp(edges)]
      expect(pairs).toHaveLength(most(edges))
      expect(new Set(pairs.map(([, right]) => right)).size).toBe(pairs.length)
      for (const [left, right] of pairs) expect(edges.some((one) => one.left === left && one.right === right)).toBe(true)
    }),
  )
})

test('the gap check prefers a pair of event and history row with stronger evidence to a pair that is nearer in time', () => {
  const both = [
    { left: 0, right: 0, score: 4, distanceMs: 0 },
    { left: 0, right: 1, score: 8, distanceMs: 60_000 },
    { left: 1, right: 0, score: 4, distanceMs: 60_000 },
  ]
  expect([...pairUp(both)].sort()).toEqual([
    [0, 1],
    [1, 0],
  ])
})
