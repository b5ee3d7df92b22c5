import { add, subtract } from '../../../shared/decimal.ts'
import type { HistoryRow } from '../../../shared/ipc/reads/account-history.ts'
import type { ReportBy, ReportLine, ReportSums } from '../../../shared/ipc/reads/account-report.ts'

const none: ReportSums = { realised: '0', fees: '0', funding: '0', net: null, trades: 0, closed: 0, untold: 0 }

/** A sum with a part that is not known is not known. */
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

function concluded(sums: ReportSums): ReportSums {
  const { fees, realised, funding } = sums
  return { ...sums, net: fees === null || realised === null || funding === null ? null : subtract(add(realised, funding), fees) }
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
