import { add, subtract } from '../../shared/decimal.ts'
import type { HistoryRow } from '../../shared/ipc/account-history.ts'
import type { ReportBy, ReportLine, ReportSums } from '../../shared/ipc/account-report.ts'

const none: ReportSums = { realised: null, fees: null, funding: null, net: null, trades: 0, closed: 0, untold: 0 }

/** A sum of what was told; null as long as nothing was. */
const plus = (sum: string | null, amount: string | null): string | null => (amount === null ? sum : add(sum ?? '0', amount))

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

/** With nothing traded no fee was paid, and with nothing closed nothing was realised; what happened and was not told stays unknown. */
function concluded(sums: ReportSums): ReportSums {
  const fees = sums.trades === 0 ? '0' : sums.fees
  const realised = sums.closed === 0 ? '0' : sums.realised
  const funding = sums.closed === 0 ? '0' : sums.funding
  const net = fees === null || realised === null || funding === null ? null : subtract(add(realised, funding), fees)
  return { ...sums, fees, realised, funding, net }
}

const nameBy: Readonly<Record<ReportBy, (row: HistoryRow) => string | null>> = {
  day: ({ atMs }) => (atMs === null ? null : new Date(atMs).toISOString().slice(0, 10)),
  market: ({ symbol }) => symbol,
  key: ({ keyLabel }) => keyLabel,
}

/** Fees of trades, results and funding of closed positions: exact sums in USDC. Days of UTC, newest first; others by name, what has none last. */
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
  const total = concluded(closed.reduce(withClosed, trades.reduce(withTrade, none)))
  return { lines, total }
}
