import { z } from 'zod'
import { command, query } from '../define.ts'

export const ExpiryItem = z.object({
  /** Stable for one thing and one end: `key:<id>`, `grant:<key id>`, `sign_in`. */
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
  /** exact: the service stated the end. at_latest: it ends together with something whose end is known. unknown: neither. */
  sure: z.enum(['exact', 'at_latest', 'unknown']),
  /** How the app knows the end. `shared/text/expiry-text.ts` has the words. */
  source: z.enum(['untold', 'listed', 'signed_here', 'signed_elsewhere', 'signed_elsewhere_endless', 'sign_in']),
  level: z.enum(['ended', 'day', 'week', 'month', 'later', 'unknown']),
  /** The recommended action. `rotate` and `extend` are on the page of the key; null if nothing helps. */
  action: z.object({ kind: z.enum(['sign_in', 'extend', 'renew_grant', 'show_key']), to: z.string() }).nullable(),
})
export type ExpiryItem = z.infer<typeof ExpiryItem>

export const expiry = {
  /** Soonest end first, unknown ends last. Uses only data on this computer; keys as last listed. */
  'expiry.list': query(
    z.object({}),
    z.object({
      items: z.array(ExpiryItem),
      /** When the app last listed the keys in this run; null: not yet. */
      listedAtMs: z.number().nullable(),
      nowMs: z.number(),
      /** Days before an end at which the app gives notice, largest first; 0 is the end itself. */
      noticeDays: z.array(z.number()),
    }),
    'wallet',
  ),
  /** Saves an `.ics` file with all known ends and reminders where the user chooses. */
  'expiry.exportCalendar': command(z.object({}), z.object({ state: z.enum(['saved', 'cancelled']), path: z.string().nullable(), events: z.number().int() })),
} as const
