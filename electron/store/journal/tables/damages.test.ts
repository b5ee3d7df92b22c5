import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDamageBench, type DamageBench } from '../../../../e2e/support/journal/damages.ts'

let bench: DamageBench
beforeAll(() => {
  bench = createDamageBench()
})
afterAll(() => bench.remove())

test('after damage that lost acknowledged entries, the journal still opens and allows exits, but blocks new risk [V5][V6][V12]', () => {
  const outcomes = Array.from({ length: 150 }, (_none, seed) => bench.run(seed))
  expect(outcomes.filter(({ fault }) => fault !== null)).toEqual([])
  expect(outcomes.filter(({ missing }) => missing > 0).length).toBeGreaterThan(20)
  expect(outcomes.filter(({ state, missing }) => state === 'ready' && missing === 0).length).toBeGreaterThan(20)
}, 60_000)
