import { z } from 'zod'
import { command, query } from '../define.ts'

export const ExpiryItem = z.object({
  /** The id of the expiring key, grant or sign-in. It never changes: `key:<id>`, `grant:<key id>`, `sign_in`. */
  id: z.string(),
  kind: z.enum(['sign_in', 'key', 'grant']),
  keyId: z.string().nullable(),
  /** The label of the key; empty for the sign-in. */
  label: z.string(),
  agent: z.string().nullable(),
  /** When the key was created; null if unknown, or for the sign-in. */
  madeAtMs: z.number().nullable(),
  /** When the key, grant or sign-in expires; null: unknown. */
  endsAtMs: z.number().nullable(),
  /**
   * How certain `endsAtMs` is. exact: the service or the signed grant states it. at_latest: an upper bound, because a grant ends at the latest with
   * its key. unknown: no expiry is known.
   */
  sure: z.enum(['exact', 'at_latest', 'unknown']),
  /**
   * Where the expiry time comes from. untold: the service states no expiry. listed: the service's latest list. signed_here: a grant that the user
   * signed in this app. signed_elsewhere: a grant that was signed elsewhere, which ends with its key at the latest. signed_elsewhere_endless: the
   * same, but the key's own expiry is unknown.
   */
  source: z.enum(['untold', 'listed', 'signed_here', 'signed_elsewhere', 'signed_elsewhere_endless', 'sign_in']),
  level: z.enum(['ended', 'day', 'week', 'month', 'later', 'unknown']),
  /** The action that the app recommends to prevent the expiry; null if no action can. The key's page also offers rotating and extending the key. */
  action: z.object({ kind: z.enum(['sign_in', 'extend', 'renew_grant', 'show_key']), to: z.string() }).nullable(),
})
export type ExpiryItem = z.infer<typeof ExpiryItem>

export const expiry = {
  /**
   * Lists the API keys, grants and the sign-in that will expire, soonest first, followed by those with unknown expiry. Uses only data on this
   * computer, including the last key list.
   */
  'expiry.list': query(
    z.object({}),
    z.object({
      items: z.array(ExpiryItem),
      /** When the app last read the key list in this run of the app; null if not yet. */
      listedAtMs: z.number().nullable(),
      nowMs: z.number(),
      /** How many days before expiry the app notifies the user, largest first. 0: at expiry. */
      noticeDays: z.array(z.number()),
    }),
    'wallet',
  ),
  /** Saves an `.ics` calendar file with all known expiry times and reminders. The user chooses where. */
  'expiry.exportCalendar': command(z.object({}), z.object({ state: z.enum(['saved', 'cancelled']), path: z.string().nullable(), events: z.number().int() })),
} as const
