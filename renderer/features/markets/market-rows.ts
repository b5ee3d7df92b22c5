import { add, compare } from '../../../shared/decimal.ts'
import type { Market, MarketSummary } from '../../../shared/ipc/reads/markets.ts'

/** One line of the table: a market of the catalogue with its last known values. */
export interface MarketRow {
  readonly market: Market
  readonly summary: MarketSummary | null
}

export const sortKeys = ['symbol', 'mark', 'change', 'volume', 'interest', 'funding', 'next'] as const
export type SortKey = (typeof sortKeys)[number]

export interface SortOrder {
  readonly key: SortKey
  readonly down: boolean
}

/** The first sort direction of each column: names from A to Z, the next payment soonest first, other numbers largest first. */
export const firstOrder = (key: SortKey): SortOrder => ({ key, down: key !== 'symbol' && key !== 'next' })

export function marketRows(markets: readonly Market[], summaries: readonly MarketSummary[]): MarketRow[] {
  const byId = new Map(summaries.map((summary) => [summary.id, summary]))
  return markets.map((market) => ({ market, summary: byId.get(market.id) ?? null }))
}

/** Whether a market's name or base contains the typed text. Ignores case. */
export const matches = ({ symbol, base }: Market, typed: string): boolean => `${symbol} ${base}`.toLowerCase().includes(typed.trim().toLowerCase())

/** Long and short open interest together; `null` if either is missing. */
export const wholeInterest = (summary: Pick<MarketSummary, 'openInterestLongUsdc' | 'openInterestShortUsdc'> | null): string | null =>
  summary?.openInterestLongUsdc == null || summary.openInterestShortUsdc == null ? null : add(summary.openInterestLongUsdc, summary.openInterestShortUsdc)

const numberOf: Readonly<Record<Exclude<SortKey, 'symbol'>, (row: MarketRow) => string | null>> = {
  mark: ({ summary }) => summary?.mark ?? null,
  change: ({ summary }) => summary?.change24h ?? null,
  volume: ({ summary }) => summary?.volume24hUsdc ?? null,
  interest: ({ summary }) => wholeInterest(summary),
  funding: ({ summary }) => summary?.fundingRate ?? null,
  next: ({ summary }) => (summary?.nextFundingAtMs == null ? null : String(Math.round(summary.nextFundingAtMs))),
}

/** The ids of the markets in the chosen sort order. Missing values come last in both directions; markets with equal values sort by name. */
export function orderOf(rows: readonly MarketRow[], { key, down }: SortOrder): readonly number[] {
  const byName = (a: MarketRow, b: MarketRow) => a.market.symbol.localeCompare(b.market.symbol, 'en') || a.market.id - b.market.id
  const turn = down ? -1 : 1
  const read = key === 'symbol' ? null : numberOf[key]
  const sorted = rows.toSorted((a, b) => {
    if (read === null) return turn * byName(a, b)
    const [left, right] = [read(a), read(b)]
    if (left === null || right === null) return left === right ? byName(a, b) : left === null ? 1 : -1
    return turn * compare(left, right) || byName(a, b)
  })
  return sorted.map(({ market }) => market.id)
}
