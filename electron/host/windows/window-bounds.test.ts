import { expect, test } from 'vitest'
import { createMemoryRecords } from '../../../e2e/support/main/memory-vault.ts'
import { initialBounds, saveBounds } from './page-rules.ts'

const display = { x: 0, y: 0, width: 1_920, height: 1_080 }

test('opens the window at 1440 × 900 at first, and later at its last position', () => {
  const records = createMemoryRecords()
  expect(initialBounds(records, [display])).toEqual({ width: 1_440, height: 900 })
  saveBounds(records, { x: 50, y: 40, width: 1_200, height: 800 })
  expect(initialBounds(records, [display])).toEqual({ x: 50, y: 40, width: 1_200, height: 800 })
})

test('opens the window on its last display only if that is still there, and never smaller than 1024 × 680', () => {
  const records = createMemoryRecords()
  saveBounds(records, { x: 2_500, y: 40, width: 300, height: 200 })
  expect(initialBounds(records, [display])).toEqual({ width: 1_024, height: 680 })
  expect(initialBounds(records, [display, { ...display, x: 1_920 }])).toEqual({ x: 2_500, y: 40, width: 1_024, height: 680 })
})

test('ignores stored window bounds that it cannot read', () => {
  const records = createMemoryRecords(new Map([['window.bounds', '{"x":"left"}']]))
  expect(initialBounds(records, [display])).toEqual({ width: 1_440, height: 900 })
})
