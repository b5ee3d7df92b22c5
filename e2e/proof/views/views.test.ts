import { expect, test } from 'vitest'
import { views } from './all.ts'
import { gapsOf } from './coverage.ts'

test('every field of a query and of the API response that it shows is mapped or listed as unmapped', () => {
  expect(views.flatMap(gapsOf)).toEqual([])
})
