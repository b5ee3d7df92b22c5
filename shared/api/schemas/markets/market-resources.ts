import { compare } from '../../../decimal.ts'
import type { Candle, HistorySource, Market, MarketSummary } from '../../../ipc/reads/markets.ts'
import { type AnswerOf, answerReader, inspectList, listIn, listOf, recordIn } from '../../reader/answer.ts'
import { type Kind, may, must } from '../../reader/field.ts'
import { inspectRecords } from '../../reader/inspect.ts'
import { anything, base, count, custom, hourly, id, namedUsdc, percent, price, symbol, symbolLabel, text, texts, time, usdc } from '../../reader/kinds.ts'
import { readRecords } from '../../reader/read-records.ts'
import { resource } from '../../reader/resource.ts'
import { unwrap } from '../../reader/unwrap.ts'
import { each, momentsOf, names, pricesOf, statesOf, timesOf } from '../name-lists.ts'
import { missingOf } from '../page.ts'
import { marketStatus } from '../words.ts'

const notShown = 'Resources: bodies of market read resources not shown'

/** The server time, in answers that contain it. */
const clock = resource({
  name: 'server_time',
  words: ['server'],
  sentence: null,
  source: '',
  fields: { serverTimeMs: may(['server_time', 'server_time_ms', 'time', 'timestamp', 'now', 'as_of'], time) },
})

export const market = resource({
  name: 'market',
  words: ['market', 'pair', 'instrument'],
  sentence: 'Each market names its id, symbol, precision, tick and order limits under the usual names; only id and symbol are required.',
  source: notShown,
  fields: {
    id: must(['id', ...names.pairId, 'index'], count),
    symbol: must([...names.symbol, 'display_name'], symbolLabel),
    base: may(
      [
        'base',
        ...each(['base', 'underlying', 'index'], ['asset', 'symbol', 'currency', 'token', 'coin', 'name', 'ccy', 'ticker']),
        'asset',
        'underlying',
        'coin',
      ],
      text,
    ),
    priceDecimals: may(['price_decimals', 'price_precision', 'quote_precision', 'price_scale', 'price_digits', 'decimals_price'], count),
    sizeDecimals: may(
      [
        'size_decimals',
        'size_precision',
        'base_precision',
        'quantity_precision',
        'base_decimals',
        'amount_decimals',
        'lot_decimals',
        'size_scale',
        'size_digits',
      ],
      count,
    ),
    tickSize: may(['tick_size', 'price_step', 'tick', 'price_tick', 'price_increment', 'min_price_increment', 'tick_price', 'price_tick_size'], price),
    minOrderUsdc: may(
      [
        'min_order_value_usdc',
        'min_order_usdc',
        'min_notional_usdc',
        'min_notional',
        'min_order_value',
        'min_value',
        'order_min',
        'order_value_min',
        'min_order_notional',
        'min_trade_value',
        'min_order',
        ...each(['min'], ['ticket', 'order_size_usdc', 'trade', 'order_amount']),
      ],
      usdc,
    ),
    maxOrderUsdc: may(
      [
        'max_order_value_usdc',
        'max_order_usdc',
        'max_notional_usdc',
        'max_notional',
        'max_order_value',
        'max_value',
        'order_max',
        'order_value_max',
        'max_order_notional',
        'max_trade_value',
        'max_order',
        ...each(['max'], ['ticket', 'order_size_usdc', 'trade', 'order_amount']),
      ],
      usdc,
    ),
    maxLeverage: may(['max_leverage', 'leverage_max', 'leverage_limit', 'leverage_cap', 'leverage'], count),
    status: may([...statesOf('market', 'trading', 'pair', 'listing')], marketStatus),
  },
  keyed: { key: 'id' },
  // If the service states no base, use the whole symbol. The app never derives a base from the symbol's parts.
  finish: (found): Market => {
    found.base ??= found.symbol
    return found as typeof found & { base: string } // the cast is safe: the line above sets the base
  },
})

export const MarketCatalogue = listOf(market, ['markets', 'pairs', 'instruments', 'products', 'catalogue'], (list) => ({
  markets: list.items,
  missing: missingOf(list),
  serverTimeMs: readRecords(clock, [list.around], {}, () => {}).items[0]?.serverTimeMs ?? null,
}))
export type MarketCatalogue = AnswerOf<typeof MarketCatalogue>

/** A market summary with the fields that the app does not know. */
export interface SummaryRecord extends MarketSummary {
  readonly symbol: string | null
  readonly unknownFields: string | null
}

const outstanding = ['outstanding', 'interest', 'side', 'total', 'sum'] as const
const longInterest = [
  'open_interest_long_usdc',
  'oi_long_usdc',
  'open_interest_long',
  'long_oi',
  'long_open_interest_usdc',
  ...each(['long'], outstanding),
] as const
const shortInterest = [
  'open_interest_short_usdc',
  'oi_short_usdc',
  'open_interest_short',
  'short_oi',
  'short_open_interest_usdc',
  ...each(['short'], outstanding),
] as const
export const interestNames = { long: longInterest, short: shortInterest }
/**
 * Names of the funding rate. The app shows a rate only if its unit and period are known. Guessing is too risky: percent and fraction, or one hour
 * and eight hours, differ by large factors.
 */
