import { expect, test } from 'vitest'
import { keyCountText } from './page-cut-text.ts'

const of = (...statuses: readonly ('active' | 'expired' | 'revoked' | 'unknown')[]) => statuses.map((status) => ({ status }))

test('the app counts a key with unknown state as neither active nor ended [KEY-06]', () => {
  const count = (keys: ReturnType<typeof of>, active: number | null) => keyCountText({ keys, active, limit: 10 })
  expect(count(of('active', 'revoked'), 1)).toBe('1 of 10 active')
  expect(count([], 0)).toBe('0 of 10 active')
  expect(count(of('unknown', 'unknown'), null)).toBe('2 keys, status unknown')
  expect(count(of('unknown', 'revoked'), null)).toBe('1 key, status unknown')
  expect(count(of('active', 'unknown', 'unknown'), null)).toBe('1 active, 2 of unknown status')
  expect(count(of('unknown', 'unknown'), 2)).toBe('2 of 10 active')
})
