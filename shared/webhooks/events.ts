import { limits } from '../api/limits.ts'
import { second } from '../time.ts'

/**
 * The events that the API document lists for webhook subscriptions (HOOK-02). The service may send other events. The app shows the names of these as
 * received, and says that the API document does not list them.
 */
export const eventNames = [
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
export type EventName = (typeof eventNames)[number]

/** A reserved event type: the service accepts it in subscriptions, but never sends it. */
type ReservedEvent = 'liquidation.warning'
export type SentEventName = Exclude<EventName, ReservedEvent>

/** Remarks on an event or a group of events, for users who choose events. `eventWords` has the texts of events, groups and remarks. */
type EventRemark = 'neverSent' | 'onlyCorrection' | 'knownTransactions'

export interface WebhookEvent {
  readonly name: EventName
  readonly remark: EventRemark | null
}

export interface EventGroup {
  readonly name: 'orders' | 'account' | 'chain'
  readonly events: readonly WebhookEvent[]
  readonly remark: EventRemark | null
}

const plain = (...names: readonly EventName[]): readonly WebhookEvent[] => names.map((name) => ({ name, remark: null }))

export const eventGroups: readonly EventGroup[] = [
  { name: 'orders', events: plain('order.accepted', 'order.filled', 'order.partially_filled', 'order.cancelled'), remark: null },
  {
    name: 'account',
    events: [
      ...plain('position.changed', 'liquidation'),
      { name: 'liquidation.warning', remark: 'neverSent' },
      ...plain('funding.charged', 'funding.credited', 'collateral.changed'),
    ],
    remark: null,
  },
  {
    name: 'chain',
    events: [...plain('transaction.confirmed', 'transaction.reverted'), { name: 'transaction.pending', remark: 'onlyCorrection' }, ...plain('chain.reorg')],
    // See HOOK-09: the service sends transaction events only for transactions whose hash it knows.
    remark: 'knownTransactions',
  },
]

/** The entry that subscribes to all events. It must be the only entry of the subscription. */
export const everyEvent = '*'

/** The events to which a webhook subscribes if its creation lists none. */
export const defaultEvents: readonly EventName[] = ['transaction.confirmed', 'transaction.reverted']

/**
 * Age in seconds of a sample delivery that must be refused as too old. It is a minute more than the tolerance, because the receiver's clock may
 * differ.
 */
export const staleDeliveryS = limits.webhookDelivery.toleranceMs / second + 60

/** The body of a sample delivery, in the service's field names. */
export interface SampleEvent {
  /** Id of the event, at most 96 characters. */
  readonly id: string
  readonly type: string
  /** When the event happened, in Unix seconds. */
  readonly created_at: number
  readonly data: Readonly<Record<string, unknown>>
  /** For a correction: the id of the event that it revokes. */
  readonly revoked_event_id?: string
}

/** The event types that revoke an earlier event after a chain reorganisation (HOOK-07). */
export const corrections: readonly SentEventName[] = ['chain.reorg', 'transaction.pending']
export const isCorrection = (type: string): boolean => corrections.some((each) => each === type)

/** An invented event type, such as a later version of the service might send. */
export const unknownEvent = 'sample.unknown'

const wallet = '0x00000000000000000000000000000000005A3b1E'
const transaction_hash = `0x${'5a'.repeat(32)}`
const order = { wallet, pair_id: 1, order_id: 'sample-order-1', side: 'long', size_usdc: '250.00', price: '2450.50', transaction_hash }
const payment = { wallet, pair_id: 1, position_id: 'sample-position-1', amount_usdc: '0.42' }
const confirmed = { wallet, transaction_hash, block_number: 30_000_000, confirmations: 8, status: 'FINAL' }

/** Invented content of `data` for sample events, because the API document does not show the fields of `data`. */
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

export const isSent = (type: string): type is SentEventName => Object.hasOwn(data, type)
export const sentEvents: readonly SentEventName[] = eventNames.filter(isSent)

/** Returns an event as the service could send it. `data.sample` is true, so that a receiver can recognise it. */
export function sampleEvent(
  type: SentEventName | typeof unknownEvent,
  { id, createdAtS, revokes }: { readonly id: string; readonly createdAtS: number; readonly revokes?: string },
): SampleEvent {
  const event = { id, type, created_at: createdAtS, data: { sample: true, ...(isSent(type) && data[type]) } }
  return revokes === undefined ? event : { ...event, revoked_event_id: revokes }
}
