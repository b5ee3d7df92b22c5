import { limits } from '../api/limits.ts'
import { second } from '../time.ts'

/**
 * Events (HOOK-02): every name that a subscription may hold. The service may send others: their names stay text, and views say that the document does
 * not have them.
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

/** Reserved: taken in subscriptions, never sent. */
type ReservedEvent = 'liquidation.warning'
export type SentEventName = Exclude<EventName, ReservedEvent>

export interface WebhookEvent {
  readonly name: EventName
  /** When it is sent, as the document says. */
  readonly when: string
  /** What to know before choosing it. */
  readonly remark: string | null
}

export interface EventGroup {
  readonly title: string
  readonly events: readonly WebhookEvent[]
  readonly remark: string | null
}

const groups = {
  orders: { title: 'Orders', remark: null },
  account: { title: 'Positions and collateral', remark: null },
  chain: {
    title: 'Transactions and the chain',
    // HOOK-09
    remark: 'transaction.* events are sent only for transactions whose hash the service knows: relayed, delegated, or reported to it.',
  },
} as const

const facts: Readonly<Record<EventName, { readonly group: keyof typeof groups } & Omit<WebhookEvent, 'name'>>> = {
  'order.accepted': { group: 'orders', when: 'An order was accepted on chain', remark: null },
  'order.filled': { group: 'orders', when: 'An order was completely filled', remark: null },
  'order.partially_filled': { group: 'orders', when: 'An order was partly filled', remark: null },
  'order.cancelled': { group: 'orders', when: 'An order was cancelled', remark: null },
  'position.changed': { group: 'account', when: 'A position was opened, increased, reduced, closed or inverted', remark: null },
  liquidation: { group: 'account', when: 'A position was liquidated', remark: null },
  'liquidation.warning': { group: 'account', when: 'Reserved by the service', remark: 'never sent' },
  'funding.charged': { group: 'account', when: 'Funding was paid', remark: null },
  'funding.credited': { group: 'account', when: 'Funding was received', remark: null },
  'collateral.changed': { group: 'account', when: 'A deposit or withdrawal changed collateral', remark: null },
  'transaction.confirmed': { group: 'chain', when: 'A known transaction reached finality', remark: null },
  'transaction.reverted': { group: 'chain', when: 'A known transaction was reverted', remark: null },
  'transaction.pending': { group: 'chain', when: 'A reorganisation took back what was reported', remark: 'only as a correction' },
  'chain.reorg': { group: 'chain', when: 'A chain reorganisation changed already reported data', remark: null },
}

export const eventGroups: readonly EventGroup[] = (['orders', 'account', 'chain'] as const satisfies readonly (keyof typeof groups)[]).map((group) => ({
  ...groups[group],
  events: eventNames.filter((name) => facts[name].group === group).map((name) => ({ name, when: facts[name].when, remark: facts[name].remark })),
}))

/** Stands for all of them, alone. */
export const everyEvent = '*'

/** What the service takes where none are named. */
export const defaultEvents: readonly EventName[] = ['transaction.confirmed', 'transaction.reverted']

/** How old an old delivery is, in seconds: a minute past the tolerance, since the receiver's clock may differ. */
export const staleDeliveryS = limits.webhookDelivery.toleranceMs / second + 60
