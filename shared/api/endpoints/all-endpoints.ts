import { z } from 'zod'
import { interval } from '../../ipc/reads/markets.ts'
import { endpoint } from '../endpoint.ts'
import { limits } from '../limits.ts'
import { AccountState, OrderPage, PositionList } from '../schemas/account-resources.ts'
import { CollateralState } from '../schemas/collateral.ts'
import {
  DelegatedExecution,
  DelegatedStatus,
  ExecuteRequest,
  ExecutionReport,
  IntentAnswer,
  ReceiptRequest,
  RelayAnswer,
  RelayRequest,
  TransactionPage,
} from '../schemas/intents.ts'
import { BreakerList } from '../schemas/keys/safety.ts'
import { CandleList, MarketCatalogue, MarkList, Snapshot, SummaryAnswer, SummaryList } from '../schemas/markets/market-resources.ts'
import { FundingAnswer, LiquidationList, OpenInterestAnswer, VaultAnswer } from '../schemas/markets/market-state-resources.ts'
import { OrderBookList } from '../schemas/markets/order-book.ts'
import { OwnTokenMarket, OwnTokenMetrics } from '../schemas/markets/own-token.ts'
import { RiskPreviewAnswer, RiskPreviewRequest } from '../schemas/markets/risk-preview.ts'
import { AnyAnswer, ServiceConfig, ServiceMeta, ServiceStatus } from '../schemas/markets/service-resources.ts'
import {
  Address,
  CandleQuery,
  noBody,
  noParams,
  noQuery,
  PageQuery,
  PairId,
  PairQuery,
  PathId,
  TransactionHash,
  WalletPageQuery,
  WalletQuery,
} from '../schemas/page.ts'
import { PositionHistoryPage, TradePage } from '../schemas/position-history.ts'
import { PreparedAction, PrepareRequest } from '../schemas/prepared-action-resources.ts'
import { developerEndpoints } from './developer.ts'

