import { z } from 'zod'
import { command, query } from '../define.ts'
import { AccountSource } from '../reads/account-history.ts'
import { Decimal } from '../reads/markets.ts'

/** One event that the account's own history says must have been sent. */
export const GapRow = z.object({
  /** Stable, each once. */
  key: z.string(),
  /** When it happened; null: history does not tell. */
  atMs: z.number().nullable(),
  /** By when it had happened. */
  byMs: z.number(),
  /** More than one where history does not tell which. */
  types: z.array(z.string()),
  /** Of this app's own intent, for example "Deposit 500.00 USDC". */
  title: z.string().nullable(),
  symbol: z.string().nullable(),
  side: z.string().nullable(),
  size: Decimal.nullable(),
  /** Of the size, for example BTC. */
  unit: z.string().nullable(),
  txHash: z.string().nullable(),
  orderId: z.string().nullable(),
  /** This app's own intent behind it. */
  intentRef: z.string().nullable(),
  /** due: it may still come. unjudged: `why` says what keeps it from being called missing. */
  result: z.enum(['captured', 'missing', 'due', 'unjudged']),
  /**
   * not_listened: the lab did not while it could come. time_unknown: it may have come before the lab listened. before_subscription: the webhook
   * is younger. not_reported: the service was not told its hash. elsewhere: nobody here knows whether it was. made_room: the lab no longer has
   * what it captured then. events_not_said: the service does not say what the webhook is subscribed to. disabled: nor since when it is disabled.
   * taken_back: it came, and a correction took it back after the app had seen its transaction settled. never_delivered: of a correction, what it would take back was not captured. stands: of a correction, the history has it still, or again.
   */
  why: z
    .enum([
      ...['not_listened', 'time_unknown', 'before_subscription', 'not_reported', 'elsewhere', 'made_room', 'events_not_said', 'disabled'],
      ...['taken_back', 'never_delivered', 'stands'],
    ] as const)
    .nullable(),
  /** What it was recognised by. event: a correction that names what it takes back. count: it names nothing, and is one of its type at that time. */
  by: z.enum(['transaction', 'trade', 'intent', 'order', 'position', 'event', 'count']).nullable(),
  eventId: z.string().nullable(),
  /** It came, and a correction took it back, while the history still has it. */
  revokedId: z.string().nullable(),
  /** Of a correction after a reorganisation: the event that it takes back. null: it is none, or nobody here knows which. */
  takesBackId: z.string().nullable(),
  /** Of that event; null: it was not captured. */
  takesBackType: z.string().nullable(),
  /** Until when it may still come. */
  dueMs: z.number().nullable(),
})
export type GapRow = z.infer<typeof GapRow>

const Count = z.number().int()

export const GapCheck = z.discriminatedUnion('kind', [
  /** The lab was not opened in this run: nothing was captured that could be held against the history. */
  z.object({ kind: z.literal('never_opened') }),
  z.object({
    kind: z.literal('checked'),
    /** The one that the lab listened for; null: none that is known here, all events are expected. */
    webhook: z.object({ id: z.string(), url: z.string().nullable(), events: z.array(z.string()).nullable() }).nullable(),
    /** When the lab listened; `toMs` null: still. */
    spans: z.array(z.object({ fromMs: z.number(), toMs: z.number().nullable() })),
    /** Newest first, at most 5,000. */
    rows: z.array(GapRow),
    counts: z.object({ expected: Count, captured: Count, missing: Count, due: Count, unjudged: Count }),
    /** Captured events that nothing in the history explains, newest first, at most 100: harmless. `count` are all of them. */
    extra: z.object({ count: Count, events: z.array(z.object({ id: z.string(), type: z.string(), createdAtMs: z.number() })) }),
    /** Captured corrections. */
    corrections: Count,
    /** Subscribed types of which the account's history has no rows. */
    untold: z.array(z.string()),
    /** How long after it happened an event is waited for, ms. */
    graceMs: z.number(),
    source: AccountSource,
    readAtMs: z.number(),
  }),
])
export type GapCheck = z.infer<typeof GapCheck>

/** Which of what the lab listened to: since so long, or all of it. */
const Since = z.object({ sinceMs: z.number().int().min(0).nullable() })

export const gaps = {
  /**
   * Holds the account's history against what the lab captured (HOOK-07, HOOK-08). The history is that of the last 30 s, and newer where a row
   * would be called missing by an older one.
   */
  'gaps.check': query(Since, GapCheck, 'wallet'),
  /** Has the next check read the whole history anew. */
  'gaps.renew': command(z.object({}), z.object({}), { invalidates: ['gaps.check'] }),
  /** Checks, and writes it into a file that the user chooses. `missing`: those alone. */
  'gaps.save': command(
    Since.extend({ format: z.enum(['csv', 'json']), missing: z.boolean() }),
    z.object({ state: z.enum(['saved', 'cancelled']), path: z.string().nullable(), rows: Count }),
  ),
} as const
