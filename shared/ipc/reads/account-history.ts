import { z } from 'zod'
import { limits } from '../../api/limits.ts'
import { command, query } from '../define.ts'
import { Failure } from '../failure.ts'
import { UnknownFields } from '../missing.ts'
import { Decimal } from './markets.ts'

/** A table that the service returns in pages. */
export const HistoryTable = z.enum(['orders', 'trades', 'transactions', 'history'])
export type HistoryTable = z.infer<typeof HistoryTable>

/**
 * How the app read an account: by versioned routes with an API key, or by the unversioned `public` routes, which the service may change at any time.
 * `why`: why the app could not use a key.
 */
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

/**
 * One row of any history table. A field is null if the table has no such column, or if the service did not state the value. Amounts are in USDC,
 * sizes in base units.
 */
export const HistoryRow = z.object({
  /** Id of the row. It never changes, and is unique in its table. */
  key: z.string(),
  atMs: z.number().nullable(),
  pairId: z.number().int().nullable(),
  symbol: z.string().nullable(),
  side: z.string().nullable(),
  /** What the row is, in the service's words: the type of an order, an action, or how a position was closed. */
  what: z.string().nullable(),
  state: z.string().nullable(),
  reason: z.string().nullable(),
  size: Decimal.nullable(),
  filledSize: Decimal.nullable(),
  entryPrice: Decimal.nullable(),
  /** The price of an order or trade; for a closed position, the closing price. */
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
  /** Label of the key with which the action was requested, if the service states it. */
  keyLabel: z.string().nullable(),
  /** The intent of this app that caused the row; null if the action was requested elsewhere, or if this is unknown. */
  intentRef: z.string().nullable(),
  unknownFields: UnknownFields,
})
export type HistoryRow = z.infer<typeof HistoryRow>

const filter = {
  /** Only rows about this market; null: rows about all markets. */
  symbol: z.string().max(200).nullable(),
  side: z.enum(['long', 'short']).nullable(),
  state: z.string().max(200).nullable(),
  /** Start of the period in Unix ms, inclusive. If set, rows without a time are left out. null: no limit. */
  fromMs: z.number().nullable(),
  /** End of the period in Unix ms, exclusive; null: no limit. */
  toMs: z.number().nullable(),
  /** Search text, compared with the words and ids of each row, ignoring case. Empty: all rows. */
  text: z.string().max(200),
}
export const HistoryFilter = z.object(filter)
export type HistoryFilter = z.infer<typeof HistoryFilter>

const table = { watch: Watch, table: HistoryTable }
const reads = { invalidates: ['account.history'] } as const

/**
 * Queries about the account's history. They fail with `no_wallet` if no wallet is connected, and with `not_found` for a wallet that is not watched.
 */
/** What became of an export. `incomplete`: rows are missing, as the file's last row says. */
const exported = z.object({ state: z.enum(['saved', 'cancelled', 'stopped']), path: z.string().nullable(), rows: z.number().int(), incomplete: z.boolean() })

