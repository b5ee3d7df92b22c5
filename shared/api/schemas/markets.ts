import type { z } from 'zod'
import type { Candle, HistorySource, Market, MarketSummary } from '../../ipc/markets.ts'
import { assumed } from '../assumptions.ts'
import {
  decimal,
  either,
  fieldsReader,
  identifier,
  isRecord,
  list,
  listUnder,
  may,
  must,
  objectReader,
  type Reader,
  readField,
  schemaOf,
  text,
  textList,
  time,
  wholeNumber,
} from '../loose.ts'

const market = assumed.marketCatalogue.fields

const marketFields = objectReader({
  id: must(market.id, wholeNumber),
  symbol: must(market.symbol, text),
  base: may(market.base, text),
  priceDecimals: may(market.priceDecimals, wholeNumber),
  sizeDecimals: may(market.sizeDecimals, wholeNumber),
  tickSize: may(market.tickSize, decimal),
  minOrderUsdc: may(market.minOrder, decimal),
  maxOrderUsdc: may(market.maxOrder, decimal),
  maxLeverage: may(market.maxLeverage, wholeNumber),
  status: may(market.status, text),
})

const namesBase = (found: { readonly base: string | null }): found is { readonly base: string } => found.base !== null

const marketReader: Reader<Market> = (value, complain) => {
  const found = marketFields(value, complain)
  if (found === undefined || namesBase(found)) return found
  // "BTC-PERP" and "BTC/USDC" name their base.
  return { ...found, base: found.symbol.split(/[-/_:]/)[0] ?? found.symbol }
}

const serverTime = fieldsReader({ serverTimeMs: may(market.serverTime, time) })

export const MarketCatalogue = schemaOf<{ readonly markets: Market[]; readonly serverTimeMs: number | null }>((value, complain) => {
  const markets = listUnder(market.markets, marketReader)(value, complain)
  return markets && { markets, serverTimeMs: serverTime(value, () => {})?.serverTimeMs ?? null }
})
export type MarketCatalogue = z.output<typeof MarketCatalogue>

const summary = assumed.marketSummary.fields

/** A summary with the fields that the app does not know. */
export interface SummaryRecord extends MarketSummary {
  readonly symbol: string | null
  readonly unknownFields: string | null
}

const summaryReader: Reader<SummaryRecord> = objectReader({
  id: must(summary.pairId, wholeNumber),
  symbol: may(summary.symbol, text),
  mark: may(summary.mark, decimal),
  index: may(summary.index, decimal),
  change24h: may(summary.change24h, decimal),
  volume24hUsdc: may(summary.volume24h, decimal),
  openInterestLongUsdc: may(summary.interestLong, decimal),
  openInterestShortUsdc: may(summary.interestShort, decimal),
  fundingRate: may(summary.fundingRate, decimal),
  nextFundingAtMs: may(summary.nextFunding, time),
  priceAtMs: may(summary.updatedAt, time),
})

export const SummaryList = schemaOf<{ readonly summaries: SummaryRecord[] }>((value, complain) => {
  const summaries = listUnder(summary.summaries, summaryReader)(value, complain)
  return summaries && { summaries }
})

export const SummaryAnswer = schemaOf<{ readonly summary: SummaryRecord }>((value, complain) => {
  const inner = isRecord(value) ? readField(value, summary.summary) : undefined
  const found = summaryReader(isRecord(inner) ? inner : value, complain)
  return found && { summary: found }
})

/** Marks by market. */
export interface Mark {
  readonly pairId: number
  readonly mark: string | null
  readonly priceAtMs: number | null
}
const mark: Reader<Mark> = fieldsReader({
  pairId: must(summary.pairId, wholeNumber),
  mark: may(summary.mark, decimal),
  priceAtMs: may(summary.updatedAt, time),
})

export const MarkList = schemaOf<{ readonly marks: Mark[] }>((value, complain) => {
  const marks = listUnder(summary.marks, mark)(value, complain)
  return marks && { marks }
})

const snapshotFields = fieldsReader({ sequence: may(summary.sequence, identifier), atMs: may(summary.snapshotAt, time) })

/** `marks` is empty where the snapshot holds none that can be read. */
export const Snapshot = schemaOf<{ readonly sequence: string | null; readonly atMs: number | null; readonly marks: Mark[] }>((value, complain) => {
  const found = snapshotFields(value, complain)
  return found && { sequence: found.sequence, atMs: found.atMs, marks: listUnder(summary.marks, mark)(value, () => {}) ?? [] }
})

const candle = assumed.candle.fields

const candleObject: Reader<Candle> = fieldsReader({
  timeMs: must(candle.time, time),
  open: must(candle.open, decimal),
  high: must(candle.high, decimal),
  low: must(candle.low, decimal),
  close: must(candle.close, decimal),
  volume: may(candle.volume, decimal),
})

const candleArray: Reader<Candle> = (value, complain) => {
  if (!Array.isArray(value)) return undefined
  const [t, o, h, l, c, v] = value
  return candleObject({ t, o, h, l, c, v }, complain)
}

const history = assumed.candleHistory.fields

const sourceObject: Reader<HistorySource> = fieldsReader({ name: must(history.name, text), untilMs: may(history.until, time) })
const namedSource: Reader<HistorySource> = (value, complain) => {
  const name = text(value, complain)
  return name === undefined ? undefined : { name, untilMs: null }
}
const namedSources: Reader<HistorySource[]> = (value, complain) => textList(value, complain)?.map((name) => ({ name, untilMs: null }))
const sourceFields = fieldsReader({ historySources: may(history.sources, either(namedSources, list(either(sourceObject, namedSource)))) })

/** Oldest first, one per time, whatever order they came in. */
export const CandleList = schemaOf<{ readonly candles: Candle[]; readonly historySources: HistorySource[] | null }>((value, complain) => {
  const candles = listUnder(candle.candles, either(candleArray, candleObject))(value, complain)
  if (candles === undefined) return undefined
  const byTime = new Map(candles.map((item) => [item.timeMs, item]))
  return {
    candles: [...byTime.values()].sort((a, b) => a.timeMs - b.timeMs),
    historySources: sourceFields(value, () => {})?.historySources ?? null,
  }
})
