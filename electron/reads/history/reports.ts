import { redactText, safeJson } from '../../../shared/api/redact.ts'
import { csvTable } from '../../../shared/csv.ts'
import { add, subtract } from '../../../shared/decimal.ts'
import type { Failure } from '../../../shared/ipc/failure.ts'
import type { AccountReport, accountReport, HistoryFilter, HistoryRow, ReportBy, ReportLine, ReportSums } from '../../../shared/ipc/reads/account-history.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import { dialogWords, fileKind, incompleteText, tableHeadings } from '../../kernel/files/dialog-words.ts'
import type { SaveText } from '../../kernel/files/write-private.ts'
import type { Handlers } from '../../kernel/handlers.ts'
import type { ServiceClock } from '../../service/api/vital-signs.ts'
import type { Credentials } from '../../service/credentials/credentials.ts'
import type { AccountReader, Subject } from './account-reader.ts'
import type { HistoryRepositories } from './history-repository.ts'

export interface ReportsDeps {
  readonly reader: AccountReader
  readonly repositories: HistoryRepositories
  readonly credentials: Pick<Credentials, 'facts'>
  readonly saveText: SaveText
  readonly clock: ServiceClock
}

/**
 * The history tables that a report needs. A report by key also needs transactions and orders: a transaction names its key and its trades, and an
 * order shows which trade closed which position.
 */
const tablesOf = (by: ReportBy) => (by === 'key' ? (['trades', 'history', 'transactions', 'orders'] as const) : (['trades', 'history'] as const))
const cells = ({ name, realised, fees, funding, net, trades, closed, untold }: ReportLine): string[] => [
  name ?? '',
  ...[realised, fees, funding, net].map((sum) => sum ?? ''),
  ...[trades, closed, untold].map(String),
]

/** Earnings and costs by day, market and key. The report computes them from trades and closed positions. */
export function createReports({ reader, repositories, credentials, saveText, clock }: ReportsDeps) {
  const within = (fromMs: number | null): HistoryFilter => ({ symbol: null, side: null, state: null, fromMs, toMs: null, text: '' })
  const named = (row: HistoryRow): HistoryRow => (row.keyLabel === null ? row : { ...row, keyLabel: credentials.facts(row.keyLabel)?.label ?? row.keyLabel })

  const report = async (subject: Subject, by: ReportBy, fromMs: number | null): Promise<Result<AccountReport, Failure>> => {
    const tables = tablesOf(by)
    for (const table of tables) {
      const opened = await repositories.open(subject, table)
      if (!opened.ok) return opened
    }
    const views = tables.map((table) => repositories.whole(subject, table, within(fromMs)))
    const [trades, closed, transactions, orders] = views
    if (trades == null || closed == null) return fail({ kind: 'not_found', what: 'table' })
    const attributed =
      by === 'key'
        ? withKeys({
            trades: trades.rows,
            closed: closed.rows,
            transactions: transactions?.rows ?? [],
            orders: orders?.rows ?? [],
            complete: trades.complete && orders?.complete === true,
          })
        : { trades: trades.rows, closed: closed.rows }
    const since = [trades, closed].filter(({ complete, cut }) => !complete || cut).map(({ rows }) => rows.findLast(({ atMs }) => atMs !== null)?.atMs)
    return ok({
      ...(by === 'key' ? sumUp(attributed.trades.map(named), attributed.closed.map(named), by) : sumUp(attributed.trades, attributed.closed, by)),
      complete: views.every((view) => view?.complete === true),
      cut: views.some((view) => view?.cut === true),
      unreadable: views.some((view) => view?.unreadable === true),
      wholeFromMs: since.length === 0 ? null : Math.max(...since.map((atMs) => atMs ?? clock.now())),
      read: views.reduce((all, view) => all + (view?.read ?? 0), 0),
      source: trades.source,
      readAtMs: Math.min(trades.readAtMs, closed.readAtMs),
    })
  }

  const readAll = async (subject: Subject, by: ReportBy, fromMs: number | null): Promise<Result<{ complete: boolean }, Failure>> => {
    // Read the tables at the same time, because a report by key needs four, and the user waits for all of them.
    const reads = await Promise.all(
      tablesOf(by).map(async (table) => {
        const known = repositories.whole(subject, table, within(fromMs)) !== null
        const newest = known ? await repositories.newer(subject, table, false) : await repositories.open(subject, table)
        return newest.ok ? repositories.all(subject, table, within(fromMs)) : newest
      }),
    )
    const failed = reads.find(({ ok: isOk }) => !isOk)
    if (failed !== undefined && !failed.ok) return failed
    return ok({ complete: reads.every((read) => read.ok && read.value.complete) })
  }

  const handlers: Handlers<keyof typeof accountReport> = {
    'account.report': async ({ watch, by, fromMs }) => {
      const subject = reader.subject(watch)
      return subject.ok ? report(subject.value, by, fromMs) : subject
    },
    'account.readReport': async ({ watch, by, fromMs }) => {
      const subject = reader.subject(watch)
      return subject.ok ? readAll(subject.value, by, fromMs) : subject
    },
    'account.exportReport': async ({ watch, by, fromMs, format }) => {
      const subject = reader.subject(watch)
      if (!subject.ok) return subject
      const read = await readAll(subject.value, by, fromMs)
      if (!read.ok) return read
      if (!read.value.complete) return ok({ state: 'stopped', path: null, rows: 0, incomplete: false })
      const found = await report(subject.value, by, fromMs)
      if (!found.ok) return found
      const { lines, total } = found.value
      const incomplete = incompleteText(found.value)
      const { wallet } = subject.value
      const saved = await saveText(
        {
          ...dialogWords('exportReport'),
          kinds: [fileKind(format)],
          suggested: `svc-desk-report-by-${by}-${wallet.slice(2, 8)}-${new Date(clock.now()).toISOString().slice(0, 10)}${incomplete === null ? '' : '-incomplete'}.${format}`,
        },
        () =>
          format === 'csv'
            ? csvTable(
                [by, ...tableHeadings.report.slice(1)],
                [
                  ...lines.map((line) => cells(line).map(redactText)),
                  ...(incomplete === null ? [] : [[incomplete, ...tableHeadings.report.slice(1).map(() => '')]]),
                ],
              )
            : safeJson({ wallet, by, from: fromMs === null ? null : new Date(fromMs).toISOString(), lines, total, incomplete }),
      )
      if (!saved.ok) return saved
      return ok(
        saved.value === null
          ? { state: 'cancelled', path: null, rows: 0, incomplete: incomplete !== null }
          : { state: 'saved', path: saved.value, rows: lines.length, incomplete: incomplete !== null },
      )
    },
  }
  return { handlers }
}

