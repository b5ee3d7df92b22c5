import fc from 'fast-check'
import { expect, test } from 'vitest'
import { rowWindow, windowSize } from './table.tsx'

test('a long list draws every visible row, and only a limited number of other rows', () => {
  fc.assert(
    fc.property(
      fc.record({
        count: fc.integer({ min: 0, max: 20_000 }),
        rowPx: fc.double({ min: 20, max: 80, noNaN: true }),
        viewPx: fc.integer({ min: 0, max: 2_000 }),
        share: fc.double({ min: 0, max: 1, noNaN: true }),
      }),
      ({ count, rowPx, viewPx, share }) => {
        const scrolledPx = share * Math.max(0, count * rowPx - viewPx)
        const { first, end } = rowWindow({ count, rowPx, viewPx, scrolledPx })
        const seen = { first: Math.floor(scrolledPx / rowPx), end: Math.min(count, Math.ceil((scrolledPx + viewPx) / rowPx)) }
        expect(first).toBeGreaterThanOrEqual(0)
        expect(end).toBeLessThanOrEqual(count)
        expect(first).toBeLessThanOrEqual(seen.first)
        expect(end).toBeGreaterThanOrEqual(seen.end)
        expect(end - first).toBeLessThanOrEqual(windowSize({ rowPx, viewPx }))
        expect(windowSize({ rowPx, viewPx })).toBeLessThanOrEqual(Math.ceil(viewPx / rowPx) + 25)
      },
    ),
  )
})

test('a long list draws the same rows again while the user scrolls only a few rows', () => {
  const at = (scrolledPx: number) => rowWindow({ count: 5_000, rowPx: 36, viewPx: 700, scrolledPx })
  expect(at(100 * 36)).toEqual({ first: 90, end: 135 })
  expect(at(100 * 36 + 10)).toEqual(at(100 * 36))
})

test('a list that became too short for the scroll position shows its end', () => {
  expect(rowWindow({ count: 10, rowPx: 36, viewPx: 700, scrolledPx: 50_000 })).toEqual({ first: 0, end: 10 })
})
