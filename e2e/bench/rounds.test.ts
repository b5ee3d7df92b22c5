import { expect, test } from 'vitest'
import { compare } from './metric.ts'
import { interleave, median, spreadOf } from './rounds.ts'

/** Measures three fake implementations a, b and c. Returns the order of the samples in each turn: `abc`, `bca` and so on. */
async function turnsOf(seed: number, turns = 200): Promise<string[]> {
  const asked: string[] = []
  const side = (name: string) => () => asked.push(name)
  await interleave({ a: side('a'), b: side('b'), c: side('c') }, { rounds: 1, turns, seed })
  return Array.from({ length: 2 * turns }, (_, turn) => asked.slice(3 * turn, 3 * turn + 3).join(''))
}

test('the benchmark takes one sample of each implementation per turn, and ignores the warm-up round', async () => {
  const side = (values: number[]) => () => values.shift() ?? Number.NaN
  const figures = await interleave({ a: side([900, 900, 1, 3, 5, 7]), b: side([900, 900, 10, 10, 20, 20]) }, { rounds: 2, turns: 2, seed: 1 })
  expect(figures).toEqual({ a: [2, 6], b: [10, 20] })
  for (const turn of await turnsOf(1)) expect([...turn].sort().join('')).toBe('abc')
})

test('the benchmark runs the compared implementations in every order about equally often; the same seed repeats these orders', async () => {
  const turns = await turnsOf(7)
  const count = (order: string) => turns.filter((turn) => turn === order).length
  for (const order of ['abc', 'acb', 'bac', 'bca', 'cab', 'cba']) expect([order, Math.abs(count(order) - turns.length / 6) < 30]).toEqual([order, true])
  expect(await turnsOf(7)).toEqual(turns)
  expect(await turnsOf(8)).not.toEqual(turns)
})

test('one slow sample does not change the benchmark’s median', async () => {
  const values = [1, 1, 1, 2, 500, 3]
  expect(await interleave({ a: () => values.shift() ?? Number.NaN }, { rounds: 1, turns: 3, seed: 1 })).toEqual({ a: [3] })
  expect(() => median([])).toThrow('median')
})

test('the benchmark accepts a ratio equal to the target, and refuses a reference value of zero or NaN', () => {
  expect(compare('x', { ours: 115, against: 100, target: 1.15 })).toMatchObject({ metric: 'x', ours: 115, against: 100, ratio: 1.15, target: 1.15, met: true })
  expect(compare('x', { ours: 116, against: 100, target: 1.15 }).met).toBe(false)
  expect(() => compare('x', { ours: 1, against: 0, target: 1 })).toThrow('nothing to measure against')
  expect(() => compare('x', { ours: 1, against: Number.NaN, target: 1 })).toThrow('nothing to measure against')
})

test('the spread of a benchmark’s figures is their interquartile range; the spread of the ratio comes from the rounds’ own ratios', () => {
  expect(spreadOf([1, 2, 3, 4, 100])).toBe(2)
  expect(spreadOf([2, 1])).toBe(0.5)
  expect(spreadOf([7])).toBe(0)
  expect(() => spreadOf([])).toThrow('spread')
  // The machine slowed down by a factor of ten, for both sides alike.
  const row = compare('x', { ours: [2, 4, 20], against: [1, 2, 10], target: 2 })
  expect(row).toMatchObject({ ours: 4, against: 2, ratio: 2, spread: { ours: 9, against: 4.5, ratio: 0 }, rounds: { ours: [2, 4, 20], against: [1, 2, 10] } })
  expect(compare('x', { ours: [2, 4, 6], against: 2, target: 2 }).spread).toEqual({ ours: 2, against: 0, ratio: 1 })
})
