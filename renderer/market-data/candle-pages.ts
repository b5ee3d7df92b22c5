import { limits } from '../../shared/api/limits.ts'
import type { Candle, HistorySource } from '../../shared/ipc/markets.ts'

/** The candles of one market and interval as far as they were read: the newest and pages of older ones. */
export interface CandlePages {
  /** In order of time, each time once. */
  readonly candles: readonly Candle[]
  /** Candles that open before `untilMs` are of that source; null: the service does not say which are. */
  readonly sources: readonly HistorySource[]
  /** Candles that came in pages; a sequence holds `limits.candleHistory` of them. */
  readonly paged: number
  /** Why nothing older is asked for: there is nothing, or the sequence is full. */
  readonly end: 'oldest' | 'full' | null
}

export const noPages: CandlePages = { candles: [], sources: [], paged: 0, end: null }

/** Candles of one page, as many as the service gives at once. */
const pageSize = 1_000

/** What to ask for next; null: nothing. */
export function nextPage({ candles: [first], paged, end }: CandlePages): { readonly beforeMs: number; readonly limit: number } | null {
  return first === undefined || end !== null ? null : { beforeMs: first.timeMs, limit: Math.min(pageSize, limits.candleHistory - paged) }
}

/**
 * With the newest candles, in order of time: what they say replaces what was known, what they do not reach stays. Where candles are missing
 * between the two, the older ones are dropped and their sequence begins anew.
 */
export function joinNewest(pages: CandlePages, newest: readonly Candle[], spanMs: number): CandlePages {
  const [first] = newest
  const newestMs = newest.at(-1)?.timeMs
  if (first === undefined || newestMs === undefined) return pages
  const knownMs = pages.candles.at(-1)?.timeMs
  if (knownMs === undefined || first.timeMs > knownMs + spanMs) return { ...noPages, candles: newest }
  const before = pages.candles.filter(({ timeMs }) => timeMs < first.timeMs)
  const after = pages.candles.filter(({ timeMs }) => timeMs > newestMs)
  const candles = [...before, ...newest, ...after]
  const same = candles.length === pages.candles.length && candles.every((candle, index) => candle === pages.candles[index])
  return same ? pages : { ...pages, candles }
}

/** With a page that was asked for before `beforeMs`. One that does not join what is known now was asked for by another sequence and changes nothing. */
export function joinOlder(
  pages: CandlePages,
  { beforeMs, limit }: { readonly beforeMs: number; readonly limit: number },
  answer: { readonly candles: readonly Candle[]; readonly sources: readonly HistorySource[] },
): CandlePages {
  if (pages.candles[0]?.timeMs !== beforeMs) return pages
  const older = answer.candles.filter(({ timeMs }) => timeMs < beforeMs).slice(-limit)
  const paged = pages.paged + older.length
  return {
    candles: [...older, ...pages.candles],
    sources: withSources(pages, answer.sources, beforeMs),
    paged,
    end: older.length === 0 ? 'oldest' : paged >= limits.candleHistory ? 'full' : null,
  }
}

/** A source that a later page is the first to name begins there at the latest; one that the first page names may be that of all candles. */
function withSources({ sources, paged }: CandlePages, named: readonly HistorySource[], beforeMs: number): readonly HistorySource[] {
  const added = named.filter(({ name }) => !sources.some((known) => known.name === name))
  const placed = sources.map((known) => {
    const again = named.find(({ name }) => name === known.name)
    return known.untilMs === null && again !== undefined && again.untilMs !== null ? again : known
  })
  return [...placed, ...added.map(({ name, untilMs }) => ({ name, untilMs: untilMs ?? (paged === 0 ? null : beforeMs) }))]
}
