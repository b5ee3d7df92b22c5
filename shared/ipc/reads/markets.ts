import { z } from 'zod'
import { query } from '../define.ts'
import { Missing, UnknownFields } from '../missing.ts'

/** A decimal number as text. Money, prices and sizes are never converted to floating point. */
export const Decimal = z.string().regex(/^-?\d+(\.\d+)?$/)

export const Market = z.object({
  id: z.number().int(),
  symbol: z.string(),
  base: z.string(),
  /** Decimal places of a price; null: not stated. `sizeDecimals` is the same for a size in base units. */
  priceDecimals: z.number().int().nullable(),
  sizeDecimals: z.number().int().nullable(),
  tickSize: Decimal.nullable(),
  minOrderUsdc: Decimal.nullable(),
  maxOrderUsdc: Decimal.nullable(),
  maxLeverage: z.number().int().nullable(),
  status: z.string().nullable(),
  unknownFields: UnknownFields,
})
export type Market = z.infer<typeof Market>

export const MarketSummary = z.object({
  id: z.number().int(),
  mark: Decimal.nullable(),
  index: Decimal.nullable(),
  /** Price change over 24 hours in percent, for example "-1.84". */
  change24h: Decimal.nullable(),
  volume24hUsdc: Decimal.nullable(),
  openInterestLongUsdc: Decimal.nullable(),
  openInterestShortUsdc: Decimal.nullable(),
  /** The funding rate in percent per hour. */
  fundingRate: Decimal.nullable(),
  nextFundingAtMs: z.number().nullable(),
  /** The time that the service states for the price; null: not stated. */
  priceAtMs: z.number().nullable(),
})
export type MarketSummary = z.infer<typeof MarketSummary>

export const Candle = z.object({ timeMs: z.number(), open: Decimal, high: Decimal, low: Decimal, close: Decimal, volume: Decimal.nullable() })
export type Candle = z.infer<typeof Candle>

export const interval = z.enum(['1m', '3m', '5m', '15m', '1h', '4h', '1d', '1w'])
export type Interval = z.infer<typeof interval>

/**
 * A data source from which the service took some candles of this page, instead of using its own. These candles open before `untilMs`. `untilMs`
 * null: the service does not state which candles.
 */
export const HistorySource = z.object({ name: z.string(), untilMs: z.number().nullable() })
export type HistorySource = z.infer<typeof HistorySource>

/** A price in the order book, and the quantity offered at this price, in the unit `sizeUnit`. */
export const BookLevel = z.object({ price: Decimal, size: Decimal })
export type BookLevel = z.infer<typeof BookLevel>

/** Where the data came from: the versioned API with a key, or its public equivalent. */
const source = z.enum(['versioned', 'public'])

export const markets = {
  'markets.list': query(z.object({}), z.object({ markets: z.array(Market), missing: Missing, source, readAtMs: z.number() }), 'app'),
  'markets.summaries': query(z.object({}), z.object({ summaries: z.array(MarketSummary), source, readAtMs: z.number() }), 'app'),
  'markets.summary': query(
    z.object({ pairId: z.number().int() }),
    z.object({ summary: MarketSummary.extend({ unknownFields: UnknownFields }), source, readAtMs: z.number() }),
    'app',
  ),
  'markets.candles': query(
    z.object({ pairId: z.number().int(), interval, limit: z.number().int().min(1).max(1_000) }),
    z.object({ candles: z.array(Candle), source, readAtMs: z.number() }),
    'app',
  ),
  /**
   * Returns a page of candles that open before `beforeMs`, oldest first. `beforeMs` null: the newest page. Empty if there are no older candles.
   * Callers can page back to `limits.candleHistory` candles. Older candles come from a public route, because no versioned route offers them.
   */
  'markets.history': query(
    z.object({ pairId: z.number().int(), interval, beforeMs: z.number().int().min(0).nullable(), limit: z.number().int().min(1).max(1_000) }),
    z.object({ candles: z.array(Candle), sources: z.array(HistorySource), source, readAtMs: z.number() }),
    'app',
  ),
  /**
   * Returns a market's order book, best price first on both sides. `sizeUnit` null: the service does not state whether sizes are in base units or in
   * USDC. `atMs`: the service's time for this order book. Fails with `not_found` if the service has no order book for this market.
   */
  'markets.orderbook': query(
    z.object({ pairId: z.number().int() }),
    z.object({
      bids: z.array(BookLevel),
      asks: z.array(BookLevel),
      sizeUnit: z.literal('base').nullable(),
      atMs: z.number().nullable(),
      source,
      readAtMs: z.number(),
    }),
    'app',
  ),
  /** Returns the sequence number and time of the service's market snapshot. Needs a key, because no public route offers the snapshot. */
  'markets.snapshot': query(z.object({}), z.object({ sequence: z.string().nullable(), atMs: z.number().nullable(), readAtMs: z.number() }), 'app'),
  'markets.status': query(
    z.object({}),
    z.object({
      api: z.string().nullable(),
      network: z.string().nullable(),
      engine: z.string().nullable(),
      blockNumber: z.number().nullable(),
      unknownFields: UnknownFields,
      schema: z.string().nullable(),
      apiVersion: z.string().nullable(),
      drift: z.boolean(),
      source,
      readAtMs: z.number(),
    }),
    'app',
  ),
  /**
   * Returns what the service publishes about its API: version, scopes, capabilities and limits (Versioning 3). Fails with `api_key_required` without
   * a key, because no public route offers this.
   */
  'markets.meta': query(
    z.object({}),
    z.object({
      apiVersion: z.string().nullable(),
      schema: z.string().nullable(),
      scopes: z.array(z.string()).nullable(),
      /** What the service can do, as JSON text of an object keyed by capability name. */
      capabilities: UnknownFields,
      /** The service's limits, as JSON text of an object keyed by limit name. */
      limits: UnknownFields,
      chainId: z.number().nullable(),
      router: z.string().nullable(),
      collateral: z.string().nullable(),
      unknownFields: UnknownFields,
      readAtMs: z.number(),
    }),
    'app',
  ),
} as const
