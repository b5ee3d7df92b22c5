import type { Market } from './catalogue.ts'

/** From when on there are candles of a market, and whose. */
export interface MarketHistory {
  /** When the exchange listed it; of every interval there are candles from then on. */
  readonly listedAtMs: number
  /** Older history of others, newest first: of days and weeks only. */
  readonly sources: readonly { readonly name: string; readonly sinceMs: number }[]
}

const opened = Date.UTC(2024, 2, 4)
const archive = (year: number, month: number) => ({ name: 'practice-archive', sinceMs: Date.UTC(year, month - 1, 1) })

const known: Readonly<Record<number, MarketHistory>> = {
  1: { listedAtMs: opened, sources: [archive(2018, 1), { name: 'practice-museum', sinceMs: Date.UTC(2013, 3, 1) }] },
  2: { listedAtMs: opened, sources: [archive(2017, 9)] },
  3: { listedAtMs: opened, sources: [archive(2020, 5)] },
  17: { listedAtMs: Date.UTC(2026, 5, 1), sources: [] },
  19: { listedAtMs: Date.UTC(2025, 0, 6), sources: [{ name: 'practice-bullion', sinceMs: Date.UTC(2004, 10, 18) }] },
  20: { listedAtMs: Date.UTC(2025, 0, 6), sources: [{ name: 'practice-fx', sinceMs: Date.UTC(2003, 0, 6) }] },
  21: { listedAtMs: Date.UTC(2026, 9, 26, 13, 7), sources: [] },
  33: { listedAtMs: Date.UTC(2025, 8, 15), sources: [] },
  104: { listedAtMs: Date.UTC(2026, 0, 5), sources: [] },
}

export const historyOf = ({ id }: Market): MarketHistory => known[id] ?? { listedAtMs: opened, sources: [archive(2021, 3)] }
