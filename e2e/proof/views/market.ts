import { type Row, said, view } from './view.ts'

const nothing = () => ({})
const pair = ({ pairId }: { readonly pairId: number }) => ({ pairId })

const summary = {
  id: 'pair_id',
  mark: 'mark_price',
  index: 'index_price',
  change24h: 'change_24h_pct',
  volume24hUsdc: 'volume_24h_usdc',
  openInterestLongUsdc: 'open_interest_long_usdc',
  openInterestShortUsdc: 'open_interest_short_usdc',
  fundingRate: 'funding_rate_1h_pct',
  nextFundingAtMs: 'next_funding_at',
  priceAtMs: 'updated_at_ms',
} as const
const candle = { timeMs: 't', open: 'o', high: 'h', low: 'l', close: 'c', volume: 'v' } as const

/**
 * Returns the market’s current state as a row, because the app may show it as one more row of the history. The response contains the state under
 * `name`, beside the history.
 */
const now = (name: string) => (told: Row) => {
  const state = told[name] as Row // safe cast: the practice exchange sends this shape
  return [{ ...state, at_ms: state.updated_at_ms }]
}

/** Removes order book sizes whose unit is unknown, because the app must not show them as sizes in the base asset. */
function withoutUnitlessSizes(shown: unknown): unknown {
  if (typeof shown !== 'object' || shown === null || !('sizeUnit' in shown) || shown.sizeUnit !== null) return shown
  const side = (levels: unknown) => (Array.isArray(levels) ? levels.map((level: Row) => ({ ...level, size: null })) : levels)
  return { ...shown, bids: 'bids' in shown ? side(shown.bids) : null, asks: 'asks' in shown ? side(shown.asks) : null }
}

const fromReadings = (shown: unknown) => typeof shown === 'object' && shown !== null && 'historyFrom' in shown && shown.historyFrom === 'readings'

