import { eventNames, type SentEventName } from './events.ts'

/** The body of a delivery, as it is sent. */
export interface SampleEvent {
  /** At most 96 characters. */
  readonly id: string
  readonly type: string
  /** Unix seconds. */
  readonly created_at: number
  readonly data: Readonly<Record<string, unknown>>
  /** Of a correction: the event that it takes back. */
  readonly revoked_event_id?: string
}

/** What is sent after a reorganisation, about an event that was sent before (HOOK-07). */
export const corrections: readonly SentEventName[] = ['chain.reorg', 'transaction.pending']
export const isCorrection = (type: string): boolean => corrections.some((each) => each === type)

/** A type that the document does not have, as a later service may send one. */
export const unknownEvent = 'sample.unknown'

const wallet = '0x00000000000000000000000000000000005A3b1E'
const transaction_hash = `0x${'5a'.repeat(32)}`
const order = { wallet, pair_id: 1, order_id: 'sample-order-1', side: 'long', size_usdc: '250.00', price: '2450.50', transaction_hash }
const payment = { wallet, pair_id: 1, position_id: 'sample-position-1', amount_usdc: '0.42' }
const confirmed = { wallet, transaction_hash, block_number: 30_000_000, confirmations: 8, status: 'FINAL' }

/** The document shows no field of `data`: these are made up, and say so. */
const data: Readonly<Record<SentEventName, Readonly<Record<string, unknown>>>> = {
  'order.accepted': { ...order, status: 'accepted' },
  'order.filled': { ...order, status: 'filled', filled_usdc: '250.00' },
  'order.partially_filled': { ...order, status: 'partially_filled', filled_usdc: '100.00' },
  'order.cancelled': { ...order, status: 'cancelled' },
  'position.changed': { wallet, pair_id: 1, position_id: 'sample-position-1', change: 'increased', size_usdc: '500.00', entry_price: '2450.50' },
  liquidation: { wallet, pair_id: 1, position_id: 'sample-position-1', price: '1980.00', transaction_hash },
  'funding.charged': payment,
  'funding.credited': payment,
  'collateral.changed': { wallet, change: 'deposit', amount_usdc: '100.00', transaction_hash },
  'transaction.confirmed': confirmed,
  'transaction.reverted': { ...confirmed, status: 'REVERTED' },
  'transaction.pending': { ...confirmed, confirmations: 0, status: 'PENDING_FINALITY' },
  'chain.reorg': { block_number: 30_000_000, depth: 2 },
}

/** Every type that the service sends. */
export const isSent = (type: string): type is SentEventName => Object.hasOwn(data, type)
export const sentEvents: readonly SentEventName[] = eventNames.filter(isSent)

/** An event as the service could send it. `data.sample` is true, so that a receiver can tell it from a real one. */
export function sampleEvent(
  type: SentEventName | typeof unknownEvent,
  { id, createdAtS, revokes }: { readonly id: string; readonly createdAtS: number; readonly revokes?: string },
): SampleEvent {
  const event = { id, type, created_at: createdAtS, data: { sample: true, ...(isSent(type) && data[type]) } }
  return revokes === undefined ? event : { ...event, revoked_event_id: revokes }
}
