import { expect, test } from 'vitest'
import { spread } from './levels.ts'

const tag = (at: number) => ({ at, above: 10, below: 10 })

test('keeps each label of a chart line at its price if there is enough space', () => {
  expect(spread([tag(50), tag(100), tag(20)], 200)).toEqual([50, 100, 20])
})

test('stacks the labels of chart lines that have the same price', () => {
  expect(spread([tag(100), tag(100), tag(104)], 200)).toEqual([100, 120, 140])
})

test('pushes labels up at the lower edge of the chart, so that no label leaves the plot', () => {
  expect(spread([tag(190), tag(195), tag(60)], 200)).toEqual([170, 190, 60])
})

test('pushes a label at the upper edge of the chart down into the plot', () => {
  expect(spread([tag(3)], 200)).toEqual([10])
})