const none: ReportSums = { realised: '0', fees: '0', funding: '0', net: null, trades: 0, closed: 0, untold: 0 }

const plus = (sum: string | null, amount: string | null): string | null => (sum === null || amount === null ? null : add(sum, amount))

function withTrade(sums: ReportSums, { feeUsdc }: HistoryRow): ReportSums {
  return { ...sums, fees: plus(sums.fees, feeUsdc), trades: sums.trades + 1, untold: sums.untold + Number(feeUsdc === null) }
}

function withClosed(sums: ReportSums, { realisedPnlUsdc, fundingUsdc }: HistoryRow): ReportSums {
  return {
    ...sums,
    realised: plus(sums.realised, realisedPnlUsdc),
    funding: plus(sums.funding, fundingUsdc),
    closed: sums.closed + 1,
    untold: sums.untold + Number(realisedPnlUsdc === null) + Number(fundingUsdc === null),
  }
}

const together = (a: ReportSums, b: ReportSums): ReportSums => ({
  realised: plus(a.realised, b.realised),
  fees: plus(a.fees, b.fees),
  funding: plus(a.funding, b.funding),
  net: null,
  trades: a.trades + b.trades,
  closed: a.closed + b.closed,
  untold: a.untold + b.untold,
})

function concluded(sums: ReportSums): ReportSums {
  const { fees, realised, funding } = sums
  return { ...sums, net: fees === null || realised === null || funding === null ? null : subtract(add(realised, funding), fees) }
}

const nameBy: Readonly<Record<ReportBy, (row: HistoryRow) => string | null>> = {
  day: ({ atMs }) => (atMs === null ? null : new Date(atMs).toISOString().slice(0, 10)),
  market: ({ symbol }) => symbol,
  key: ({ keyLabel }) => keyLabel,
}

/**
 * Computes exact sums in USDC: the fees of trades, and the results and funding of closed positions. Groups by day (UTC) are sorted newest first.
 * Other groups are sorted by name, with rows without a name last.
 */
