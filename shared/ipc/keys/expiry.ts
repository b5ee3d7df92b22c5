import { z } from 'zod'
import { command, query } from '../define.ts'

export const ExpiryItem = z.object({
  /** Stable for one thing and one end: `key:<id>`, `grant:<key id>`, `sign_in`. */
  id: z.string(),
  kind: z.enum(['sign_in', 'key', 'grant']),
  keyId: z.string().nullable(),
  /** Of the key; empty for the sign-in. */
  label: z.string(),
  /** Address of the agent, where it is known. */
  agent: z.string().nullable(),
  /** When its key was made; null: nobody said, or it has none. */
  madeAtMs: z.number().nullable(),
  /** null: nobody said. */
  endsAtMs: z.number().nullable(),
  /** exact: the service said it. at_latest: it ends with something whose end is known. unknown: neither. */
  sure: z.enum(['exact', 'at_latest', 'unknown']),
  /** Where the end comes from: `shared/text/expiry-text.ts` says it. */
  source: z.enum(['untold', 'listed', 'signed_here', 'signed_elsewhere', 'signed_elsewhere_endless', 'sign_in']),
  level: z.enum(['ended', 'day', 'week', 'month', 'later', 'unknown']),
  /** The one thing to do about it. `rotate` and `extend` are of the key's page; null where nothing helps. */
  action: z.object({ kind: z.enum(['sign_in', 'extend', 'renew_grant', 'show_key']), to: z.string() }).nullable(),
})
export type ExpiryItem = z.infer<typeof ExpiryItem>

export const expiry = {
  /** Soonest end first, unknown ends last. Of this computer alone; keys as they were last listed. */
  'expiry.list': query(
    z.object({}),
    z.object({
      items: z.array(ExpiryItem),
      /** When the keys were last listed in this run of the app; null: not yet. */
      listedAtMs: z.number().nullable(),
      nowMs: z.number(),
      /** Days before an end at which a notice is given, largest first; 0 is the end itself. */
      noticeDays: z.array(z.number()),
    }),
    'wallet',
  ),
  /** An `.ics` file of all known ends, with reminders, where the user chooses. */
  'expiry.exportCalendar': command(z.object({}), z.object({ state: z.enum(['saved', 'cancelled']), path: z.string().nullable(), events: z.number().int() })),
} as const
