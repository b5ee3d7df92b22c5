import type { Clock } from '../../../../shared/time.ts'
import type { Faults } from '../../base/faults.ts'
import { allScopes } from '../../base/scopes.ts'
import type { Chain } from '../../chain/practice-chain.ts'
import { wholeNumber } from '../http/paging.ts'
import { type Ask, answer, invalid, notFound, type Reply } from '../http/reply.ts'
import type { Breakers } from '../market/breakers.ts'
import { type Candles, historyAtMost, intervals } from '../market/candles.ts'
import { catalogue, type Market, marketOfText } from '../market/catalogue.ts'
import type { Vault } from '../market/liquidity-vault.ts'
import type { Marks } from '../market/mark-prices.ts'
import type { OwnToken } from '../market/own-token.ts'
import type { Summaries } from '../market/summaries.ts'
import type { OrderBook } from '../positions/order-book.ts'

interface Parts {
  readonly chain: Chain
  readonly clock: Clock
  readonly marks: Marks
  readonly candles: Candles
  readonly summaries: Summaries
  readonly orderBook: OrderBook
  readonly ownToken: OwnToken
  readonly vault: Vault
  readonly breakers: Breakers
  readonly faults: Pick<Faults, 'noPermit' | 'published' | 'stream' | 'emptyBook'>
}

export type MarketViews = ReturnType<typeof createMarketViews>

/** The name of the executor that executes delegated actions in practice, for `PUT /keys/{key_id}/executor`. */
export const executorName = 'exec-practice-1'

const candlesAtOnce = 1_000
const pageOfHistory = 1_000

