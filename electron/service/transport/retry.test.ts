import { expect, test } from 'vitest'
import { retryAfterMs } from './retry.ts'

const nowMs = Date.UTC(2026, 10, 6, 8, 49, 7)

test.each([
  ['30', 30_000],
  [' 1.5 ', 1_500],
  ['0', 0],
  ['99999', 3_600_000],
  ['Fri, 06 Nov 2026 08:49:37 GMT', 30_000],
  ['Friday, 06-Nov-26 08:49:37 GMT', 30_000],
  ['Fri Nov  6 08:49:37 2026', 30_000],
  ['Fri Nov 16 08:49:37 2026', 3_600_000],
  ['Sunday, 06-Nov-94 08:49:37 GMT', 0],
  ['Fri, 06 Nov 2026 08:40:00 GMT', 0],
])('the API client reads the header Retry-After: %s as %i ms in every time zone [F14]', (header, ms) => {
  const zone = process.env.TZ
  try {
    for (const name of ['UTC', 'America/New_York', 'Pacific/Chatham']) {
      process.env.TZ = name
      expect(retryAfterMs(header, nowMs)).toBe(ms)
    }
  } finally {
    if (zone === undefined) delete process.env.TZ
    else process.env.TZ = zone
  }
})

test.each([
  '',
  ' ',
  '-5',
  '+5',
  '5, 10',
  '1 2',
  '1/2',
  'soon',
  '2026-11-06',
  '1e3',
  '0x10',
  'Fri, 06 Nov 2026 08:49:37 +0100',
  'Fri Nov 6 2026',
  `${'1'.repeat(100)}`,
])('the API client treats the header Retry-After: %s as missing, and never as “at once” [F14]', (header) => {
  expect(retryAfterMs(header, nowMs)).toBeNull()
})
