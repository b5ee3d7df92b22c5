import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDamageBench, type DamageBench } from '../../../../e2e/support/journal/damages.ts'

let bench: DamageBench
beforeAll(() => {
  bench = createDamageBench()
})
afterAll(() => bench.remove())

test('takes no new risk if damage lost acknowledged entries, but always opens and allows exits (cancel, close, revoke) [V5][V6][V12]', () => {
  const outcomes = Array.from({ length: 150 }, (_none, seed) => bench.run(seed))
  expect(outcomes.filter(({ fault }) => fault !== null)).toEqual([])
  // The random damages must cover both cases: damages that lose entries and damages that lose none.
  expect(outcomes.filter(({ missing }) => missing > 0).length).toBeGreaterThan(20)
  expect(outcomes.filter(({ state, missing }) => state === 'ready' && missing === 0).length).toBeGreaterThan(20)
}, 60_000)
