import { expect, test } from 'vitest'
import { isWholeSince } from './paged-rows.ts'

const whole = (times: readonly (number | null)[], cut: Parameters<typeof isWholeSince>[0]['cut'], sinceMs = 50) =>
  isWholeSince({ items: times, cut }, sinceMs, (atMs) => atMs)

test('the app concludes that a list lacks an item only if it read the list to the end, or to items older than the item [ACC-02]', () => {
  expect(whole([], null)).toBe(true)
  expect(whole([90, 70], null)).toBe(true)
  for (const cut of ['too_long', 'no_next_page', 'unanswered'] as const) {
    expect(whole([90, 40], cut)).toBe(true)
    expect(whole([90, 60], cut)).toBe(false)
    // The last item is newer than the first, so the list is not sorted newest first. A list that contains an item without a time may be unsorted too.
    expect(whole([30, 40], cut)).toBe(false)
    expect(whole([90, null], cut)).toBe(false)
    expect(whole([], cut)).toBe(false)
  }
  // An unreadable item may be the item that the caller is looking for.
  expect(whole([90, 40], 'unreadable')).toBe(false)
})
