import { expect, test } from 'vitest'
import { views } from './all.ts'
import { gapsOf } from './coverage.ts'

test('the dialect proof covers every field that the app reads and that the service sends, or lists the field as not compared', () => {
  expect(views.flatMap(gapsOf)).toEqual([])
})