export function createMarketViews({ chain, clock, marks, candles, summaries, orderBook, ownToken, vault, breakers, faults }: Parts) {
  const named = (text: string | null | undefined, answerFor: (market: Market) => Record<string, unknown>): Reply => {
    const market = marketOfText(text)
    return market === null ? notFound('The market') : answer({ success: true, ...answerFor(market) })
  }
  const bookOf = (market: Market) => ({ ...orderBook.of(market), ...(faults.emptyBook && { bids: [], asks: [] }) })
  const asked = (ask: Ask): Market | null => marketOfText(ask.query.get('pair_id'))

  const candleList = (ask: Ask, history: boolean): Reply => {
    const market = asked(ask)
    if (market === null) return invalid('pair_id', 'must be the id of a market')
    const interval = ask.query.get('interval') ?? '1m'
    if (!intervals.includes(interval)) return invalid('interval', `must be one of ${intervals.join(', ')}`)
    const limit = wholeNumber(ask.query, 'limit', { from: 1, to: candlesAtOnce, fallback: history ? pageOfHistory : 300 })
    if (!limit.ok) return limit.failure
    const paged = { pair_id: market.id, interval, volume_unit: 'base' }
    if (!history) return answer({ success: true, ...paged, candles: candles.own(market, interval, limit.value).candles })
    const before = wholeNumber(ask.query, 'before', { from: 0, to: Number.MAX_SAFE_INTEGER, fallback: marks.atMs() + 1 })
    if (!before.ok) return before.failure
    const page = candles.history(market, interval, limit.value, before.value)
    return answer({
      success: true,
      ...paged,
      candles: page.candles,
      next_before: page.hasMore ? (page.candles[0]?.t ?? null) : null,
      has_more: page.hasMore,
      max_candles: historyAtMost,
      history_sources: page.sources,
    })
  }

  return {
    status: async (): Promise<Reply> => {
      const serverTime = new Date(clock.now()).toISOString()
      try {
        const block = await chain.blockNumber()
        return answer({ success: true, api: 'ok', network: 'ok', market_engine: engine(), block_number: Number(block), server_time: serverTime })
      } catch {
        return answer({ success: true, api: 'ok', network: 'unavailable', market_engine: engine(), block_number: null, server_time: serverTime })
      }
    },
    meta: (): Reply =>
      answer({
        success: true,
        api_version: 'v1',
        schema: faults.published?.schema ?? 'svc-dex-api-v1.1',
        scopes: faults.published?.scopes ?? allScopes,
        capabilities: {
          signed_intent: true,
          permit_deposit: true,
          delegated_execution: faults.published?.delegated ?? true,
          webhooks: true,
          stream: faults.stream !== null,
        },
        chain_id: 8453,
        contracts: { router: faults.published?.router ?? chain.router, usdc: chain.usdc },
      }),
    config: (): Reply =>
      answer({
        success: true,
        chain_id: 8453,
        contracts: { router: faults.published?.router ?? chain.router, collateral_token: chain.usdc, protocol_token: chain.svc },
        collateral_model: {
          token: 'USDC',
          decimals: 6,
          approval: { permit: !faults.noPermit },
          tokens: [
            { token: 'USDC', address: chain.usdc, decimals: 6, permit: true },
            { token: 'SVC', address: chain.svc, decimals: 18, permit: false },
          ],
        },
        order_model: {
          order_types: faults.published?.orderTypes ?? ['market', 'limit', 'stop'],
          margin_modes: faults.published?.marginModes ?? ['cross', 'isolated'],
          time_in_force: faults.published?.timesInForce ?? ['gtc', 'ioc', 'fok'],
          max_slippage_bps: 1000,
        },
        fee_model: { trading_fee_bps: 5, network_cost_charged_in: 'USDC', charged_from: 'dex_collateral' },
        precision_model: { order_value_decimals: 6, price_decimals_on_chain: 8 },
        developer_api: { base_path: '/api/dex/v1', version: 'v1', schema: 'svc-dex-api-v1.1', keys_per_wallet: 10, executors: [executorName] },
      }),
    markets: (): Reply => answer({ success: true, markets: catalogue.map(summaries.listing), server_time: new Date(clock.now()).toISOString() }),
    candles: (ask: Ask) => candleList(ask, false),
    history: (ask: Ask) => candleList(ask, true),
    /**
     * Returns a snapshot of all mark prices. `sequence` is the wallet's current sequence number in the event stream. If `sequence` is null, the
     * response contains the time of the mark prices, in Unix seconds, in place of a sequence number.
     */
    snapshot: (sequence: number | null): Reply =>
      answer({ success: true, sequence: sequence ?? Math.floor(marks.atMs() / 1000), at_ms: marks.atMs(), markets: catalogue.map(summaries.mark) }),
    summary: (ask: Ask): Reply => {
      const market = asked(ask)
      return market === null ? invalid('pair_id', 'must be the id of a market') : answer({ success: true, summary: summaries.summary(market) })
    },
    summaries: (): Reply => answer({ success: true, summaries: catalogue.map(summaries.summary) }),
    /** Returns mark prices. The query `pair_ids` lists 1 to 12 ids, separated by commas. */
    marks: (ask: Ask): Reply => {
      const ids = (ask.query.get('pair_ids') ?? '').split(',')
      const listed = ids.map(marketOfText)
      if (ids.length > 12) return invalid('pair_ids', 'must name 1 to 12 markets')
      const known = listed.filter((market) => market !== null)
      if (known.length !== ids.length) return invalid('pair_ids', 'must be ids of markets, separated by commas')
      return answer({ success: true, marks: known.map(summaries.mark) })
    },
    funding: (ask: Ask) => named(ask.params.pair_id ?? ask.params.id, (market) => ({ funding: summaries.funding(market) })),
    openInterest: (ask: Ask) => named(ask.params.pair_id ?? ask.params.id, (market) => ({ open_interest: summaries.openInterest(market) })),
    orderbook: (ask: Ask): Reply => {
      if (!ask.query.has('pair_id')) return answer({ success: true, orderbooks: catalogue.filter((market) => market.status === 'open').map(bookOf) })
      const market = asked(ask)
      return market === null ? invalid('pair_id', 'must be the id of a market') : answer({ success: true, orderbook: bookOf(market) })
    },
    vault: (): Reply => answer({ success: true, vault: vault.state() }),
    tokenMarket: (): Reply => answer({ success: true, market: ownToken.market() }),
    tokenMetrics: (): Reply => answer({ success: true, metrics: ownToken.metrics() }),
    circuitBreakers: (): Reply => answer({ success: true, circuit_breakers: breakers.states() }),
  }

  function engine(): string {
    return clock.now() - marks.atMs() > 8_000 ? 'stale' : 'ok'
  }
}
