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
  /** A secret was shown, copied, saved, handed over or given to a command. Of the app's own journal only. */
  'secret_used',
  /** A call made with a credential. Of the service's log only. */
  'call',
  'webhook',
  'other',
])
export type AuditKind = z.infer<typeof AuditKind>

export const AuditRow = z.object({
  /** Stable, unique over both sources. */
  id: z.string(),
  source: z.enum(['service', 'app']),
  atMs: z.number().nullable(),
  kind: AuditKind,
  /** The source's own word for it, for example `key.rotated`. */
  event: z.string(),
  /** Of a call or a payment, and of what earlier versions stored; empty where `shared/text/audit-text.ts` says the event. */
  title: z.string(),
  keyId: z.string().nullable(),
  label: z.string().nullable(),
  /** From where, as the service saw it. */
  ip: z.string().nullable(),
  requestId: z.string().nullable(),
  outcome: z.enum(['done', 'failed', 'unknown', 'waiting']).nullable(),
  detail: z.string().nullable(),
  /**
   * For a row of the service: here: this app made the call, by its request id. elsewhere: it did not, though it was keeping its log then.
   * unclear: it says no request id, or is older than this app's log. null for a row of the app.
   */
  origin: z.enum(['here', 'elsewhere', 'unclear']).nullable(),
  /** The row of the other source with the same request id, if there is one. */
  matches: z.string().nullable(),
})
export type AuditRow = z.infer<typeof AuditRow>

const filter = {
  keyId: z.string().nullable(),
  source: z.enum(['both', 'service', 'app']),
  /** Empty: all. */
  kinds: z.array(AuditKind).max(AuditKind.options.length),
  /** Looked for in event, label, key id, address, request id and detail; case does not matter. Empty: all. */
  text: z.string().max(200),
}
export const AuditFilter = z.object(filter)
export type AuditFilter = z.infer<typeof AuditFilter>

export const audit = {
  /** Asks the service for its log and keeps it, so that `audit.list` needs no call. Rows that the service forgets later stay. */
  'audit.refresh': command(z.object({}), z.object({ read: z.number().int(), fresh: z.number().int(), readAtMs: z.number() }), {
    invalidates: ['audit.list'],
  }),
  /** Newest first, of this computer alone: safe to ask on each letter typed. */
  'audit.list': query(
    z.object({ ...filter, offset: z.number().int().min(0), limit: z.number().int().min(1).max(200) }),
    z.object({
      rows: z.array(AuditRow),
      /** Place of the first of the rows among all that fit, counted from 0. */
      offset: z.number().int(),
      /** All rows that fit the filter. */
      total: z.number().int(),
      /** When the service's log was last read; null: never for this wallet. */
      readAtMs: z.number().nullable(),
    }),
    'wallet',
  ),
  /** Everything that fits the filter, into a file that the user chooses. */
  'audit.export': command(
    z.object({ ...filter, format: z.enum(['csv', 'json']) }),
    z.object({ state: z.enum(['saved', 'cancelled']), path: z.string().nullable(), rows: z.number().int() }),
  ),
} as const
