import { expect, test } from 'vitest'
import { createMemoryRecords } from '../../../e2e/support/main/memory-vault.ts'
import { type Area, initialBounds, mainSizes } from './page-rules.ts'

/** The bounds of a main window that opens with these stored `records`. */
const boundsOf = ({ windowBounds }: ReturnType<typeof createMemoryRecords>, displays: readonly Area[]) =>
  initialBounds(windowBounds.read({}), displays, mainSizes)

const display = { x: 0, y: 0, width: 1_920, height: 1_080 }

test('the main window opens at 1440 × 900 the first time, and later with its last size and position', () => {
  const records = createMemoryRecords()
  expect(boundsOf(records, [display])).toEqual({ width: 1_440, height: 900 })
  records.windowBounds.write({}, { x: 50, y: 40, width: 1_200, height: 800 })
  expect(boundsOf(records, [display])).toEqual({ x: 50, y: 40, width: 1_200, height: 800 })
})

test('the main window opens on the display it was last on, if that is still connected, and never smaller than 1024 × 680', () => {
  const records = createMemoryRecords()
  records.windowBounds.write({}, { x: 2_500, y: 40, width: 300, height: 200 })
  expect(boundsOf(records, [display])).toEqual({ width: 1_024, height: 680 })
  expect(boundsOf(records, [display, { ...display, x: 1_920 }])).toEqual({ x: 2_500, y: 40, width: 1_024, height: 680 })
})

test('if the stored size and position of the main window are unreadable, the app opens the window in its default size', () => {
  const records = createMemoryRecords(new Map([['window.bounds', '{"x":"left"}']]))
  expect(boundsOf(records, [display])).toEqual({ width: 1_440, height: 900 })
})
