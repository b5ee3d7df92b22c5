import { expect, test } from 'vitest'
import { PositionList } from '../account-resources.ts'

const figures = { entry_price: '64000', mark_price: '64100', size_base: '0.5', liquidation_price: '52000', unrealised_pnl_usdc: '50.00' }
const sideOf = (change: Record<string, unknown>) => {
  const read = PositionList.read({ positions: [{ position_id: 'p1', pair_id: 1, direction: 1, ...figures, ...change }] })
  return read.ok ? (read.value.positions[0]?.side ?? null) : null
}

test('the app infers a position’s side from its liquidation price if the stated side is a bare number and the profit does not contradict [ERR-02]', () => {
  expect(sideOf({})).toBe('long')
  expect(sideOf({ liquidation_price: '76000', unrealised_pnl_usdc: '-50.00' })).toBe('short')
  expect(sideOf({ liquidation_price: null })).toBeNull()
  expect(sideOf({ unrealised_pnl_usdc: '-50.00' })).toBeNull()
})

test('the app prefers the side of a position that the service states to the side inferred from prices [ERR-02]', () => {
  expect(sideOf({ direction: 'short' })).toBe('short')
})
