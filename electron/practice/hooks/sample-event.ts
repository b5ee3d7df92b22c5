import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { second } from '../../../shared/time.ts'
import type { LifecycleEvent } from '../exchange/stream/lifecycle.ts'
import { WalletAddress } from './sample-hook.ts'

const hash = `0x${'5a'.repeat(32)}`
const order = { row: 1, tx_hash: hash, order_id: 'ord_sample', pair_id: 1, side: 'long' }
const transaction = { tx_hash: hash, intent_id: 'dx_sample', command_id: null, block_number: 7_000_001, confirmations: 8 }

/** What each event could say of a long position in market 1. `liquidation.warning` is reserved and never emitted, so it has none. */
const samples = {
  'order.accepted': { ...order, client_order_id: 'sample-1', order_type: 'limit', size: '0.02', price: '100000' },
  'order.filled': { ...order, price: '100000', size: '0.02', filled_size: '0.02', fee_usdc: '1' },
  'order.partially_filled': { ...order, price: '100000', size: '0.005', filled_size: '0.005', fee_usdc: '0.25' },
  'order.cancelled': { row: 1, tx_hash: hash, order_id: 'ord_sample', reason: 'cancelled_by_trader' },
  'position.changed': { row: 1, tx_hash: hash, position_id: 'pos_sample', pair_id: 1, order_id: 'ord_sample' },
  liquidation: { row: 1, tx_hash: null, position_id: 'pos_sample', price: '91000', lost_usdc: '200' },
  'funding.charged': { row: 1, tx_hash: null, position_id: 'pos_sample', amount_usdc: '-0.25' },
  'funding.credited': { row: 1, tx_hash: null, position_id: 'pos_sample', amount_usdc: '0.25' },
  'collateral.changed': { row: 1, tx_hash: hash, token: 'USDC', amount: '100' },
  'transaction.confirmed': transaction,
  'transaction.reverted': transaction,
  'transaction.pending': { ...transaction, block_number: null, confirmations: 0 },
  'chain.reorg': { revoked_type: 'transaction.confirmed', tx_hash: hash, rows: [] },
} satisfies Readonly<Record<string, LifecycleEvent['data']>>

const corrections: readonly string[] = ['transaction.pending', 'chain.reorg']

/** Sends an event that did not happen: to the wallet's subscriptions that name it, or to one of them alone. */
export const DeliverHook = z.strictObject({
  type: z.enum(Object.keys(samples) as [keyof typeof samples]),
  webhookId: z.string().optional(),
  /** What it corrects; a correction has one of its own otherwise. */
  revokedEventId: z.string().max(96).optional(),
  /** Absent: the phone's. */
  wallet: WalletAddress.optional(),
})

export function sampleEvent({ type, revokedEventId }: Pick<z.infer<typeof DeliverHook>, 'type' | 'revokedEventId'>, nowMs: number): LifecycleEvent {
  const id = `evt_sample_${randomBytes(8).toString('hex')}`
  const revoked = revokedEventId ?? (corrections.includes(type) ? `${id}_before` : null)
  const event = { id, type, created_at: Math.floor(nowMs / second), data: samples[type] }
  return revoked === null ? event : { ...event, revoked_event_id: revoked }
}
