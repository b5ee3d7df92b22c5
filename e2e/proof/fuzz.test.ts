import { expect, test } from 'vitest'
import { fuzz } from './fuzz.ts'
import { createDice, draw } from './fuzz-inputs.ts'
import { targets } from './fuzz-targets.ts'

test.each(Object.entries(targets))(
  'the app’s parser of %s throws nothing, stays within its time limit and keeps no memory [V2] [V3] [F5]',
  async (_name, open) => {
    const { inputs, faults } = await fuzz(open, { from: 1, inputs: 400, forMs: 4_000 })
    expect(faults).toEqual([])
    expect(inputs).toBeGreaterThan(20)
  },
  60_000,
)

test('the run with random input reports a parser that throws, takes too long or keeps its input in memory', async () => {
  const few = { from: 1, inputs: 20, forMs: 20_000 }
  const faultOf = async (mostMs: number, run: (text: string) => unknown) => {
    const { faults } = await fuzz(() => ({ name: 'planted', seeds: ['a'], fragments: ['b'], most: 64, mostMs, run }), few)
    return faults[0]
  }
  expect(await faultOf(50, (text) => JSON.parse(text))).toMatch(/threw SyntaxError/)
  const loop = () => {
    let sum = 1
    for (let step = 0; step < 30_000_000; step += 1) sum = Math.imul(sum, 16_777_619)
    return sum
  }
  expect(await faultOf(5, loop)).toMatch(/ms for/)
  const kept: Buffer[] = []
  expect(await faultOf(1_000, () => kept.push(Buffer.alloc(32 * 1_048_576, 1)))).toMatch(/MiB more/)
}, 60_000)

test('the generator of random input repeats an input for the same seed; inputs reach but never exceed the maximum length', () => {
  const grammar = { seeds: ['{"a":1}'], fragments: ['[', 'x'], most: 30_000 } as const
  const drawn = Array.from({ length: 2_000 }, (_none, seed) => draw(createDice(seed), grammar))
  expect(drawn).toEqual(Array.from({ length: 2_000 }, (_none, seed) => draw(createDice(seed), grammar)))
  const lengths = drawn.map((text) => text.length)
  expect(Math.max(...lengths)).toBe(30_000)
  expect(new Set(drawn).size).toBeGreaterThan(1_000)
})
