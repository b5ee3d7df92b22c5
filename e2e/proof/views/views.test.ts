import { expect, test } from 'vitest'
import { views } from './all.ts'
import { gapsOf } from './coverage.ts'

test('each field of a query and of its API response is either mapped or listed as unmapped in the dialect proof', () => {
  expect(views.flatMap(gapsOf)).toEqual([])
})
