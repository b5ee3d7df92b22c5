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
  /**
   * The app showed or copied a secret, saved it to a file, or passed it to a program. Audit rows of this kind come only from the app's own journal.
   */
  'secret_used',
  /** A call with an API key or a sign-in. Audit rows of this kind come only from the service's log. */
  'call',
  'webhook',
  'other',
])
export type AuditKind = z.infer<typeof AuditKind>

export const AuditRow = z.object({
  /** Id that never changes and is unique in both the service's log and the app's journal. */
  id: z.string(),
  source: z.enum(['service', 'app']),
  atMs: z.number().nullable(),
  kind: AuditKind,
  /** The event's name in the service's log or the app's journal, for example `key.rotated`. */
  event: z.string(),
  /**
   * The title of a call or payment, or a title stored by an earlier version of the app. Empty if `shared/text/audit-text.ts` has a text for the
   * event.
   */
  title: z.string(),
  keyId: z.string().nullable(),
  label: z.string().nullable(),
  /** The IP address of the caller, as the service saw it. */
  ip: z.string().nullable(),
  requestId: z.string().nullable(),
  outcome: z.enum(['done', 'failed', 'unknown', 'waiting']).nullable(),
  detail: z.string().nullable(),
  /**
   * Who made the call. here: this app, because its own log has a request with the same id. elsewhere: another program, because this app's log covers
   * that time but does not contain the request id. unclear: the row has no request id, or is older than this app's log. null: the row comes from the
   * app's own journal.
   */
  origin: z.enum(['here', 'elsewhere', 'unclear']).nullable(),
  /**
   * In the other source (the app's journal or the service's log), the id of the row about the same request. null if no row there has the same request
   * id.
   */
  matches: z.string().nullable(),
})
export type AuditRow = z.infer<typeof AuditRow>

const filter = {
  keyId: z.string().nullable(),
  source: z.enum(['both', 'service', 'app']),
  /** Only rows of these kinds. Empty: rows of all kinds. */
  kinds: z.array(AuditKind).max(AuditKind.options.length),
  /**
   * false: the list leaves out calls that this app made itself (kind `call`, origin `here`). It keeps calls of unclear origin, because another
   * program may have made them.
   */
  ownCalls: z.boolean(),
  /** Search text, compared with event, label, key id, address, request id and detail, ignoring case. Empty: all rows. */
  text: z.string().max(200),
}
export const AuditFilter = z.object(filter)
export type AuditFilter = z.infer<typeof AuditFilter>

export const audit = {
  /** Reads the service's log and stores it, so that `audit.list` needs no request. Stored rows remain even if the service deletes them later. */
  'audit.refresh': command(z.object({}), z.object({ read: z.number().int(), fresh: z.number().int(), readAtMs: z.number() }), {
    invalidates: ['audit.list'],
  }),
  /** Lists the rows that match the filter, newest first. Uses only data on this computer, so it is fast enough to run on every keystroke. */
  'audit.list': query(
    z.object({ ...filter, offset: z.number().int().min(0), limit: z.number().int().min(1).max(200) }),
    z.object({
      rows: z.array(AuditRow),
      /** Index of the first returned row among all matching rows, starting at 0. */
      offset: z.number().int(),
      total: z.number().int(),
      /** When the app last read the service's log for this wallet; null if never. */
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
