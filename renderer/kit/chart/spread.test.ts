import { expect, test } from 'vitest'
import { spread } from './levels.ts'

const tag = (at: number) => ({ at, above: 10, below: 10 })

test('the chart keeps the label of each line at the line’s price if there is enough space', () => {
  expect(spread([tag(50), tag(100), tag(20)], 200)).toEqual([50, 100, 20])
})

test('the chart stacks the labels of lines that have the same price', () => {
  expect(spread([tag(100), tag(100), tag(104)], 200)).toEqual([100, 120, 140])
})

test('the chart pushes labels up at its lower edge, so that no label leaves the plot', () => {
  expect(spread([tag(190), tag(195), tag(60)], 200)).toEqual([170, 190, 60])
})

test('the chart pushes a label at its upper edge down into the plot', () => {
  expect(spread([tag(3)], 200)).toEqual([10])
})
