import { expect, test } from 'vitest'
import type { Values } from '../../store/journal/journal.ts'
import { initialBounds, saveBounds } from './window.ts'

function memoryValues(): Values {
  const kept = new Map<string, string>()
  return {
    get: (name) => kept.get(name) ?? null,
    set: (name, value) => void (value === null ? kept.delete(name) : kept.set(name, value)),
    withPrefix: (prefix) => [...kept].filter(([name]) => name.startsWith(prefix)).map(([name, value]) => ({ name, value })),
  }
}
const display = { x: 0, y: 0, width: 1_920, height: 1_080 }

test('opens at 1440 × 900 at first, and where it was afterwards', () => {
  const values = memoryValues()
  expect(initialBounds(values, [display])).toEqual({ width: 1_440, height: 900 })
  saveBounds(values, { x: 50, y: 40, width: 1_200, height: 800 })
  expect(initialBounds(values, [display])).toEqual({ x: 50, y: 40, width: 1_200, height: 800 })
})

test('comes back to a display that is still there, and never smaller than 1024 × 680', () => {
  const values = memoryValues()
  saveBounds(values, { x: 2_500, y: 40, width: 300, height: 200 })
  expect(initialBounds(values, [display])).toEqual({ width: 1_024, height: 680 })
  expect(initialBounds(values, [display, { ...display, x: 1_920 }])).toEqual({ x: 2_500, y: 40, width: 1_024, height: 680 })
})

test('what it cannot read it does not use', () => {
  const values = memoryValues()
  values.set('window.bounds', '{"x":"left"}')
  expect(initialBounds(values, [display])).toEqual({ width: 1_440, height: 900 })
})
