import { expect, test } from 'vitest'
import { delegatedActions, preparedActions } from '../../shared/api/actions.ts'
import { serviceWords } from '../text/en/parts.en.tsx'
import { serviceWord } from './visible-text.tsx'

test('the app shows its own word for a service’s word that it knows, and makes any other word readable', () => {
  expect(serviceWord('partially_executed')).toBe('Partly executed')
  expect(serviceWord('LIMIT')).toBe('Limit')
  expect(serviceWord('Stop-Limit')).toBe('Stop limit')
  expect(serviceWord('soft_frozen')).toBe('Soft frozen')
  expect(serviceWord('')).toBe('')
})

test('the app has its own word for every action of the service, so that each language translates it', () => {
  const actions = [...Object.keys(preparedActions), ...Object.keys(delegatedActions)]
  expect(actions.filter((action) => !Object.hasOwn(serviceWords, action))).toEqual([])
  expect(serviceWord('open_position')).toBe('Open position')
  expect(serviceWord('LIQUIDATION')).toBe('Liquidation')
})