export const accountHistory = {
  /** Returns the rows that the app has read so far, newest first. If there are none yet, reads the first page. */
  'account.history': query(
    z.object({ ...table, ...filter, offset: z.number().int().min(0), limit: z.number().int().min(1).max(200) }),
    z.object({
      rows: z.array(HistoryRow),
      /** Index of the first returned row among all matching rows, starting at 0. */
      offset: z.number().int(),
      /** Number of matching rows among the rows read so far. */
      total: z.number().int(),
      /** Number of rows read so far, including rows that do not match the filter. */
      read: z.number().int(),
      /** true: the app has read every row that could match the filter. */
      complete: z.boolean(),
      /** true: there are older rows that the app cannot read, because the service repeats a page cursor or sends none. */
      cut: z.boolean(),
      /** true: some of the rows read so far are unreadable. */
      unreadable: z.boolean(),
      /** Number of newer rows that the app has read but that `rows` does not contain. */
      newer: z.number().int(),
      /** true: the app is reading the whole table. */
      reading: z.boolean(),
      /** The symbols of all markets in the rows read so far. `states` lists the states in these rows. */
      symbols: z.array(z.string()),
      states: z.array(z.string()),
      source: AccountSource,
      readAtMs: z.number(),
    }),
    'wallet',
  ),
  /** Reads older pages until it finds a matching row, or until there are no more pages. */
  'account.readOlder': command(z.object({ ...table, ...filter }), z.object({ complete: z.boolean() }), reads),
  /** Reads rows that are newer than those shown. `show` true: adds the newer rows to the list. false: only counts them. */
  'account.readNewer': command(z.object({ ...table, show: z.boolean() }), z.object({ newer: z.number().int() }), reads),
  /** Stops an export or report that is still reading rows. Rows read so far are kept. */
  'account.stopReading': command(z.object({ watch: Watch }), z.object({}), reads),
  /** Reads all matching rows, and saves them to a file that the user chooses. `account.history` shows the progress in `read`. */
  'account.export': command(z.object({ ...table, ...filter, format: z.enum(['csv', 'json']) }), exported, reads),
  /** Columns that the user hides, such as `trades.role`; saved per profile. */
  'account.columns': query(z.object({}), z.object({ hidden: z.array(z.string()) }), 'wallet'),
  'account.saveColumns': command(z.object({ hidden: z.array(z.string().max(40)).max(100) }), z.object({}), { invalidates: ['account.columns'] }),
  /**
   * Finds the connected wallet's `open_position` with this client order id. Returns it as a row of the `transactions` table; null if the service has
   * none. Needs a key with the scope to read the account, because no public route offers this.
   */
  'account.findOrder': query(
    z.object({ clientOrderId: z.string().min(1).max(limits.clientOrderIdLength) }),
    z.object({ found: HistoryRow.nullable(), readAtMs: z.number() }),
    'wallet',
  ),
  /**
   * Returns a transaction's finality, as the service states it. `tradeId`: only one trade of the transaction. Needs a key with the scope to read the
   * account.
   */
  'account.finality': query(
    z.object({ txHash: z.string().regex(/^0x[0-9a-fA-F]{64}$/), tradeId: z.string().max(200).optional() }),
    z.object({
      /** The finality in the service's words: PENDING, PENDING_FINALITY, REVERTED, FINAL, or another word. */
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

/** Exact sums in USDC. A sum is null if the service did not state every amount in it. */
export const ReportSums = z.object({
  realised: Decimal.nullable(),
  fees: Decimal.nullable(),
  funding: Decimal.nullable(),
  /** Realised profit plus funding minus fees; null if any of these amounts is null. */
  net: Decimal.nullable(),
  trades: z.number().int(),
  closed: z.number().int(),
  /** Number of amounts that the service did not state. A sum is null if one of its amounts is missing. */
  untold: z.number().int(),
})
export type ReportSums = z.infer<typeof ReportSums>

export const ReportLine = ReportSums.extend({
  /** What the sums of this line cover: a UTC day such as `2026-11-22`, a market or a key. null: rows without a stated day, market or key. */
  name: z.string().nullable(),
})
export type ReportLine = z.infer<typeof ReportLine>

export const AccountReport = z.object({
  lines: z.array(ReportLine),
  total: ReportSums,
  /** true: the app has read all rows of the period. */
  complete: z.boolean(),
  /** true: there are older rows that cannot be read, so the sums leave them out. */
  cut: z.boolean(),
  /** true: some rows are unreadable, so the sums leave them out. */
  unreadable: z.boolean(),
  /** The sums contain all amounts since this time in Unix ms, except those of unreadable rows. null: all amounts of the period. */
  wholeFromMs: z.number().nullable(),
  /** Number of rows of trades and closed positions read so far. */
  read: z.number().int(),
  source: AccountSource,
  readAtMs: z.number(),
})
export type AccountReport = z.infer<typeof AccountReport>

const span = { watch: Watch, by: ReportBy, /** Start of the period in Unix ms; null: from the account's first row. */ fromMs: z.number().nullable() }

/**
 * Profit and loss by day, market or key. The app adds up the rows read so far: fees from trades, realised profit and funding from closed positions.
 */
export const accountReport = {
  'account.report': query(z.object(span), AccountReport, 'wallet'),
  /** Reads all rows of the period. `account.stopReading` stops the reading. */
  'account.readReport': command(z.object(span), z.object({ complete: z.boolean() }), {
    invalidates: ['account.report', 'account.history'],
  }),
  'account.exportReport': command(z.object({ ...span, format: z.enum(['csv', 'json']) }), exported, { invalidates: ['account.report', 'account.history'] }),
} as const
