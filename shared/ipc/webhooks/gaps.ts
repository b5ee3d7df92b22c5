import { z } from 'zod'
import { command, query } from '../define.ts'
import { Title } from '../intents/titles.ts'
import { AccountSource } from '../reads/account-history.ts'
import { Decimal } from '../reads/markets.ts'

/** One event that the service must have sent, according to the account's history. */
export const GapRow = z.object({
  /** Stable and unique. */
  key: z.string(),
  /** When it happened; null: the history does not say. */
  atMs: z.number().nullable(),
  /** The time by which it had happened. */
  byMs: z.number(),
  /** Several types if the history does not show which one. */
  types: z.array(z.string()),
  /** Of this app's intent. */
  title: Title.nullable(),
  symbol: z.string().nullable(),
  side: z.string().nullable(),
  size: Decimal.nullable(),
  /** The unit of the size, for example BTC. */
  unit: z.string().nullable(),
  txHash: z.string().nullable(),
  orderId: z.string().nullable(),
  /** This app's intent behind it. */
  intentRef: z.string().nullable(),
  /** due: it may still arrive. unjudged: `why` says why the app does not call it missing. */
  result: z.enum(['captured', 'missing', 'due', 'unjudged']),
  /**
   * not_listened: the lab did not listen while the event could arrive. time_unknown: it may have arrived before the lab listened.
   * before_subscription: the webhook is younger. not_reported: the app did not report the hash to the service. elsewhere: the app does not know
   * whether it was reported. made_room: the lab has deleted its captures from that time. events_not_said: the service does not state the
   * subscriptions of the webhook. disabled: nor since when it is disabled. taken_back: it arrived, and a correction revoked it after the app had seen
   * its transaction final. never_delivered: for a correction: the event that it would revoke was not captured. stands: for a correction: the history
   * still shows the event, or shows it again.
   */
  why: z
    .enum([
      ...['not_listened', 'time_unknown', 'before_subscription', 'not_reported', 'elsewhere', 'made_room', 'events_not_said', 'disabled'],
      ...['taken_back', 'never_delivered', 'stands'],
    ] as const)
    .nullable(),
  /**
   * How the app recognised the event. event: a correction that names the event it revokes. count: it names nothing, and is the only one of its type
   * at that time.
   */
  by: z.enum(['transaction', 'trade', 'intent', 'order', 'position', 'event', 'count']).nullable(),
  eventId: z.string().nullable(),
  /** It arrived, and a correction revoked it, but the history still shows it. */
  revokedId: z.string().nullable(),
  /** For a correction after a reorganisation: the event that it revokes. null: it is not a correction, or the event is unknown. */
  takesBackId: z.string().nullable(),
  /** The type of that event; null: it was not captured. */
  takesBackType: z.string().nullable(),
  /** The time until which it may still arrive. */
  dueMs: z.number().nullable(),
})
export type GapRow = z.infer<typeof GapRow>

const Count = z.number().int()

export const GapCheck = z.discriminatedUnion('kind', [
  /** The lab has not listened in this run: there are no captures to compare with the history. */
  z.object({ kind: z.literal('never_opened') }),
  z.object({
    kind: z.literal('checked'),
    /** The webhook that the lab listened for; null: unknown, so the check expects all events. */
    webhook: z.object({ id: z.string(), url: z.string().nullable(), events: z.array(z.string()).nullable() }).nullable(),
    /** The periods in which the lab listened; `toMs` null: it still listens. */
    spans: z.array(z.object({ fromMs: z.number(), toMs: z.number().nullable() })),
    /** Newest first, at most 5,000. */
    rows: z.array(GapRow),
    counts: z.object({ expected: Count, captured: Count, missing: Count, due: Count, unjudged: Count }),
    /** Captured events without a match in the history, newest first, at most 100: harmless. `count` is the total. */
    extra: z.object({ count: Count, events: z.array(z.object({ id: z.string(), type: z.string(), createdAtMs: z.number() })) }),
    /** Number of captured corrections. */
    corrections: Count,
    /** Subscribed types for which the account's history has no rows. */
    untold: z.array(z.string()),
    /** How long after it happened an event may still arrive, in ms. */
    graceMs: z.number(),
    source: AccountSource,
    readAtMs: z.number(),
  }),
])
export type GapCheck = z.infer<typeof GapCheck>

/** Which captures to check: those since this time, or all. */
const Since = z.object({ sinceMs: z.number().int().min(0).nullable() })

export const gaps = {
  /**
   * Compares the account's history with the captures of the lab (HOOK-07, HOOK-08). The history is at most 30 s old, and newer if an older one would
   * make an event look missing.
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
