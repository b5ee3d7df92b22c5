export interface WebhookEvent {
  readonly name: string
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

const event = (name: string, when: string, remark: string | null = null): WebhookEvent => ({ name, when, remark })

/** Events (HOOK-02): every name that a subscription may hold. */
export const eventGroups: readonly EventGroup[] = [
  {
    title: 'Orders',
    remark: null,
    events: [
      event('order.accepted', 'An order was accepted on chain'),
      event('order.filled', 'An order was completely filled'),
      event('order.partially_filled', 'An order was partly filled'),
      event('order.cancelled', 'An order was cancelled'),
    ],
  },
  {
    title: 'Positions and collateral',
    remark: null,
    events: [
      event('position.changed', 'A position was opened, increased, reduced, closed or inverted'),
      event('liquidation', 'A position was liquidated'),
      event('liquidation.warning', 'Reserved by the service', 'never sent'),
      event('funding.charged', 'Funding was paid'),
      event('funding.credited', 'Funding was received'),
      event('collateral.changed', 'A deposit or withdrawal changed collateral'),
    ],
  },
  {
    title: 'Transactions and the chain',
    // HOOK-09
    remark: 'transaction.* events are sent only for transactions whose hash the service knows: relayed, delegated, or reported to it.',
    events: [
      event('transaction.confirmed', 'A known transaction reached finality'),
      event('transaction.reverted', 'A known transaction was reverted'),
      event('transaction.pending', 'A reorganisation took back what was reported', 'only as a correction'),
      event('chain.reorg', 'A chain reorganisation changed already reported data'),
    ],
  },
]

export const eventNames: readonly string[] = eventGroups.flatMap(({ events }) => events.map(({ name }) => name))

/** Stands for all of them, alone. */
export const everyEvent = '*'

/** What the service takes where none are named. */
export const defaultEvents: readonly string[] = ['transaction.confirmed', 'transaction.reverted']