export const fundingNames = [
  'funding_rate_1h_pct',
  'funding_rate_pct',
  'funding_rate_hourly_pct',
  'funding_rate',
  'funding',
  'current_funding_rate',
  'funding_rate_per_hour',
] as const
export const nextFundingNames = [
  'next_funding_at_ms',
  'next_funding_at',
  'next_funding_time',
  'next_funding',
  'funding_next',
  'next_payment_at',
  'next_funding_payment',
  ...each(['next_funding', 'funding'], ['due', 'due_at', 'settlement']),
] as const

export const summary = resource({
  name: 'summary',
  words: ['summary', 'market'],
  sentence:
    'Summaries, marks and the snapshot name the market by `pair_id` and carry its mark price; amounts and shares are shown where their unit is said, everything else may be missing.',
  source: notShown,
  fields: {
    id: must([...names.pairId, 'id', 'pair', 'market', 'product', 'instrument'], count),
    symbol: may(names.symbol, symbol),
    mark: may([...names.mark, 'price', 'last_price', 'last'], price),
    index: may(['index_price', 'index', 'oracle_price', 'spot_price', 'underlying_price', 'spot_index', 'spot'], price),
    change24h: may(
      [
        'change_24h_pct',
        'change_24h_percent',
        'price_change_24h_pct',
        'change_24h',
        'change_pct',
        'change',
        'price_change_pct',
        'daily_change_pct',
        'change_day_pct',
        'change_1d_pct',
      ],
      percent,
    ),
    volume24hUsdc: may(
      [
        'volume_24h_usdc',
        'volume_24h',
        'volume_usdc',
        'turnover_24h',
        'volume',
        'quote_volume',
        'turnover',
        'daily_volume_usdc',
        'notional_volume_24h',
        'volume_24h_notional',
        'traded_24h',
        'traded_value_24h',
      ],
      namedUsdc,
    ),
    openInterestLongUsdc: may(longInterest, namedUsdc),
    openInterestShortUsdc: may(shortInterest, namedUsdc),
    fundingRate: may(fundingNames, hourly),
    nextFundingAtMs: may(nextFundingNames, time),
    priceAtMs: may(names.updatedAt, time),
  },
  keyed: { key: 'id' },
  finish: (found): SummaryRecord => found,
})

export const SummaryList = listOf(summary, ['summaries', 'summary', 'markets', 'tickers'], ({ items, unreadable }) => ({ summaries: items, unreadable }))

export const SummaryAnswer = answerReader(
  (json, complain, context) => {
    const found = recordIn(summary, json, complain, context)
    return found && { summary: found }
  },
  (json, fieldMap) => [inspectRecords(summary, [unwrap(json, summary.words, summary.matcher).inner], fieldMap)],
)

export interface Mark {
  readonly pairId: number
  readonly mark: string | null
  readonly priceAtMs: number | null
}
export const mark = resource({
  name: 'mark',
  words: ['mark', 'market'],
  sentence: null,
  source: '',
  fields: {
    pairId: must([...names.pairId, 'id', 'pair', 'market', 'product', 'instrument'], count),
    mark: may([...names.mark, 'price', 'price_value', 'last_price', 'p'], price),
    priceAtMs: may(names.updatedAt, time),
  },
  keyed: { key: 'pairId', value: 'mark' },
  finish: ({ pairId, mark: at, priceAtMs }): Mark => ({ pairId, mark: at, priceAtMs }),
})

const markLists = ['marks', 'markets', 'prices', 'mark_prices', 'quotes'] as const
export const MarkList = listOf(mark, markLists, ({ items, unreadable }) => ({ marks: items, unreadable }))

export const snapshot = resource({
  name: 'snapshot',
  words: ['snapshot'],
  sentence: null,
  source: '',
  fields: {
    sequence: may(
      [
        'sequence',
        'seq',
        'current_sequence',
        'sequence_number',
        'last_sequence',
        'version',
        'revision',
        'update_id',
        'last_update_id',
        'event_id',
        'last_event_id',
        'snapshot_id',
        'serial',
        'nonce',
      ],
      id,
    ),
    atMs: may(['at_ms', 'at', 'server_time', 'timestamp', 'snapshot_at', 'taken_at', 'as_of', 'updated_at', 'created_at'], time),
    markets: may(markLists, anything),
  },
})

