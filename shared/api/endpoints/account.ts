import { z } from 'zod'
import { interval } from '../../ipc/reads/markets.ts'
import { endpoint } from '../endpoint.ts'
import { limits } from '../limits.ts'
import { AccountState, OrderPage, PositionList } from '../schemas/account.ts'
import { CollateralState } from '../schemas/collateral.ts'
import { Address, noBody, noParams, noQuery, PageQuery, PairId, PathId, TransactionHash } from '../schemas/inputs.ts'
import { DelegatedStatus, ExecutionReport, IntentAnswer, TransactionPage } from '../schemas/intents.ts'
import { RiskPreviewAnswer, RiskPreviewRequest } from '../schemas/markets/risk-preview.ts'
import { AnyAnswer } from '../schemas/markets/service.ts'
import { PositionHistoryPage, TradePage } from '../schemas/position-history.ts'

const read = {
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

/** Account: 12, all of scope `account:read`, all about the key's own wallet. */
export const accountEndpoints = {
  getAccount: endpoint({ ...read, route: 'GET /account', response: AccountState }),
  getPositions: endpoint({ ...read, route: 'GET /positions', response: PositionList }),
  getOrders: endpoint({ ...read, route: 'GET /orders', query: PageQuery, response: OrderPage }),
  getOrderByClientId: endpoint({
    ...read,
    route: 'GET /orders/by-client-id',
    query: z.object({ client_order_id: z.string().min(1).max(limits.clientOrderIdLength) }),
    response: IntentAnswer,
  }),
  getCollateral: endpoint({ ...read, route: 'GET /collateral', response: CollateralState }),
  // A preview changes nothing, so it may be repeated.
  previewRisk: endpoint({ ...read, route: 'POST /risk/preview', body: RiskPreviewRequest, response: RiskPreviewAnswer }),
  getTransactions: endpoint({ ...read, route: 'GET /transactions', query: PageQuery, response: TransactionPage }),
  getTrades: endpoint({ ...read, route: 'GET /trades', query: PageQuery, response: TradePage }),
  getPositionHistory: endpoint({ ...read, route: 'GET /positions/history', query: PageQuery, response: PositionHistoryPage }),
  getNativeExecution: endpoint({
    ...read,
    route: 'GET /native/executions/{tx_hash}',
    params: z.object({ tx_hash: TransactionHash }),
    query: z.object({ account: Address.optional(), trade_id: z.string().optional() }),
    response: ExecutionReport,
  }),
  getDelegatedExecution: endpoint({ ...read, route: 'GET /executions/{command_id}', params: z.object({ command_id: PathId }), response: DelegatedStatus }),
  // Documented to answer 503 at present; the stream itself is not read through the JSON client.
  openStream: endpoint({
    ...read,
    empty: 'ok',
    route: 'GET /stream',
    query: z.object({ pair_id: PairId.optional(), interval: interval.optional() }),
    response: AnyAnswer,
  }),
} as const
