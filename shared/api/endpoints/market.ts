import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { CandleQuery, noBody, noParams, noQuery, PairId, PairQuery } from '../schemas/inputs.ts'
import { FundingAnswer, OpenInterestAnswer, VaultAnswer } from '../schemas/markets/market-state.ts'
import { CandleList, MarketCatalogue, Snapshot, SummaryAnswer, SummaryList } from '../schemas/markets/markets.ts'
import { OrderBookList } from '../schemas/markets/order-book.ts'
import { ServiceMeta, ServiceStatus } from '../schemas/markets/service.ts'

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

/** Market data: 11, all of scope `market:read`. */
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
