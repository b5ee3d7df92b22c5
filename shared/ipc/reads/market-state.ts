import { z } from 'zod'
import { command, query } from '../define.ts'
import { Missing, UnknownFields } from '../missing.ts'
import { Candle, Decimal } from './markets.ts'

const pair = z.object({ pairId: z.number().int().min(0) })

/** Where the data came from: the versioned API with a key, or its public equivalent. */
const source = z.enum(['versioned', 'public'])

/** Where the history comes from. service: from the service's response. readings: the values that the app itself has read since it was started. */
const historyFrom = z.enum(['service', 'readings'])

const FundingPoint = z.object({ atMs: z.number(), rate: Decimal })
export type FundingPoint = z.infer<typeof FundingPoint>

const InterestPoint = z.object({ atMs: z.number(), long: Decimal, short: Decimal })
export type InterestPoint = z.infer<typeof InterestPoint>

const Liquidation = z.object({
  /** The liquidation's id; null if the service sent none. */
  id: z.string().nullable(),
  pairId: z.number().int().nullable(),
  symbol: z.string().nullable(),
  side: z.enum(['long', 'short']).nullable(),
  size: Decimal.nullable(),
  price: Decimal.nullable(),
  valueUsdc: Decimal.nullable(),
  wallet: z.string().nullable(),
  txHash: z.string().nullable(),
  atMs: z.number().nullable(),
  unknownFields: UnknownFields,
})
export type Liquidation = z.infer<typeof Liquidation>

const Breaker = z.object({
  name: z.string(),
  /** Whether the circuit breaker is tripped; null if the app does not recognise the service's word for its state. */
  tripped: z.boolean().nullable(),
  /** The circuit breaker's state in the service's words; null if the service sent none. */
  state: z.string().nullable(),
  reason: z.string().nullable(),
  /** When the circuit breaker tripped, according to the service; null: not stated. */
  sinceMs: z.number().nullable(),
  /** When this app first saw the circuit breaker tripped; null: it is not tripped. */
  seenAtMs: z.number().nullable(),
  unknownFields: UnknownFields,
})
export type Breaker = z.infer<typeof Breaker>

const VaultState = z.object({
  assetsUsdc: Decimal.nullable(),
  shares: Decimal.nullable(),
  sharePriceUsdc: Decimal.nullable(),
  utilisationPercent: Decimal.nullable(),
  yearlyPercent: Decimal.nullable(),
  /** Earlier share prices, oldest first; empty if the service sends none. */
  history: z.array(z.object({ atMs: z.number(), sharePriceUsdc: Decimal })),
  updatedAtMs: z.number().nullable(),
  unknownFields: UnknownFields,
})
export type VaultState = z.infer<typeof VaultState>

/** Market data of the protocol's own token. Prices in USD, supplies in units of the token. */
const OwnTokenMarket = z.object({
  symbol: z.string().nullable(),
  price: Decimal.nullable(),
  change24h: Decimal.nullable(),
  volume24h: Decimal.nullable(),
  high24h: Decimal.nullable(),
  low24h: Decimal.nullable(),
  marketCap: Decimal.nullable(),
  fullyDiluted: Decimal.nullable(),
  liquidity: Decimal.nullable(),
  supply: Decimal.nullable(),
  maxSupply: Decimal.nullable(),
  circulating: Decimal.nullable(),
  /** Earlier prices, oldest first; empty if the service sends none. */
  history: z.array(z.object({ atMs: z.number(), price: Decimal })),
  updatedAtMs: z.number().nullable(),
  unknownFields: UnknownFields,
})

/** Metrics of the protocol's own token. Amounts in units of the token. */
const OwnTokenMetrics = z.object({
  symbol: z.string().nullable(),
  supply: Decimal.nullable(),
  maxSupply: Decimal.nullable(),
  circulating: Decimal.nullable(),
  staked: Decimal.nullable(),
  stakedPercent: Decimal.nullable(),
  /** Yearly return of staking the token, in percent. */
  yearlyPercent: Decimal.nullable(),
  burned: Decimal.nullable(),
  burned24h: Decimal.nullable(),
  /** The token's market capitalisation in USD. */
  marketCap: Decimal.nullable(),
  holders: z.number().int().nullable(),
  /** Earlier numbers of holders, oldest first; empty if the service sends none. */
  history: z.array(z.object({ atMs: z.number(), holders: z.number().int() })),
  updatedAtMs: z.number().nullable(),
  unknownFields: UnknownFields,
})