const publicRead = {
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
/** `pair_ids`: 1 to 12 market ids, joined by commas. */
const MarksQuery = z.object({
  pair_ids: z.string().refine((ids) => new RegExp(`^\\d+(,\\d+){0,${limits.marksMarkets.max - 1}}$`).test(ids), '1 to 12 market ids, joined by commas'),
})
const HistoryQuery = CandleQuery.extend({ before: z.number().int().optional() })

/**
 * The 23 unversioned reads. They may change without notice, so the app prefers the versioned endpoint for the same data if the key has its scope
 * (GEN-10).
 */
const publicEndpoints = {
  getConfig: endpoint({ ...publicRead, route: 'GET /api/dex/config', response: ServiceConfig }),
  getPublicMarkets: endpoint({ ...publicRead, route: 'GET /api/dex/markets', response: MarketCatalogue }),
  getPublicSummaries: endpoint({ ...publicRead, route: 'GET /api/dex/summaries', response: SummaryList }),
  getPublicSummary: endpoint({ ...publicRead, route: 'GET /api/dex/summary', query: PairQuery, response: SummaryAnswer }),
  getPublicCandles: endpoint({ ...publicRead, route: 'GET /api/dex/candles', query: CandleQuery, response: CandleList }),
  getPublicCandleHistory: endpoint({ ...publicRead, route: 'GET /api/dex/candles/history', query: HistoryQuery, response: CandleList }),
  getMarks: endpoint({ ...publicRead, route: 'GET /api/dex/marks', query: MarksQuery, response: MarkList }),
  getPublicOrderbook: endpoint({ ...publicRead, route: 'GET /api/dex/orderbook', query: z.object({ pair_id: PairId.optional() }), response: OrderBookList }),
  getPublicVault: endpoint({ ...publicRead, route: 'GET /api/dex/vault', response: VaultAnswer }),
  getLiquidations: endpoint({ ...publicRead, route: 'GET /api/dex/liquidations', response: LiquidationList }),
  getPublicFunding: endpoint({ ...publicRead, route: 'GET /api/dex/markets/{id}/funding', params: MarketParams, response: FundingAnswer }),
  getPublicOpenInterest: endpoint({ ...publicRead, route: 'GET /api/dex/markets/{id}/open-interest', params: MarketParams, response: OpenInterestAnswer }),
  getPublicStatus: endpoint({ ...publicRead, route: 'GET /api/dex/status', response: ServiceStatus }),
  getCircuitBreakers: endpoint({ ...publicRead, route: 'GET /api/dex/circuit-breakers', response: BreakerList }),
  getPublicAccount: endpoint({ ...publicRead, route: 'GET /api/dex/account', query: WalletQuery, response: AccountState }),
  getPublicPositions: endpoint({ ...publicRead, route: 'GET /api/dex/positions', query: WalletQuery, response: PositionList }),
  getPublicOrders: endpoint({ ...publicRead, route: 'GET /api/dex/orders', query: WalletPageQuery, response: OrderPage }),
  getPublicCollateral: endpoint({ ...publicRead, route: 'GET /api/dex/collateral', query: WalletQuery, response: CollateralState }),
  getPublicTransactions: endpoint({ ...publicRead, route: 'GET /api/dex/transactions', query: WalletPageQuery, response: TransactionPage }),
  getPublicTrades: endpoint({ ...publicRead, route: 'GET /api/dex/trades', query: WalletPageQuery, response: TradePage }),
  getPublicPositionHistory: endpoint({ ...publicRead, route: 'GET /api/dex/positions/history', query: WalletPageQuery, response: PositionHistoryPage }),
  getTokenMarket: endpoint({ ...publicRead, route: 'GET /api/public/baq-market', response: OwnTokenMarket }),
  getTokenMetrics: endpoint({ ...publicRead, route: 'GET /api/public/baq-metrics', response: OwnTokenMetrics }),
} as const

const accountRead = {
  root: 'base',
  credential: 'key',
  scope: 'account:read',
  limiter: 'versioned',
  success: 200,
  retry: 'safe',
  secrets: [],
  evidence: 'assumed',
  params: noParams,
  query: noQuery,
  body: noBody,
} as const

/** The 12 account endpoints. All need `account:read`, and return data only for the wallet that owns the API key. */
const accountEndpoints = {
  getAccount: endpoint({ ...accountRead, route: 'GET /account', response: AccountState }),
  getPositions: endpoint({ ...accountRead, route: 'GET /positions', response: PositionList }),
  getOrders: endpoint({ ...accountRead, route: 'GET /orders', query: PageQuery, response: OrderPage }),
  getOrderByClientId: endpoint({
    ...accountRead,
    route: 'GET /orders/by-client-id',
    query: z.object({ client_order_id: z.string().min(1).max(limits.clientOrderIdLength) }),
    response: IntentAnswer,
  }),
  getCollateral: endpoint({ ...accountRead, route: 'GET /collateral', response: CollateralState }),
  previewRisk: endpoint({ ...accountRead, route: 'POST /risk/preview', body: RiskPreviewRequest, response: RiskPreviewAnswer }),
  getTransactions: endpoint({ ...accountRead, route: 'GET /transactions', query: PageQuery, response: TransactionPage }),
  getTrades: endpoint({ ...accountRead, route: 'GET /trades', query: PageQuery, response: TradePage }),
  getPositionHistory: endpoint({ ...accountRead, route: 'GET /positions/history', query: PageQuery, response: PositionHistoryPage }),
  getNativeExecution: endpoint({
    ...accountRead,
    route: 'GET /native/executions/{tx_hash}',
    params: z.object({ tx_hash: TransactionHash }),
    query: z.object({ account: Address.optional(), trade_id: z.string().optional() }),
    response: ExecutionReport,
  }),
  getDelegatedExecution: endpoint({
    ...accountRead,
    route: 'GET /executions/{command_id}',
    params: z.object({ command_id: PathId }),
    response: DelegatedStatus,
  }),
  // The API document says that this endpoint currently answers 503. The client checks only the status and does not read the stream.
  openStream: endpoint({
    ...accountRead,
    empty: 'ok',
    route: 'GET /stream',
    query: z.object({ pair_id: PairId.optional(), interval: interval.optional() }),
    response: AnyAnswer,
  }),
} as const

const read = {
  root: 'base',
  credential: 'key',
  scope: 'market:read',
  limiter: 'versioned',
  success: 200,
  retry: 'safe',
  secrets: [],
  evidence: 'assumed',
  params: noParams,
  query: noQuery,
  body: noBody,
} as const

const PairParams = z.object({ pair_id: PairId })

/** The 11 market data endpoints. All need `market:read`. */
export const marketEndpoints = {
  getStatus: endpoint({ ...read, route: 'GET /status', response: ServiceStatus }),
  getMeta: endpoint({ ...read, route: 'GET /meta', response: ServiceMeta }),
  getMarkets: endpoint({ ...read, route: 'GET /markets', response: MarketCatalogue }),
  getCandles: endpoint({ ...read, route: 'GET /candles', query: CandleQuery, response: CandleList }),
  getSnapshot: endpoint({ ...read, route: 'GET /snapshot', response: Snapshot }),
  getSummary: endpoint({ ...read, route: 'GET /summary', query: PairQuery, response: SummaryAnswer }),
  getSummaries: endpoint({ ...read, route: 'GET /summaries', response: SummaryList }),
  getFunding: endpoint({ ...read, route: 'GET /markets/{pair_id}/funding', params: PairParams, response: FundingAnswer }),
  getOpenInterest: endpoint({ ...read, route: 'GET /markets/{pair_id}/open-interest', params: PairParams, response: OpenInterestAnswer }),
  getOrderbook: endpoint({ ...read, route: 'GET /orderbook', query: z.object({ pair_id: PairId.optional() }), response: OrderBookList }),
  getVault: endpoint({ ...read, route: 'GET /vault', response: VaultAnswer }),
} as const

const write = { root: 'base', credential: 'key', limiter: 'versioned', secrets: [], evidence: 'documented', params: noParams, query: noQuery } as const

/** The 2 trading endpoints. `actions.ts` lists the scopes by action. */
const tradingEndpoints = {
  prepareOrder: endpoint({
    ...write,
    route: 'POST /orders/prepare',
    scope: 'by_action',
    success: 200,
    // This call executes nothing, and the service repeats its answer for the same idempotency key. But it is not 'safe', because only the body
    // stored in the journal may be sent again (Idempotency rule 5). The caller takes care of that.
    retry: 'never',
    body: PrepareRequest,
    response: PreparedAction,
  }),
  executeOrder: endpoint({
    ...write,
    route: 'POST /orders/execute',
    scope: 'by_action',
    success: 202,
    retry: 'never',
    body: ExecuteRequest,
    response: DelegatedExecution,
  }),
} as const

const host = { root: 'host', credential: 'none', scope: null, limiter: 'public', success: 200, params: noParams, query: noQuery } as const

/** The 2 unversioned relay and receipt endpoints. They take no credential (Authentication 9). */
const relayEndpoints = {
  relayIntent: endpoint({
    ...host,
    route: 'POST /api/dex/actions/relay',
    retry: 'never',
    secrets: ['signature'],
    evidence: 'documented',
    body: RelayRequest,
    response: RelayAnswer,
  }),
  // Reporting a receipt twice changes nothing, because the transaction is already on the chain.
  reportReceipt: endpoint({
    ...host,
    route: 'POST /api/dex/actions/receipt',
    retry: 'safe',
    empty: 'ok',
    secrets: [],
    evidence: 'documented',
    body: ReceiptRequest,
    response: AnyAnswer,
  }),
} as const

/** The 66 endpoints of the API document, grouped as in the document. */
export const endpointGroups = {
  developer: developerEndpoints,
  market: marketEndpoints,
  account: accountEndpoints,
  trading: tradingEndpoints,
  public: publicEndpoints,
  relay: relayEndpoints,
} as const

export const endpoints = { ...developerEndpoints, ...marketEndpoints, ...accountEndpoints, ...tradingEndpoints, ...publicEndpoints, ...relayEndpoints } as const
export type EndpointName = keyof typeof endpoints
