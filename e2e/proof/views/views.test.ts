import { expect, test } from 'vitest'
import { views } from './all.ts'
import { gapsOf } from './coverage.ts'

test('in the dialect proof, each field of a query and of the service’s response is either mapped to the other or listed as unmapped', () => {
  expect(views.flatMap(gapsOf)).toEqual([])
})
