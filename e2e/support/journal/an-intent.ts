import type { PlannedIntent } from '../../../electron/store/journal/journal.ts'

/** A planned market order. Orders with different `ref`s count as different. */
export const anIntent = (ref: string, changes: Partial<PlannedIntent> = {}): PlannedIntent => ({
  ref,
  profileId: 'practice',
  wallet: '0x00000000000000000000000000000000000000aa',
  action: 'open_position',
  title: { code: 'open', side: 'long', orderType: 'market', orderValueUsdc: '250', price: null, symbol: null },
  pairId: 1,
  symbol: 'BTC-PERP',
  side: 'long',
  idempotencyKey: `desk-${ref}`,
  clientOrderId: `desk-${ref}`,
  body: JSON.stringify({ action: 'open_position', payload: { pair_id: 1, order_value_usdc: '250' } }),
  ticket: JSON.stringify({ pairId: 1, orderValueUsdc: '250' }),
  ...changes,
})
