import { z } from 'zod'
import { limits } from '../../api/limits.ts'
import { command, query } from '../define.ts'
import { Failure } from '../failure.ts'
import { UnknownFields } from '../missing.ts'
import { Decimal } from './markets.ts'

/** Which of the service's tables that come in pages. */
export const HistoryTable = z.enum(['orders', 'trades', 'transactions', 'history'])
export type HistoryTable = z.infer<typeof HistoryTable>

/** Where an account was read. `public`: the unversioned routes, not a contract; `why`: what kept a key from being used. */
export const AccountSource = z.discriminatedUnion('route', [
  z.object({ route: z.literal('versioned'), keyLabel: z.string().nullable() }),
  z.object({ route: z.literal('public'), why: Failure.nullable() }),
])
export type AccountSource = z.infer<typeof AccountSource>

/** The address of a watch-only wallet of this profile; null: the connected wallet. */
export const Watch = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/)
  .nullable()

/** One row of any of the tables. What its table does not have, or the service did not tell, is null. Amounts in USDC, sizes in base units. */
export const HistoryRow = z.object({
  /** Stable, unique in its table. */
  key: z.string(),
  atMs: z.number().nullable(),
  pairId: z.number().int().nullable(),
  symbol: z.string().nullable(),
  side: z.string().nullable(),
  /** What it is or did, as the service says it: an order's type, an action, how a position was closed. */
  what: z.string().nullable(),
  state: z.string().nullable(),
  reason: z.string().nullable(),
  size: Decimal.nullable(),
  filledSize: Decimal.nullable(),
  entryPrice: Decimal.nullable(),
  /** Of an order or a trade; of a closed position: where it was closed. */
  price: Decimal.nullable(),
  valueUsdc: Decimal.nullable(),
  feeUsdc: Decimal.nullable(),
  realisedPnlUsdc: Decimal.nullable(),
  fundingUsdc: Decimal.nullable(),
  role: z.string().nullable(),
  tradeId: z.string().nullable(),
  orderId: z.string().nullable(),
  positionId: z.string().nullable(),
  clientOrderId: z.string().nullable(),
  intentId: z.string().nullable(),
  txHash: z.string().nullable(),
  /** The key that asked for it, where the service says so. */
  keyLabel: z.string().nullable(),
  /** This app's own intent behind it; null: it was asked for elsewhere, or the app cannot tell. */
  intentRef: z.string().nullable(),
  unknownFields: UnknownFields,
})
export type HistoryRow = z.infer<typeof HistoryRow>

const filter = {
  /** null: all. */
  symbol: z.string().max(200).nullable(),
  side: z.enum(['long', 'short']).nullable(),
  state: z.string().max(200).nullable(),
  /** Unix ms, from this moment on; a row without a time fits none. null: open. */
  fromMs: z.number().nullable(),
  /** Unix ms, before this moment. */
  toMs: z.number().nullable(),
  /** Looked for in the words and ids of a row; case does not matter. Empty: all. */
  text: z.string().max(200),
}
export const HistoryFilter = z.object(filter)
export type HistoryFilter = z.infer<typeof HistoryFilter>

const table = { watch: Watch, table: HistoryTable }
const reads = { invalidates: ['account.history'] } as const

/** All of them fail with `no_wallet` where none is connected, and with `not_found` for a wallet that is not watched. */
export const accountHistory = {
  /** What was read so far, newest first; reads the first page if nothing was. */
  'account.history': query(
    z.object({ ...table, ...filter, offset: z.number().int().min(0), limit: z.number().int().min(1).max(200) }),
    z.object({
      rows: z.array(HistoryRow),
      /** Place of the first of the rows among all that fit, from 0. */
      offset: z.number().int(),
      /** Rows that fit, of those read. */
      total: z.number().int(),
      /** Rows read, whatever the filter. */
      read: z.number().int(),
      /** Nothing that could fit is left to be read. */
      complete: z.boolean(),
      /** Older rows exist, and the service names no way to them: it repeats a cursor, or gives none. */
      cut: z.boolean(),
      /** The service lists rows, among those that were read, that the app cannot read. */
      unreadable: z.boolean(),
      /** Rows that arrived since and are held back. */
      newer: z.number().int(),
      /** All of the table is being read now. */
      reading: z.boolean(),
      /** Markets and states among the rows read. */
      symbols: z.array(z.string()),
      states: z.array(z.string()),
      source: AccountSource,
      readAtMs: z.number(),
    }),
    'wallet',
  ),
  /** Reads on, until rows came that fit or there are none left. */
  'account.readOlder': command(z.object({ ...table, ...filter }), z.object({ complete: z.boolean() }), reads),
  /** Reads what is newer. `show`: to be seen at once; else it is held back and counted. */
  'account.readNewer': command(z.object({ ...table, show: z.boolean() }), z.object({ newer: z.number().int() }), reads),
  /** Ends a reading of everything, by an export or a report; what was read stays. */
  'account.stopReading': command(z.object({ watch: Watch }), z.object({}), reads),
  /** Reads everything that fits, and writes it into a file that the user chooses. Progress by `read` of `account.history`. */
  'account.export': command(
    z.object({ ...table, ...filter, format: z.enum(['csv', 'json']) }),
    z.object({ state: z.enum(['saved', 'cancelled', 'stopped']), path: z.string().nullable(), rows: z.number().int() }),
    reads,
  ),
  /** Columns that the user does not want to see, as `trades.role`; kept per profile. */
  'account.columns': query(z.object({}), z.object({ hidden: z.array(z.string()) }), 'wallet'),
  'account.saveColumns': command(z.object({ hidden: z.array(z.string().max(40)).max(100) }), z.object({}), { invalidates: ['account.columns'] }),
  /**
   * The prepared `open_position` of the connected wallet with this client order id, as its row among the transactions; null: the service knows
   * none. Takes a key that may read the account: no public route tells it.
   */
  'account.findOrder': query(
    z.object({ clientOrderId: z.string().min(1).max(limits.clientOrderIdLength) }),
    z.object({ found: HistoryRow.nullable(), readAtMs: z.number() }),
    'wallet',
  ),
  /** Where a transaction stands, by the service. `tradeId`: the trade of it that is asked about. Takes a key that may read the account. */
  'account.finality': query(
    z.object({ txHash: z.string().regex(/^0x[0-9a-fA-F]{64}$/), tradeId: z.string().max(200).optional() }),
    z.object({
      /** As the service says it: PENDING, PENDING_FINALITY, REVERTED, FINAL, or another word. */
      finality: z.string().nullable(),
      confirmations: z.number().int().nullable(),
      blockNumber: z.number().int().nullable(),
      unknownFields: UnknownFields,
      readAtMs: z.number(),
    }),
    'wallet',
  ),
} as const

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
