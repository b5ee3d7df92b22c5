import { expect, test } from 'vitest'
import { compare } from './metric.ts'
import { interleave, median } from './rounds.ts'

test('takes the sides in turn and leaves the warm-up out of the medians', async () => {
  const asked: string[] = []
  const side = (name: string, values: number[]) => () => {
    asked.push(name)
    return values.shift() ?? Number.NaN
  }
  const figures = await interleave({ a: side('a', [900, 900, 1, 3, 5, 7]), b: side('b', [900, 900, 10, 10, 20, 20]) }, { rounds: 2, turns: 2 })
  expect(asked.join('')).toBe('abababababab')
  expect(figures).toEqual({ a: 4, b: 15 })
})

test('one slow sample does not move a figure', async () => {
  const values = [1, 1, 1, 2, 500, 3]
  expect(await interleave({ a: () => values.shift() ?? Number.NaN }, { rounds: 1, turns: 3 })).toEqual({ a: 3 })
  expect(() => median([])).toThrow('median')
})

test('a target is met up to the very ratio, and nothing is compared with nothing', () => {
  expect(compare('x', { ours: 115, against: 100, target: 1.15 })).toEqual({ metric: 'x', ours: 115, against: 100, ratio: 1.15, target: 1.15, met: true })
  expect(compare('x', { ours: 116, against: 100, target: 1.15 }).met).toBe(false)
  expect(() => compare('x', { ours: 1, against: 0, target: 1 })).toThrow('nothing to measure against')
  expect(() => compare('x', { ours: 1, against: Number.NaN, target: 1 })).toThrow('nothing to measure against')
})
