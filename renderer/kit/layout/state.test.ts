import { expect, test } from 'vitest'
import type { Fill } from '../../../shared/ipc/intents/orders.ts'
import type { Title } from '../../../shared/ipc/intents/titles.ts'
import { intentLook } from './state.tsx'

const open = (orderType: 'market' | 'limit'): Title => ({
  code: 'open',
  side: 'long',
  orderType,
  orderValueUsdc: '250',
  price: orderType === 'market' ? null : '90000',
  symbol: null,
})
const fill = { price: '97,000.0', size: '0.00257', base: 'BTC', feeUsdc: '0.125' } as const

test('an order is filled only once the app has seen its trades; an order that may rest is placed', () => {
  const words = [
    intentLook({ title: open('market'), state: 'CONFIRMING', reason: null, fill }),
    intentLook({ title: open('market'), state: 'FINAL', reason: null }),
    intentLook({ title: open('market'), state: 'FINAL', reason: null, fill }),
    intentLook({ title: open('limit'), state: 'FINAL', reason: null, fill }),
  ].map(({ word }) => word)
  expect(words).toEqual(['Confirming', 'Final', 'Filled', 'Placed'])
})

test('a final batch of which an action failed is a warning, not a success', () => {
  const reason = { code: 'partly_executed', actions: 3, failed: 1, raw: null } as const
  expect(intentLook({ title: open('market'), state: 'FINAL', reason, fill })).toMatchObject({ tone: 'warn', word: 'Partly done' })
})

test('a final batch says what the service did with its actions, and is done only if the service says so [ORD-13]', () => {
  const lookOf = (batchState?: string) =>
    intentLook({ title: { code: 'batch', actions: 3 }, state: 'FINAL', reason: null, ...(batchState === undefined ? {} : { batchState }) })
  expect(lookOf('executed')).toMatchObject({ tone: 'ok', word: 'Done', detail: 'Final on Base' })
  expect(lookOf('queued')).toMatchObject({ tone: 'off', word: 'Queued' })
  expect(lookOf()).toMatchObject({ word: 'Final' })
})

test('an order is filled or partly filled only if its trades prove it: by a size in its own unit, or by the ordered value', () => {
  const close = (size: string | null): Title => ({ code: 'close', of: { side: 'long', symbol: 'BTC-PERP', pairId: 1 }, size, limitPrice: null })
  const word = (title: Title, of: Partial<Fill> = {}) => intentLook({ title, state: 'FINAL', reason: null, fill: { ...fill, ...of } }).word
  expect(word(close('0.00257'))).toBe('Filled')
  expect(word(close('0.002570'))).toBe('Filled')
  expect(word(close('0.01'))).toBe('Partly filled')
  expect(word(close(null))).toBe('Traded')
  expect(word(close('0.01'), { size: null })).toBe('Traded')
  expect(word(close('0.01'), { base: null })).toBe('Traded')
  expect(word(open('market'))).toBe('Filled')
  expect(word(open('market'), { size: '0.002527' })).toBe('Filled')
  expect(word(open('market'), { size: '0.00252' })).toBe('Traded')
  expect(word(open('market'), { size: '0.00264' })).toBe('Traded')
  expect(word(open('market'), { price: null })).toBe('Traded')
})