/** Ids of markets. Main splits them into requests for at most 12 markets, because `/api/dex/marks` accepts no more. */
const ids = z.array(z.number().int().min(0)).min(1).max(512)

const model = z.enum(['execution', 'order', 'fee', 'precision', 'collateral', 'developer'])
export type ConfigModel = z.infer<typeof model>

const favourites = z.object({ pairIds: z.array(z.number().int()) })

export const marketState = {
  /** Returns the funding rate. `rate`: percent per hour. `history`: oldest first. */
  'markets.funding': query(
    pair,
    z.object({
      rate: Decimal.nullable(),
      nextAtMs: z.number().nullable(),
      updatedAtMs: z.number().nullable(),
      history: z.array(FundingPoint),
      historyFrom,
      unknownFields: UnknownFields,
      source,
      readAtMs: z.number(),
    }),
    'app',
  ),
  /** Returns the open interest in USDC. `history`: oldest first. */
  'markets.openInterest': query(
    pair,
    z.object({
      long: Decimal.nullable(),
      short: Decimal.nullable(),
      updatedAtMs: z.number().nullable(),
      history: z.array(InterestPoint),
      historyFrom,
      unknownFields: UnknownFields,
      source,
      readAtMs: z.number(),
    }),
    'app',
  ),
  'markets.vault': query(z.object({}), z.object({ vault: VaultState, source, readAtMs: z.number() }), 'app'),
  /**
   * Returns the liquidations in all markets, newest first. This query and the queries below use public routes, because the API document shows no
   * versioned route for them.
   */
  'markets.liquidations': query(z.object({}), z.object({ liquidations: z.array(Liquidation), missing: Missing, readAtMs: z.number() }), 'app'),
  'markets.breakers': query(z.object({}), z.object({ breakers: z.array(Breaker), missing: Missing, readAtMs: z.number() }), 'app'),
  /**
   * Returns the mark prices of any number of markets, requested 12 markets at a time. Leaves out a market without a response. `readAtMs`: the time
   * of the oldest response.
   */
  'markets.marks': query(
    z.object({ pairIds: ids }),
    z.object({ marks: z.array(z.object({ pairId: z.number().int(), mark: Decimal.nullable(), priceAtMs: z.number().nullable() })), readAtMs: z.number() }),
    'app',
  ),
  /**
   * Returns each market's hourly closing prices of the last day, at most a few minutes old. Leaves out markets whose candles are currently
   * unreadable.
   */
  'markets.trends': query(
    z.object({ pairIds: ids }),
    z.object({ trends: z.array(z.object({ pairId: z.number().int(), closes: z.array(Candle.shape.close) })) }),
    'app',
  ),
  'markets.ownToken': query(z.object({}), OwnTokenMarket.extend({ readAtMs: z.number() }), 'app'),
  'markets.ownTokenMetrics': query(z.object({}), OwnTokenMetrics.extend({ readAtMs: z.number() }), 'app'),
  /** Returns the exchange's configuration: its fee, funding and risk models. The fields inside the models have the service's names. */
  'markets.config': query(
    z.object({}),
    z.object({
      chainId: z.number().nullable(),
      /** Whether a USDC deposit by permit is possible (Flow rules 4). */
      permit: z.boolean(),
      models: z.array(z.object({ model, fields: UnknownFields })),
      /** The exchange's contracts, sorted by name. */
      contracts: z.array(z.object({ name: z.string(), address: z.string() })),
      unknownFields: UnknownFields,
      readAtMs: z.number(),
    }),
    'app',
  ),
  /** The user's favourite markets in this profile, in the order in which they were added. */
  'markets.favourites': query(z.object({}), favourites, 'app'),
  'markets.setFavourite': command(pair.extend({ favourite: z.boolean() }), favourites, { invalidates: ['markets.favourites'] }),
} as const
