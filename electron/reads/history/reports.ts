import { redactText, safeJson } from '../../../shared/api/redact.ts'
import { csvTable } from '../../../shared/csv.ts'
import type { Failure } from '../../../shared/ipc/failure.ts'
import type { HistoryFilter, HistoryRow } from '../../../shared/ipc/reads/account-history.ts'
import type { AccountReport, ReportBy, ReportLine } from '../../../shared/ipc/reads/account-report.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import type { SaveText } from '../../kernel/files/save-text.ts'
import type { Handlers } from '../../kernel/handlers.ts'
import type { ServiceClock } from '../../service/api/service-clock.ts'
import type { Credentials } from '../../service/credentials/credentials.ts'
import type { AccountReader, Subject } from './account-reader.ts'
import type { HistoryBooks } from './history-book.ts'
import { sumUp } from './report-sums.ts'
import { withKeys } from './rows-by-key.ts'

export interface ReportsDeps {
  readonly reader: AccountReader
  readonly books: HistoryBooks
  readonly credentials: Pick<Credentials, 'facts'>
  readonly saveText: SaveText
  readonly clock: ServiceClock
}

/** What a report is made of. Which key asked is said of transactions, which lead to trades; orders lead from those to what they closed. */
const tablesOf = (by: ReportBy) => (by === 'key' ? (['trades', 'history', 'transactions', 'orders'] as const) : (['trades', 'history'] as const))
const columns = ['name', 'realised usdc', 'fees usdc', 'funding usdc', 'net usdc', 'trades', 'closed', 'amounts not told'] as const
const cells = ({ name, realised, fees, funding, net, trades, closed, untold }: ReportLine): string[] => [
  name ?? '',
  ...[realised, fees, funding, net].map((sum) => sum ?? ''),
  ...[trades, closed, untold].map(String),
]

/** What was earned and paid: by day, market and key, from trades and closed positions. */
export function createReports({ reader, books, credentials, saveText, clock }: ReportsDeps) {
  const within = (fromMs: number | null): HistoryFilter => ({ symbol: null, side: null, state: null, fromMs, toMs: null, text: '' })
  const named = (row: HistoryRow): HistoryRow => (row.keyLabel === null ? row : { ...row, keyLabel: credentials.facts(row.keyLabel)?.label ?? row.keyLabel })

  const report = async (subject: Subject, by: ReportBy, fromMs: number | null): Promise<Result<AccountReport, Failure>> => {
    const tables = tablesOf(by)
    for (const table of tables) {
      const opened = await books.open(subject, table)
      if (!opened.ok) return opened
    }
    const views = tables.map((table) => books.whole(subject, table, within(fromMs)))
    const [trades, closed, transactions, orders] = views
    if (trades == null || closed == null) return fail({ kind: 'not_found', what: 'table' })
    const attributed = withKeys({
      trades: trades.rows,
      closed: closed.rows,
      transactions: transactions?.rows ?? [],
      orders: orders?.rows ?? [],
      complete: trades.complete && orders?.complete === true,
    })
    return ok({
      ...sumUp(attributed.trades.map(named), attributed.closed.map(named), by),
      complete: views.every((view) => view?.complete === true),
      cut: views.some((view) => view?.cut === true),
      unreadable: views.some((view) => view?.unreadable === true),
      read: views.reduce((all, view) => all + (view?.read ?? 0), 0),
      source: trades.source,
      readAtMs: Math.min(trades.readAtMs, closed.readAtMs),
    })
  }

  const readAll = async (subject: Subject, by: ReportBy, fromMs: number | null): Promise<Result<{ complete: boolean }, Failure>> => {
    let complete = true
    for (const table of tablesOf(by)) {
      const known = books.whole(subject, table, within(fromMs)) !== null
      const newest = known ? await books.newer(subject, table, false) : await books.open(subject, table)
      if (!newest.ok) return newest
      const read = await books.all(subject, table, within(fromMs))
      if (!read.ok) return read
      complete &&= read.value.complete
      if (!complete) break
    }
    return ok({ complete })
  }

  const handlers: Handlers<'account.report' | 'account.readReport' | 'account.exportReport'> = {
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
      if (!read.value.complete) return ok({ state: 'stopped', path: null, rows: 0 })
      const found = await report(subject.value, by, fromMs)
      if (!found.ok) return found
      const { lines, total } = found.value
      const { wallet } = subject.value
      const saved = await saveText(
        {
          title: 'Export the report',
          button: 'Export',
          kinds: [format === 'csv' ? { name: 'Table', extensions: ['csv'] } : { name: 'JSON', extensions: ['json'] }],
          suggested: `svc-desk-report-by-${by}-${wallet.slice(2, 8)}-${new Date(clock.now()).toISOString().slice(0, 10)}.${format}`,
        },
        () =>
          format === 'csv'
            ? csvTable(
                [by, ...columns.slice(1)],
                lines.map((line) => cells(line).map(redactText)),
              )
            : safeJson({ wallet, by, from: fromMs === null ? null : new Date(fromMs).toISOString(), lines, total }),
      )
      if (!saved.ok) return saved
      return ok(saved.value === null ? { state: 'cancelled', path: null, rows: 0 } : { state: 'saved', path: saved.value, rows: lines.length })
    },
  }
  return { handlers }
}
