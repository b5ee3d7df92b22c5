import { expect, test } from 'vitest'
import { typedDataFields, typedDataHeadline } from './request-card.ts'

const context = { nowMs: 0, marketOf: (id: string) => (id === '1' ? { symbol: 'BTC-PERP', priceDecimals: 1 } : null) }
const domain = { name: 'SvcDEX', version: '1', chainId: 8453, verifyingContract: '0x4B1c000000000000000000000000000000000082' } as const
const uint = (name: string) => ({ name, type: 'uint256' })
const text = (name: string) => ({ name, type: 'string' })

const closing = (change: Record<string, unknown> = {}) => ({
  domain,
  types: {
    ClosePosition: [text('positionId'), uint('pairId'), text('orderType'), uint('size'), uint('limitPrice'), { name: 'postOnly', type: 'bool' }],
  },
  primaryType: 'ClosePosition',
  message: { positionId: 'pos_7', pairId: '1', orderType: 'limit', size: '2600000', limitPrice: '9850050000000', postOnly: true, ...change },
})

test('the practice phone’s card for a close shows the position, the size and the price', () => {
  expect(typedDataHeadline(closing(), context)).toEqual(['Close BTC-PERP', '0.026 of pos_7', 'Limit 98,500.5'])
  expect(typedDataHeadline(closing({ orderType: 'market', limitPrice: '0' }), context)).toEqual(['Close BTC-PERP', '0.026 of pos_7', 'Market'])
  expect(typedDataFields(closing(), context)).toContainEqual({ name: 'size', raw: '2600000', text: '0.026' })
})

test('the practice phone’s card for an inversion shows the position and the accepted price range', () => {
  const turning = {
    domain,
    types: { InvertPosition: [text('positionId'), uint('pairId'), uint('referencePrice'), uint('maxSlippageBps')] },
    primaryType: 'InvertPosition',
    message: { positionId: 'pos_7', pairId: '1', referencePrice: '9610000000000', maxSlippageBps: '50' },
  }
  expect(typedDataHeadline(turning, context)).toEqual(['Turn BTC-PERP to the other side', 'All of pos_7', 'Within 0.50 % of 96,100.0'])
})
