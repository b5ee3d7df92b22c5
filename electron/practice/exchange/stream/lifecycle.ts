import { add, compare, signOf } from '../../../../shared/decimal.ts'
import { second } from '../../../../shared/time.ts'
import type { Book } from '../state/book.ts'
import type { LedgerRow } from '../state/changes.ts'

/** Every event name that a subscription may list (Events). `liquidation.warning` is accepted but never emitted. */
export const names = [
  'order.accepted',
  'order.filled',
  'order.partially_filled',
  'order.cancelled',
  'position.changed',
  'liquidation',
  'liquidation.warning',
  'funding.charged',
  'funding.credited',
  'collateral.changed',
  'transaction.confirmed',
  'transaction.reverted',
  'transaction.pending',
  'chain.reorg',
] as const
export type PracticeEvent = (typeof names)[number]

/** An event of the account, in the format of a webhook delivery's body (API document: Events). */
export interface LifecycleEvent {
  readonly id: string
  readonly type: PracticeEvent
  /** The time of the event, in Unix seconds. */
  readonly created_at: number
  readonly data: Readonly<Record<string, unknown>>
  /** Present only in a correction: the id of the earlier event that the correction revokes. */
  readonly revoked_event_id?: string
}

/**
 * Builds a `chain.reorg` event, which reports that a reorganisation has undone an earlier event. The exchange sends exactly one `chain.reorg` for
 * each undone event.
 */
export const reorganisation = ({ id, type, data }: LifecycleEvent, created_at: number, more: Readonly<Record<string, unknown>>): LifecycleEvent => ({
  ...{ id: `${id}_chain.reorg`, type: 'chain.reorg', created_at, revoked_event_id: id },
  data: { revoked_type: type, tx_hash: data.tx_hash ?? null, ...more },
})

/** The account events that a ledger row causes. `earlier` contains the wallet’s rows up to and including this row. */
export function lifecycleOf(row: LedgerRow, book: Book, earlier: readonly LedgerRow[]): LifecycleEvent[] {
  const { change } = row
  const event = (type: PracticeEvent, data: Record<string, unknown>): LifecycleEvent => ({
    ...{ id: `evt_${row.sequence}_${type}`, type, created_at: Math.floor(row.atMs / second) },
    data: { row: row.sequence, tx_hash: row.origin?.txHash ?? null, ...data },
  })
  const orderOf = (id: string) => book.orders.find((order) => order.id === id)
  switch (change.kind) {
    case 'placed': {
      const { id, clientOrderId, pairId, side, orderType, size, price } = change.order
      return [event('order.accepted', { order_id: id, client_order_id: clientOrderId, pair_id: pairId, side, order_type: orderType, size, price })]
    }
    case 'filled': {
      const { orderId, price, size, feeUsdc } = change
      const order = orderOf(orderId)
      const filled = earlier.reduce((sum, { change: past }) => (past.kind === 'filled' && past.orderId === orderId ? add(sum, past.size) : sum), '0')
      const isWhole = order === undefined || compare(filled, order.size) >= 0
      const { pairId: pair_id = null, side = null } = order ?? {}
      return [
        event(isWhole ? 'order.filled' : 'order.partially_filled', { order_id: orderId, pair_id, side, price, size, filled_size: filled, fee_usdc: feeUsdc }),
        event('position.changed', { position_id: order?.closes ?? null, pair_id, order_id: orderId }),
      ]
    }
    case 'ended':
      return [event('order.cancelled', { order_id: change.orderId, reason: change.reason })]
    case 'exits':
    case 'margin':
    case 'leverage':
      return [event('position.changed', { position_id: change.positionId })]
    case 'funding': {
      const { positionId: position_id, amount } = change
      return [event(signOf(amount) < 0 ? 'funding.charged' : 'funding.credited', { position_id, amount_usdc: amount })]
    }
    case 'liquidated':
      return [event('liquidation', { position_id: change.positionId, price: change.price, lost_usdc: change.lost })]
    case 'collateral':
      return [event('collateral.changed', { token: change.token, amount: change.amount })]
    case 'charged':
    case 'replaced':
    case 'refused':
      return []
  }
}
