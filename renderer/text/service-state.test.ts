import { expect, test } from 'vitest'
import { stateLook } from './service-state.ts'

test('the app shows the service’s own word for a state, and never shows an unknown word as a good state [ERR-02]', () => {
  expect(stateLook('OK')).toEqual({ tone: 'ok', icon: 'check', words: 'OK' })
  expect(stateLook('unavailable').tone).toBe('danger')
  expect(stateLook('stale')).toEqual({ tone: 'warn', icon: 'warn', words: 'stale' })
  expect(stateLook(null)).toEqual({ tone: 'off', icon: 'unknown', words: '—' })
})
