import { expect, test } from 'vitest'
import { serviceWord } from './visible-text.tsx'

test('the app shows its own word for a service’s word that it knows, and makes any other word readable', () => {
  expect(serviceWord('partially_executed')).toBe('Partly executed')
  expect(serviceWord('LIMIT')).toBe('Limit')
  expect(serviceWord('Stop-Limit')).toBe('Stop limit')
  expect(serviceWord('soft_frozen')).toBe('Soft frozen')
  expect(serviceWord('')).toBe('')
})
