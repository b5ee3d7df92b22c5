import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { limits } from '../limits.ts'
import { AccountState, OrderPage, PositionList } from '../schemas/account.ts'
import { CollateralState } from '../schemas/collateral.ts'
import { CandleQuery, noBody, noParams, noQuery, PairId, PairQuery, WalletPageQuery, WalletQuery } from '../schemas/inputs.ts'
import { TransactionPage } from '../schemas/intents.ts'
import { BreakerList } from '../schemas/keys/safety.ts'
import { FundingAnswer, LiquidationList, OpenInterestAnswer, VaultAnswer } from '../schemas/markets/market-state.ts'
import { CandleList, MarketCatalogue, MarkList, SummaryAnswer, SummaryList } from '../schemas/markets/markets.ts'
import { OrderBookList } from '../schemas/markets/order-book.ts'
import { OwnTokenMarket, OwnTokenMetrics } from '../schemas/markets/own-token.ts'
import { ServiceConfig, ServiceStatus } from '../schemas/markets/service.ts'
import { PositionHistoryPage, TradePage } from '../schemas/position-history.ts'

const read = {
  root: 'host',
  credential: 'none',
  scope: null,
  limiter: 'public',
  success: 200,
  retry: 'safe',
  secrets: [],
  evidence: 'assumed',
  params: noParams,
  query: noQuery,
  body: noBody,
} as const

const MarketParams = z.object({ id: PairId })
/** `pair_ids` of 1 to 12 markets, joined by commas. */
const MarksQuery = z.object({
  pair_ids: z.string().refine((ids) => new RegExp(`^\\d+(,\\d+){0,${limits.marksMarkets.max - 1}}$`).test(ids), '1 to 12 market ids, joined by commas'),
})
const HistoryQuery = CandleQuery.extend({ before: z.number().int().optional() })

/** Unversioned reads: 23. Not a stable contract; the versioned twin is preferred wherever a key has the scope (GEN-10). */
export const publicEndpoints = {
  getConfig: endpoint({ ...read, route: 'GET /api/dex/config', response: ServiceConfig }),
  getPublicMarkets: endpoint({ ...read, route: 'GET /api/dex/markets', response: MarketCatalogue }),
  getPublicSummaries: endpoint({ ...read, route: 'GET /api/dex/summaries', response: SummaryList }),
  getPublicSummary: endpoint({ ...read, route: 'GET /api/dex/summary', query: PairQuery, response: SummaryAnswer }),
  getPublicCandles: endpoint({ ...read, route: 'GET /api/dex/candles', query: CandleQuery, response: CandleList }),
  getPublicCandleHistory: endpoint({ ...read, route: 'GET /api/dex/candles/history', query: HistoryQuery, response: CandleList }),
  getMarks: endpoint({ ...read, route: 'GET /api/dex/marks', query: MarksQuery, response: MarkList }),
  getPublicOrderbook: endpoint({ ...read, route: 'GET /api/dex/orderbook', query: z.object({ pair_id: PairId.optional() }), response: OrderBookList }),
  getPublicVault: endpoint({ ...read, route: 'GET /api/dex/vault', response: VaultAnswer }),
  getLiquidations: endpoint({ ...read, route: 'GET /api/dex/liquidations', response: LiquidationList }),
  getPublicFunding: endpoint({ ...read, route: 'GET /api/dex/markets/{id}/funding', params: MarketParams, response: FundingAnswer }),
  getPublicOpenInterest: endpoint({ ...read, route: 'GET /api/dex/markets/{id}/open-interest', params: MarketParams, response: OpenInterestAnswer }),
  getPublicStatus: endpoint({ ...read, route: 'GET /api/dex/status', response: ServiceStatus }),
  getCircuitBreakers: endpoint({ ...read, route: 'GET /api/dex/circuit-breakers', response: BreakerList }),
  getPublicAccount: endpoint({ ...read, route: 'GET /api/dex/account', query: WalletQuery, response: AccountState }),
  getPublicPositions: endpoint({ ...read, route: 'GET /api/dex/positions', query: WalletQuery, response: PositionList }),
  getPublicOrders: endpoint({ ...read, route: 'GET /api/dex/orders', query: WalletPageQuery, response: OrderPage }),
  getPublicCollateral: endpoint({ ...read, route: 'GET /api/dex/collateral', query: WalletQuery, response: CollateralState }),
  getPublicTransactions: endpoint({ ...read, route: 'GET /api/dex/transactions', query: WalletPageQuery, response: TransactionPage }),
  getPublicTrades: endpoint({ ...read, route: 'GET /api/dex/trades', query: WalletPageQuery, response: TradePage }),
  getPublicPositionHistory: endpoint({ ...read, route: 'GET /api/dex/positions/history', query: WalletPageQuery, response: PositionHistoryPage }),
  getTokenMarket: endpoint({ ...read, route: 'GET /api/public/baq-market', response: OwnTokenMarket }),
  getTokenMetrics: endpoint({ ...read, route: 'GET /api/public/baq-metrics', response: OwnTokenMetrics }),
} as const
