import { z } from 'zod'
import { command, query } from '../define.ts'

export const ExpiryItem = z.object({
  /** Stable for each expiring item: `key:<id>`, `grant:<key id>`, `sign_in`. */
  id: z.string(),
  kind: z.enum(['sign_in', 'key', 'grant']),
  keyId: z.string().nullable(),
  /** The label of the key; empty for the sign-in. */
  label: z.string(),
  /** Address of the agent, if known. */
  agent: z.string().nullable(),
  /** When the key was created; null: unknown, or there is no key. */
  madeAtMs: z.number().nullable(),
  /** null: unknown. */
  endsAtMs: z.number().nullable(),
  /**
   * How certain `endsAtMs` is. exact: the service stated it. at_latest: an upper bound, because the item cannot outlive another item whose expiry is
   * known. unknown: neither.
   */
  sure: z.enum(['exact', 'at_latest', 'unknown']),
  /** How the app knows when the item expires. `shared/text/expiry-text.ts` has the words. */
  source: z.enum(['untold', 'listed', 'signed_here', 'signed_elsewhere', 'signed_elsewhere_endless', 'sign_in']),
  level: z.enum(['ended', 'day', 'week', 'month', 'later', 'unknown']),
  /** The action that the app recommends to prevent the expiry; null: no action can prevent it. The key's page also offers `rotate` and `extend`. */
  action: z.object({ kind: z.enum(['sign_in', 'extend', 'renew_grant', 'show_key']), to: z.string() }).nullable(),
})
export type ExpiryItem = z.infer<typeof ExpiryItem>

export const expiry = {
  /**
   * The API keys, grants and the sign-in that expire, soonest first, then those with an unknown expiry. Uses only data on this computer, including
   * the last list of keys.
   */
  'expiry.list': query(
    z.object({}),
    z.object({
      items: z.array(ExpiryItem),
      /** When the app last listed the keys in this run; null: not yet. */
      listedAtMs: z.number().nullable(),
      nowMs: z.number(),
      /** How many days before expiry the app notifies the user, largest first. 0: at expiry. */
      noticeDays: z.array(z.number()),
    }),
    'wallet',
  ),
  /** Saves an `.ics` file with all known expiry times and reminders. The user chooses the location. */
  'expiry.exportCalendar': command(z.object({}), z.object({ state: z.enum(['saved', 'cancelled']), path: z.string().nullable(), events: z.number().int() })),
} as const
