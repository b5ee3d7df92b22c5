import { expect, test } from 'vitest'
import { shortUsdc } from './interest-split.tsx'

test.each([
  ['0', '0.00'],
  ['999.994', '999.99'],
  ['1000', '1.00 k'],
  ['410000', '410.00 k'],
  ['184273412.55', '184.27 M'],
  ['-2500000', '−2.50 M'],
  ['1250000000', '1.25 B'],
])('the app shortens the USDC amount %s to %s where space is tight', (value, shown) => {
  expect(shortUsdc(value)).toBe(shown)
})
