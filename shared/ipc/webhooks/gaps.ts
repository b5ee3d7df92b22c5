import { z } from 'zod'
import { command, query } from '../define.ts'
import { Title } from '../intents/titles.ts'
import { AccountSource } from '../reads/account-history.ts'
import { Decimal } from '../reads/markets.ts'

/** One webhook event that the service should have sent, according to the account's history. */
export const GapRow = z.object({
  /** The id of the row. It is unique, and stays the same in later checks. */
  key: z.string(),
  /** When the event happened; null: the history does not state it. */
  atMs: z.number().nullable(),
  /** The latest time at which the event can have happened. */
  byMs: z.number(),
  /** The possible types of the event. There are several if the history does not show which type it is. */
  types: z.array(z.string()),
  /** Title of this app's order or other intent that caused the event; null if unknown. */
  title: Title.nullable(),
  symbol: z.string().nullable(),
  side: z.string().nullable(),
  size: Decimal.nullable(),
  /** The unit of the size, for example BTC. */
  unit: z.string().nullable(),
  txHash: z.string().nullable(),
  orderId: z.string().nullable(),
  /** Reference of this app's intent that caused the event; null if unknown. */
  intentRef: z.string().nullable(),
  /**
   * Whether the app's local webhook receiver (the receiver lab) captured the event. captured: yes. missing: no. due: not yet, but the event may
   * still arrive. unjudged: the app cannot tell; `why` has the reason.
   */
  result: z.enum(['captured', 'missing', 'due', 'unjudged']),
  /**
   * Why the app cannot tell whether the event is missing. "The lab" is the app's local webhook receiver.
   * not_listened: the lab was not listening when the event could have arrived.
   * time_unknown: the event may have arrived before the lab listened.
   * before_subscription: the webhook did not exist yet.
   * not_reported: the app did not report the transaction's hash, so the service may not know the transaction.
   * elsewhere: another program created the intent, and the app does not know whether its hash was reported.
   * made_room: the lab deleted its captures from that time to make room for new ones.
   * events_not_said: the service does not state which events the webhook subscribes to.
   * disabled: the webhook is disabled, and the service does not state since when.
   * taken_back: the event arrived, but was revoked by a correction after the app had seen its transaction final.
   * Only for corrections: never_delivered: the lab never captured the event that the correction should revoke. `stands`: the history still shows
   * that event, or shows it again.
   */
  why: z
    .enum([
      ...['not_listened', 'time_unknown', 'before_subscription', 'not_reported', 'elsewhere', 'made_room', 'events_not_said', 'disabled'],
      ...['taken_back', 'never_delivered', 'stands'],
    ] as const)
    .nullable(),
  /**
   * How the app matched the expected event with a captured event: by the id of a transaction, trade, intent, order or position. event: by the id of
   * the event that a correction revokes. count: no id matches, but the lab captured exactly one event of this type at that time.
   */
  by: z.enum(['transaction', 'trade', 'intent', 'order', 'position', 'event', 'count']).nullable(),
  eventId: z.string().nullable(),
  /**
   * Id of a captured event that a correction revoked, although the account's history still shows what that event reported; null: there is no such
   * event.
   */
  revokedId: z.string().nullable(),
  /**
   * For a correction after a chain reorganisation: the id of the event that it revokes. null if the row is not a correction, or if the revoked event
   * is unknown.
   */
  takesBackId: z.string().nullable(),
  /** The type of the event that the correction revokes; null: the receiver lab did not capture that event. */
  takesBackType: z.string().nullable(),
  /** For a due event: until when it may still arrive. */
  dueMs: z.number().nullable(),
})
export type GapRow = z.infer<typeof GapRow>

const Count = z.number().int()

export const GapCheck = z.discriminatedUnion('kind', [
  /**
   * The receiver lab (the app's local webhook receiver) has not listened since the app started, so there are no captured events to compare with the
   * history.
   */
  z.object({ kind: z.literal('never_opened') }),
  z.object({
    kind: z.literal('checked'),
    /** The webhook whose deliveries the receiver lab captured; null if unknown. In that case the check expects all event types. */
    webhook: z.object({ id: z.string(), url: z.string().nullable(), events: z.array(z.string()).nullable() }).nullable(),
    /** The periods in which the receiver lab was listening. `toMs` null: it is still listening. */
    spans: z.array(z.object({ fromMs: z.number(), toMs: z.number().nullable() })),
    /** The expected events, newest first, at most 5,000. */
    rows: z.array(GapRow),
    counts: z.object({ expected: Count, captured: Count, missing: Count, due: Count, unjudged: Count }),
    /**
     * Captured events without a counterpart in the account's history, newest first, at most 100. Such events are harmless. `count`: total number of
     * such events.
     */
    extra: z.object({ count: Count, events: z.array(z.object({ id: z.string(), type: z.string(), createdAtMs: z.number() })) }),
    /** Number of captured corrections, and of those that belong to no row. A correction is an event that revokes an earlier event. */
    corrections: z.object({ count: Count, unmatched: Count }),
    /** Event types that the webhook subscribes to but that the app cannot check, because the account's history does not show them. */
    untold: z.array(z.string()),
    /** The longest time that an event may take to arrive, in ms. */
    graceMs: z.number(),
    source: AccountSource,
    readAtMs: z.number(),
  }),
])
export type GapCheck = z.infer<typeof GapCheck>

/** Check only the events since `sinceMs`, in Unix ms; null: all events. */
const Since = z.object({ sinceMs: z.number().int().min(0).nullable() })

export const gaps = {
  /**
   * Compares the account's history with the events that the receiver lab captured (HOOK-07, HOOK-08). Uses a stored history that is at most 30 s old.
   * If an event seems missing only because that history is older than the event, reads the history again.
   */
  'gaps.check': query(Since, GapCheck, 'wallet'),
  /** Makes the next check read the whole history again. */
  'gaps.renew': command(z.object({}), z.object({}), { invalidates: ['gaps.check'] }),
  /** Runs the check, and saves the result to a file that the user chooses. `missing`: only the missing events. */
  'gaps.save': command(
    Since.extend({ format: z.enum(['csv', 'json']), missing: z.boolean() }),
    z.object({ state: z.enum(['saved', 'cancelled']), path: z.string().nullable(), rows: Count }),
  ),
} as const