/** Views of market data and of the service’s information about itself. */
export const marketViews = [
  view({
    query: 'markets.list',
    input: nothing,
    route: 'GET /markets',
    parts: [
      {
        shown: 'markets',
        told: 'markets',
        by: ['id', 'id'],
        fields: {
          id: 'id',
          symbol: 'symbol',
          base: { derived: 'base', from: ['base'], value: (row) => String(row.base), instead: (row) => String(row.symbol) },
          priceDecimals: 'price_decimals',
          sizeDecimals: 'size_decimals',
          tickSize: 'tick_size',
          minOrderUsdc: 'min_order_value_usdc',
          maxOrderUsdc: 'max_order_value_usdc',
          maxLeverage: 'max_leverage',
          status: said('status'),
        },
      },
    ],
    own: ['missing.unreadable', 'missing.more'],
    unshown: ['markets.quote', 'server_time'],
  }),
  view({
    query: 'markets.summaries',
    input: nothing,
    route: 'GET /summaries',
    parts: [{ shown: 'summaries', told: 'summaries', by: ['id', 'pair_id'], fields: summary }],
    own: [],
    unshown: ['summaries.symbol'],
  }),
  view({
    query: 'markets.summary',
    input: pair,
    route: 'GET /summary',
    parts: [{ shown: 'summary', told: 'summary', fields: summary }],
    own: [],
    unshown: ['summary.symbol'],
  }),
  view({
    query: 'markets.candles',
    input: ({ pairId }) => ({ pairId, interval: '1h', limit: 20 }),
    route: 'GET /candles',
    parts: [{ shown: 'candles', told: 'candles', by: ['timeMs', 't'], fields: candle }],
    own: [],
    unshown: ['pair_id', 'interval'],
  }),
  view({
    query: 'markets.history',
    input: ({ pairId }) => ({ pairId, interval: '1d', beforeMs: null, limit: 20 }),
    route: 'GET /candles/history',
    parts: [{ shown: 'candles', told: 'candles', by: ['timeMs', 't'], fields: candle }],
    own: ['sources.name', 'sources.untilMs'],
    unshown: ['pair_id', 'interval', 'next_before', 'has_more', 'history_sources', 'max_candles'],
  }),
  view({
    query: 'markets.orderbook',
    input: pair,
    route: 'GET /orderbook',
    parts: [
      { shown: 'bids', told: 'orderbook.bids', by: ['price', 'price'], fields: { price: 'price', size: 'size' } },
      { shown: 'asks', told: 'orderbook.asks', by: ['price', 'price'], fields: { price: 'price', size: 'size' } },
      { shown: '', told: 'orderbook', fields: { atMs: 'updated_at_ms' } },
    ],
    stated: withoutUnitlessSizes,
    // The app shows `sizeUnit` itself: the unit of the sizes, or the word “unknown”.
    own: ['sizeUnit'],
    unshown: ['orderbook.pair_id'],
  }),
  view({
    query: 'markets.snapshot',
    input: nothing,
    route: 'GET /snapshot',
    parts: [{ shown: '', told: '', fields: { sequence: 'sequence', atMs: 'at_ms' } }],
    own: [],
    unshown: ['markets.pair_id', 'markets.mark_price', 'markets.updated_at_ms'],
  }),
  view({
    query: 'markets.status',
    input: nothing,
    route: 'GET /status',
    parts: [{ shown: '', told: '', fields: { api: said('api'), network: said('network'), engine: said('market_engine'), blockNumber: 'block_number' } }],
    // The app reads the following fields from documented response headers.
    own: ['schema', 'apiVersion', 'drift'],
    unshown: ['server_time'],
  }),
  view({
    query: 'markets.meta',
    input: nothing,
    route: 'GET /meta',
    parts: [
      { shown: '', told: '', fields: { apiVersion: 'api_version', schema: 'schema', scopes: 'scopes', chainId: 'chain_id' } },
      { shown: '', told: 'contracts', fields: { router: 'router', collateral: 'usdc' } },
    ],
    // The app shows the following fields exactly as the service sends them.
    own: ['capabilities', 'limits'],
    unshown: ['capabilities.signed_intent', 'capabilities.permit_deposit', 'capabilities.delegated_execution', 'capabilities.webhooks', 'capabilities.stream'],
  }),
  view({
    query: 'markets.funding',
    input: pair,
    route: 'GET /markets/{pair_id}/funding',
    parts: [
      { shown: '', told: 'funding', fields: { rate: 'funding_rate_1h_pct', nextAtMs: 'next_funding_at', updatedAtMs: 'updated_at_ms' } },
      {
        shown: 'history',
        told: 'funding.history',
        by: ['atMs', 'at_ms'],
        fields: { atMs: 'at_ms', rate: 'funding_rate_1h_pct' },
        added: now('funding'),
        ownRows: fromReadings,
      },
    ],
    own: ['historyFrom'],
    unshown: ['funding.pair_id'],
  }),
  view({
    query: 'markets.openInterest',
    input: pair,
    route: 'GET /markets/{pair_id}/open-interest',
    parts: [
      { shown: '', told: 'open_interest', fields: { long: 'open_interest_long_usdc', short: 'open_interest_short_usdc', updatedAtMs: 'updated_at_ms' } },
      {
        shown: 'history',
        told: 'open_interest.history',
        by: ['atMs', 'at_ms'],
        fields: { atMs: 'at_ms', long: 'open_interest_long_usdc', short: 'open_interest_short_usdc' },
        added: now('open_interest'),
        ownRows: fromReadings,
      },
    ],
    own: ['historyFrom'],
    unshown: ['open_interest.pair_id'],
  }),
  view({
    query: 'markets.vault',
    input: nothing,
    route: 'GET /vault',
    parts: [
      {
        shown: 'vault',
        told: 'vault',
        fields: {
          assetsUsdc: 'assets_usdc',
          shares: 'shares',
          sharePriceUsdc: 'share_price_usdc',
          utilisationPercent: 'utilisation_pct',
          yearlyPercent: 'apr_30d_pct',
          updatedAtMs: 'updated_at_ms',
        },
      },
      { shown: 'vault.history', told: 'vault.history', by: ['atMs', 'at_ms'], fields: { atMs: 'at_ms', sharePriceUsdc: 'share_price_usdc' } },
    ],
    own: [],
    unshown: ['vault.history.assets_usdc', 'vault.history.shares', 'vault.history.utilisation_pct'],
  }),
  view({
    query: 'markets.liquidations',
    input: nothing,
    route: 'GET /liquidations',
    parts: [
      {
        shown: 'liquidations',
        told: 'liquidations',
        by: ['price', 'price'],
        fields: { pairId: 'pair_id', symbol: 'symbol', side: 'side', size: 'size', price: 'price', atMs: 'at_ms' },
      },
    ],
    own: ['liquidations.id', 'liquidations.valueUsdc', 'liquidations.wallet', 'liquidations.txHash', 'missing.unreadable', 'missing.more'],
    unshown: [],
  }),
  view({
    query: 'markets.breakers',
    input: nothing,
    route: 'GET /circuit-breakers',
    parts: [
      { shown: 'breakers', told: 'circuit_breakers', by: ['name', 'name'], fields: { name: 'name', tripped: 'tripped', reason: 'reason', sinceMs: 'since' } },
    ],
    own: ['breakers.state', 'breakers.seenAtMs', 'missing.unreadable', 'missing.more'],
    unshown: [],
  }),
  view({
    query: 'markets.marks',
    input: ({ pairId }) => ({ pairIds: [pairId] }),
    route: 'GET /marks',
    parts: [{ shown: 'marks', told: 'marks', by: ['pairId', 'pair_id'], fields: { pairId: 'pair_id', mark: 'mark_price', priceAtMs: 'updated_at_ms' } }],
    own: [],
    unshown: [],
  }),
  view({
    query: 'markets.ownToken',
    input: nothing,
    route: 'GET /api/public/baq-market',
    parts: [
      {
        shown: '',
        told: 'market',
        fields: {
          symbol: 'symbol',
          price: 'price_usdc',
          change24h: 'change_24h_pct',
          volume24h: 'volume_24h_usdc',
          high24h: 'high_24h_usdc',
          low24h: 'low_24h_usdc',
          marketCap: 'market_cap_usdc',
          fullyDiluted: 'fully_diluted_value_usdc',
          supply: 'total_supply',
          maxSupply: 'max_supply',
          circulating: 'circulating_supply',
          updatedAtMs: 'updated_at_ms',
        },
      },
      { shown: 'history', told: 'market.history', by: ['atMs', 'at_ms'], fields: { atMs: 'at_ms', price: 'price_usdc' } },
    ],
    own: ['liquidity'],
    unshown: ['market.quote'],
  }),
  view({
    query: 'markets.ownTokenMetrics',
    input: nothing,
    route: 'GET /api/public/baq-metrics',
    parts: [
      {
        shown: '',
        told: 'metrics',
        fields: {
          symbol: 'symbol',
          supply: 'total_supply',
          maxSupply: 'max_supply',
          circulating: 'circulating_supply',
          staked: 'staked',
          stakedPercent: 'staked_pct',
          yearlyPercent: 'staking_apr_pct',
          burned: 'burned',
          burned24h: 'burned_24h',
          holders: 'holders',
          updatedAtMs: 'updated_at_ms',
        },
      },
      { shown: 'history', told: 'metrics.history', by: ['atMs', 'at_ms'], fields: { atMs: 'at_ms', holders: 'holders' } },
    ],
    own: ['marketCap'],
    // The app shows the following fields under the service’s own names, not as fields of this query.
    unshown: ['metrics.transfers_24h', 'metrics.fees_24h_usdc', 'metrics.history.staked', 'metrics.history.burned'],
  }),
]
