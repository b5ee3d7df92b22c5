import { expect, test } from 'vitest'
import { dialectProof } from './dialect-proof.ts'
import { drawnNames, leastUnspelled, percentOf } from './names.ts'

test('at least a fifth of the field names in the generated API dialects occur in no schema of the app', () => {
  const { unspelled, unworded } = percentOf(dialectProof.items([]).map((seed) => drawnNames(Number(seed))))
  console.log(`Of the names drawn, ${unspelled.toFixed(1)} % are known by no spelling, and ${unworded.toFixed(1)} % by no words`)
  expect(unspelled).toBeGreaterThanOrEqual(leastUnspelled)
  expect(unworded).toBeGreaterThan(0)
}, 60_000)
