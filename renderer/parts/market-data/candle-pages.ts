import { limits } from '../../../shared/api/limits.ts'
import type { Candle, HistorySource } from '../../../shared/ipc/reads/markets.ts'
import { day } from '../../../shared/time.ts'

/** The candles of one market and interval as far as they were read: the newest and pages of older ones. */
export interface CandlePages {
  /** In order of time, each time once. */
  readonly candles: readonly Candle[]
  /** Older candles than `untilMs` are of that source, or some of them where the service does not say where it begins. */
  readonly sources: readonly SourceEdge[]
  /** Candles that came in pages; a sequence holds `limits.candleHistory` of them. */
  readonly paged: number
  /** Why nothing older is asked for: there is nothing, or the sequence is full. */
  readonly end: 'oldest' | 'full' | null
}

export interface SourceEdge {
  readonly name: string
  readonly untilMs: number
}

export const noPages: CandlePages = { candles: [], sources: [], paged: 0, end: null }

/** As many as the service gives at once; fewer of those that may go on into other sources, since a page may be all that tells where they do. */
const pageSize = (spanMs: number): number => (spanMs >= day ? 250 : 1_000)

interface PageAsked {
  readonly beforeMs: number
  readonly limit: number
}

/** What to ask for next; null: nothing. */
export function nextPage({ candles: [first], paged, end }: CandlePages, spanMs: number): PageAsked | null {
  return first === undefined || end !== null ? null : { beforeMs: first.timeMs, limit: Math.min(pageSize(spanMs), limits.candleHistory - paged) }
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
  { beforeMs, limit }: PageAsked,
  answer: { readonly candles: readonly Candle[]; readonly sources: readonly HistorySource[] },
): CandlePages {
  if (pages.candles[0]?.timeMs !== beforeMs) return pages
  const older = answer.candles.filter(({ timeMs }) => timeMs < beforeMs).slice(-limit)
  const paged = pages.paged + older.length
  return {
    candles: [...older, ...pages.candles],
    sources: withSources(pages.sources, answer.sources, beforeMs),
    paged,
    end: older.length === 0 ? 'oldest' : paged >= limits.candleHistory ? 'full' : null,
  }
}

/** A source begins where the service says, else with the first page that names it. */
function withSources(known: readonly SourceEdge[], named: readonly HistorySource[], beforeMs: number): readonly SourceEdge[] {
  const added = named.filter(({ name }) => !known.some((edge) => edge.name === name))
  return [...known, ...added.map(({ name, untilMs }) => ({ name, untilMs: untilMs ?? beforeMs }))]
}
