import { expect, test } from 'vitest'
import { views } from './all.ts'
import { gapsOf } from './coverage.ts'

test('every field of a query and of the answer behind it is mapped, or said to be neither', () => {
  expect(views.flatMap(gapsOf)).toEqual([])
})