export function sumUp(
  trades: readonly HistoryRow[],
  closed: readonly HistoryRow[],
  by: ReportBy,
): { readonly lines: ReportLine[]; readonly total: ReportSums } {
  const groups = new Map<string | null, ReportSums>()
  const put = (row: HistoryRow, change: (sums: ReportSums, row: HistoryRow) => ReportSums) => {
    const name = nameBy[by](row)
    groups.set(name, change(groups.get(name) ?? none, row))
  }
  for (const row of trades) put(row, withTrade)
  for (const row of closed) put(row, withClosed)
  const order = (a: string, b: string) => (by === 'day' ? b.localeCompare(a, 'en') : a.localeCompare(b, 'en'))
  const lines = [...groups]
    .sort(([a], [b]) => (a === null || b === null ? Number(a === null) - Number(b === null) : order(a, b)))
    .map(([name, sums]) => ({ name, ...concluded(sums) }))
  return { lines, total: concluded([...groups.values()].reduce(together, none)) }
}

interface Rows {
  readonly trades: readonly HistoryRow[]
  readonly closed: readonly HistoryRow[]
}

interface ReportRows extends Rows {
  readonly transactions: readonly HistoryRow[]
  readonly orders: readonly HistoryRow[]
  /** True if the app has read every trade and order that matters for the report. */
  readonly complete: boolean
}

const onlyKey = (rows: readonly HistoryRow[]): string | null => {
  const [first] = rows
  return first !== undefined && rows.every(({ keyLabel }) => keyLabel === first.keyLabel) ? first.keyLabel : null
}

const grouped = (rows: readonly HistoryRow[], nameOf: (row: HistoryRow) => string | null): ReadonlyMap<string, readonly HistoryRow[]> => {
  const groups = new Map<string, HistoryRow[]>()
  for (const row of rows) {
    const name = nameOf(row)
    if (name === null) continue
    const group = groups.get(name)
    if (group === undefined) groups.set(name, [row])
    else group.push(row)
  }
  return groups
}

const isLiquidation = ({ what }: HistoryRow): boolean => what?.toLowerCase().includes('liquid') ?? false

/**
 * Finds out which API key requested each trade and each closed position, using only data from the service.
 * A trade: the key that the trade names, else the key of its transaction.
 * A closed position: the key that the position names, else the key of its transaction, else the key of its trades. The last source counts only if all
 * trades of the position were read and have the same key. A trade belongs to the position that the trade, or its order, names.
 * If no source names a key, the row gets no key.
 */
export function withKeys({ trades, closed, transactions, orders, complete }: ReportRows): Rows {
  const byTransaction = grouped(transactions, ({ txHash }) => txHash)
  const keyed = (row: HistoryRow, key: string | null): HistoryRow => (key === null ? row : { ...row, keyLabel: key })
  const ofTransaction = ({ keyLabel, txHash }: HistoryRow) => keyLabel ?? (txHash === null ? null : onlyKey(byTransaction.get(txHash) ?? []))
  const namedTrades = trades.map((trade) => keyed(trade, ofTransaction(trade)))
  const byHash = grouped(namedTrades, ({ txHash }) => txHash)
  const orderOf = new Map(orders.map((order) => [order.orderId, order]))
  const byPosition = grouped(namedTrades, ({ positionId, orderId }) => positionId ?? (orderId === null ? null : (orderOf.get(orderId)?.positionId ?? null)))
  // Markets with a trade whose position is unknown. Such a trade may belong to any position in its market.
  const loose = new Set(namedTrades.flatMap(({ positionId, orderId, pairId }) => (positionId !== null || orderOf.has(orderId) ? [] : [pairId])))
  const mayBeOfAnother = (pairId: number | null): boolean => loose.has(null) || (pairId === null ? loose.size > 0 : loose.has(pairId))
  const ofTrades = ({ txHash, positionId, pairId }: HistoryRow): string | null =>
    (txHash === null ? null : onlyKey(byHash.get(txHash) ?? [])) ??
    (positionId === null || !complete || mayBeOfAnother(pairId) ? null : onlyKey(byPosition.get(positionId) ?? []))
  return {
    trades: namedTrades,
    closed: closed.map((row) => keyed(row, ofTransaction(row) ?? (isLiquidation(row) ? null : ofTrades(row)))),
  }
}
