import { z } from 'zod'
import { command, query } from '../define.ts'

export const AuditKind = z.enum([
  'sign_in',
  'key_created',
  'key_rotated',
  'key_revoked',
  'expiry_changed',
  'agent',
  'executor',
  'payment',
  /** A secret was shown, copied, saved, handed over or given to a command. Only in the app's own journal. */
  'secret_used',
  /** A call with an API key or a sign-in. Only the service's log contains such rows. */
  'call',
  'webhook',
  'other',
])
export type AuditKind = z.infer<typeof AuditKind>

export const AuditRow = z.object({
  /** Stable, and unique across both sources. */
  id: z.string(),
  source: z.enum(['service', 'app']),
  atMs: z.number().nullable(),
  kind: AuditKind,
  /** The event's name in its source, for example `key.rotated`. */
  event: z.string(),
  /** The title of a call or payment, or one that an earlier version stored; empty if `shared/text/audit-text.ts` has words for the event. */
  title: z.string(),
  keyId: z.string().nullable(),
  label: z.string().nullable(),
  /** The IP address of the caller, as the service saw it. */
  ip: z.string().nullable(),
  requestId: z.string().nullable(),
  outcome: z.enum(['done', 'failed', 'unknown', 'waiting']).nullable(),
  detail: z.string().nullable(),
  /**
   * Who made the call. here: this app, which has logged the same request id. elsewhere: not this app, since its log of that time does not contain the
   * call. unclear: the row has no request id, or is older than this app's log. null: the row comes from the app's own journal.
   */
  origin: z.enum(['here', 'elsewhere', 'unclear']).nullable(),
  /** The id of the matching row in the other source (the app's journal or the service's log): the one with the same request id, if any. */
  matches: z.string().nullable(),
})
export type AuditRow = z.infer<typeof AuditRow>

const filter = {
  keyId: z.string().nullable(),
  source: z.enum(['both', 'service', 'app']),
  /** Empty: all. */
  kinds: z.array(AuditKind).max(AuditKind.options.length),
  /** Searched in event, label, key id, address, request id and detail, ignoring case. Empty: all rows. */
  text: z.string().max(200),
}
export const AuditFilter = z.object(filter)
export type AuditFilter = z.infer<typeof AuditFilter>

export const audit = {
  /** Reads the service's log and saves it, so that `audit.list` needs no call. Saved rows stay even if the service deletes them later. */
  'audit.refresh': command(z.object({}), z.object({ read: z.number().int(), fresh: z.number().int(), readAtMs: z.number() }), {
    invalidates: ['audit.list'],
  }),
  /** Newest first, from data on this computer only. Fast enough to run on every keystroke. */
  'audit.list': query(
    z.object({ ...filter, offset: z.number().int().min(0), limit: z.number().int().min(1).max(200) }),
    z.object({
      rows: z.array(AuditRow),
      /** Position of the first returned row among all matching rows, from 0. */
      offset: z.number().int(),
      /** Number of rows that match the filter. */
      total: z.number().int(),
      /** When the app last read the log of the service; null: never for this wallet. */
      readAtMs: z.number().nullable(),
    }),
    'wallet',
  ),
  /** Saves all matching rows to a file that the user chooses. */
  'audit.export': command(
    z.object({ ...filter, format: z.enum(['csv', 'json']) }),
    z.object({ state: z.enum(['saved', 'cancelled']), path: z.string().nullable(), rows: z.number().int() }),
  ),
} as const