/** `marks` is empty if the snapshot contains no readable mark price. */
export const Snapshot = answerReader<{ readonly sequence: string | null; readonly atMs: number | null; readonly marks: Mark[] }>(
  (json, complain, context) => {
    const found = recordIn(snapshot, json, complain, context)
    const { inner } = unwrap(json, snapshot.words, snapshot.matcher)
    return found && { sequence: found.sequence, atMs: found.atMs, marks: listIn(mark, markLists, inner, () => {}, context)?.items ?? [] }
  },
  (json, fieldMap) => [inspectRecords(snapshot, [unwrap(json, snapshot.words, snapshot.matcher).inner], fieldMap), inspectListOfMarks(json, fieldMap)],
)
const inspectListOfMarks: (...from: Parameters<typeof MarkList.inspect>) => ReturnType<typeof MarkList.inspect>[number] = (json, fieldMap) =>
  inspectList(mark, markLists, unwrap(json, snapshot.words, snapshot.matcher).inner, fieldMap)

const outer = (candle: { readonly high: string; readonly low: string; readonly open: string; readonly close: string }): boolean =>
  [candle.open, candle.close, candle.low].every((one) => compare(candle.high, one) >= 0) &&
  [candle.open, candle.close].every((one) => compare(candle.low, one) <= 0)

export const candle = resource({
  name: 'candle',
  words: ['candle', 'bar'],
  sentence:
    'A candle is an object with t, o, h, l, c, v (or their long names) or an array in that order, or in another usual one that all candles of the answer fit; its time is the opening of the interval, and its volume is shown where the unit is said.',
  source: notShown,
  fields: {
    timeMs: must(
      [
        't',
        'time',
        'time_ms',
        'open_time',
        'timestamp',
        'start',
        'opened_at',
        'start_time',
        'ts',
        'begin',
        'period_start',
        'bucket',
        ...timesOf('opened', 'start', 'started', 'begin', 'bucket', 'period'),
        ...momentsOf('open'),
        'starts_at',
        'bucket_start',
      ],
      time,
    ),
    open: must(['o', 'open', 'opening', 'first', 'price_open', 'price_first', ...pricesOf('open', 'opening', 'first')], price),
    high: must(['h', 'high', 'max', 'highest', 'top', 'peak', 'price_high', 'price_max', ...pricesOf('high', 'max', 'highest', 'top')], price),
    low: must(['l', 'low', 'min', 'lowest', 'bottom', 'price_low', 'price_min', ...pricesOf('low', 'min', 'lowest', 'bottom')], price),
    close: must(['c', 'close', 'closing', 'last', 'final', 'price_close', 'price_last', ...pricesOf('close', 'closing', 'last', 'final')], price),
    volume: may(['volume', 'v', ...each(['base', 'traded', 'size', 'asset'], ['volume', 'traded', 'size']), 'volume_base', 'traded'], base),
  },
  tuples: [
    ['timeMs', 'open', 'high', 'low', 'close', 'volume'],
    ['timeMs', 'open', 'close', 'high', 'low', 'volume'],
    ['timeMs', 'low', 'high', 'open', 'close', 'volume'],
  ],
  fits: outer,
})

export const historySource = resource({
  name: 'history_source',
  words: ['source'],
  sentence:
    '`before` is the time in milliseconds of a candle that is known already; a page holds the candles before it. `history_sources` names the other sources of the page, as text or as objects of a name and the time before which the candles are of that source.',
  source: 'Unversioned public routes: answer of /api/dex/candles/history not shown',
  fields: {
    name: must(['name', 'source', 'id', 'provider'], text),
    untilMs: may(['until_ms', 'until', 'before_ms', 'before', 'to_ms', 'to', 'ends_at', 'end'], time),
  },
  finish: ({ name, untilMs }): HistorySource => ({ name, untilMs }),
})

/**
 * Reads the sources of a candle history from text, a list of texts, or a list of objects. If one source is unreadable, the whole list is unreadable.
 */
const sources: Kind<HistorySource[]> = custom('list', (value, complain, context) => {
  const items = typeof value === 'string' ? (texts.read(value, complain, context) ?? []) : value
  if (!Array.isArray(items)) return undefined
  const found = items.map((item) =>
    typeof item === 'string' ? (item === '' ? undefined : { name: item, untilMs: null }) : readRecords(historySource, [item], context, () => {}).items[0],
  )
  return found.every((item) => item !== undefined) ? found : undefined
})
const sourced = resource({ name: 'candles', words: [], sentence: null, source: '', fields: { historySources: may(['history_sources'], sources) } })

/** Reads candles and sorts them, oldest first, with one candle per time. */
export const CandleList = listOf(candle, ['candles', 'bars', 'klines', 'ohlc', 'ohlcv'], ({ items, around }, context) => {
  const byTime = new Map<number, Candle>(items.map(({ timeMs, open, high, low, close, volume }) => [timeMs, { timeMs, open, high, low, close, volume }]))
  return {
    candles: [...byTime.values()].sort((a, b) => a.timeMs - b.timeMs),
    historySources: readRecords(sourced, [around], context, () => {}).items[0]?.historySources ?? null,
  }
})
