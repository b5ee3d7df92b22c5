import { z } from 'zod'
import { command, query } from '../define.ts'
import { AccountSource, Watch } from './account-history.ts'
import { Decimal } from './markets.ts'

export const ReportBy = z.enum(['day', 'market', 'key'])
export type ReportBy = z.infer<typeof ReportBy>

/** Sums in USDC, exact. null: the service told none of the amounts. */
export const ReportSums = z.object({
  realised: Decimal.nullable(),
  fees: Decimal.nullable(),
  funding: Decimal.nullable(),
  /** Realised and funding, less fees; null where one of them is. */
  net: Decimal.nullable(),
  trades: z.number().int(),
  closed: z.number().int(),
  /** Amounts that the service did not tell: a sum that lacks one is null. */
  untold: z.number().int(),
})
export type ReportSums = z.infer<typeof ReportSums>

export const ReportLine = ReportSums.extend({
  /** A day of UTC as `2026-11-22`, a market, or a key; null: the service does not say which. */
  name: z.string().nullable(),
})
export type ReportLine = z.infer<typeof ReportLine>

export const AccountReport = z.object({
  lines: z.array(ReportLine),
  total: ReportSums,
  /** Everything of the span was read. */
  complete: z.boolean(),
  /** Older rows exist that the service names no way to: they are not in the sums. */
  cut: z.boolean(),
  /** The service lists rows that the app cannot read: they are not in the sums. */
  unreadable: z.boolean(),
  /** Rows of trades and closed positions read so far. */
  read: z.number().int(),
  source: AccountSource,
  readAtMs: z.number(),
})
export type AccountReport = z.infer<typeof AccountReport>

const span = { watch: Watch, by: ReportBy, /** Unix ms; null: from the beginning. */ fromMs: z.number().nullable() }

/** From trades (fees) and closed positions (realised, funding), as far as they were read. */
export const accountReport = {
  'account.report': query(z.object(span), AccountReport, 'wallet'),
  /** Reads all that the span takes. `account.stopReading` ends it. */
  'account.readReport': command(z.object(span), z.object({ complete: z.boolean() }), {
    invalidates: ['account.report', 'account.history'],
  }),
  'account.exportReport': command(
    z.object({ ...span, format: z.enum(['csv', 'json']) }),
    z.object({ state: z.enum(['saved', 'cancelled', 'stopped']), path: z.string().nullable(), rows: z.number().int() }),
    { invalidates: ['account.report', 'account.history'] },
  ),
} as const
