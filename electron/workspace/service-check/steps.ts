import { delegatedScopes, type PreparedActionName, preparedActionNames, preparedActions } from '../../../shared/api/actions.ts'
import type { Endpoint } from '../../../shared/api/endpoint.ts'
import { type EndpointName, endpoints } from '../../../shared/api/endpoints/all-endpoints.ts'
import type { Scope } from '../../../shared/api/scopes.ts'
import type { CheckKind } from '../../../shared/ipc/host/service-check.ts'
import type { Known } from './judge-answer.ts'
import { dryRunTickets } from './tickets.ts'

interface Place {
  readonly params: Readonly<Record<string, string | number>>
  readonly query: Readonly<Record<string, string | number>>
}

export interface ReadStep {
  readonly id: string
  readonly kind: Extract<CheckKind, 'read'>
  readonly endpoint: Endpoint
  readonly action: null
  /** The request's parameters, built from earlier answers. null if the earlier answers lack a value that the request needs. */
  place(known: Known, wallet: string): Place | null
}

export interface ActionStep {
  readonly id: string
  readonly kind: Exclude<CheckKind, 'read'>
  readonly endpoint: Endpoint
  readonly action: PreparedActionName | keyof typeof dryRunTickets
  readonly scopes: readonly Scope[]
}

export type Step = ReadStep | ActionStep

const nothing: Place = { params: {}, query: {} }
const always: ReadStep['place'] = () => nothing
const page: ReadStep['place'] = () => ({ params: {}, query: { limit: 20 } })
const ofWallet: ReadStep['place'] = (_, wallet) => ({ params: {}, query: { wallet } })
const pageOfWallet: ReadStep['place'] = (_, wallet) => ({ params: {}, query: { wallet, limit: 20 } })

const where =
  (at: (id: number) => Place): ReadStep['place'] =>
  ({ market }) =>
    market === null ? null : at(market.id)
const ofPair = where((pair_id) => ({ params: {}, query: { pair_id } }))
const candles = where((pair_id) => ({ params: {}, query: { pair_id, interval: '1h', limit: 20 } }))
const inPair = where((pair_id) => ({ params: { pair_id }, query: {} }))
const inId = where((id) => ({ params: { id }, query: {} }))

/** Every GET route except the stream, which never ends. Routes whose answers later steps need come first. */
const places = {
  getMarkets: always,
  getPublicMarkets: always,
  getSummaries: always,
  getPublicSummaries: always,
  getPositions: always,
  getOrders: page,
  getTransactions: page,
  getCollateral: always,
  getStatus: always,
  getMeta: always,
  getConfig: always,
  getSnapshot: always,
  getSummary: ofPair,
  getCandles: candles,
  getFunding: inPair,
  getOpenInterest: inPair,
  getOrderbook: ofPair,
  getVault: always,
  getAccount: always,
  getTrades: page,
  getPositionHistory: page,
  getOrderByClientId: ({ clientOrderId }) => (clientOrderId === null ? null : { params: {}, query: { client_order_id: clientOrderId } }),
  getNativeExecution: ({ txHash }, wallet) => (txHash === null ? null : { params: { tx_hash: txHash }, query: { account: wallet } }),
  getDelegatedExecution: ({ commandId }) => (commandId === null ? null : { params: { command_id: commandId }, query: {} }),
  getPublicStatus: always,
  getPublicSummary: ofPair,
  getPublicCandles: candles,
  getPublicCandleHistory: candles,
  getMarks: where((id) => ({ params: {}, query: { pair_ids: String(id) } })),
  getPublicOrderbook: ofPair,
  getPublicVault: always,
  getLiquidations: always,
  getPublicFunding: inId,
  getPublicOpenInterest: inId,
  getCircuitBreakers: always,
  getPublicAccount: ofWallet,
  getPublicPositions: ofWallet,
  getPublicOrders: pageOfWallet,
  getPublicCollateral: ofWallet,
  getPublicTransactions: pageOfWallet,
  getPublicTrades: pageOfWallet,
  getPublicPositionHistory: pageOfWallet,
  getTokenMarket: always,
  getTokenMetrics: always,
  listKeys: always,
  listAudit: page,
  listWebhooks: always,
} as const satisfies Partial<Record<EndpointName, ReadStep['place']>>

const namesOf = <Name extends string>(table: Readonly<Record<Name, unknown>>): readonly Name[] =>
  Object.keys(table).filter((name): name is Name => Object.hasOwn(table, name))

const reads: readonly ReadStep[] = namesOf(places).map((id) => ({ id, kind: 'read', endpoint: endpoints[id], action: null, place: places[id] }))

const preview: ActionStep = { id: 'preview', kind: 'preview', endpoint: endpoints.previewRisk, action: 'open_position', scopes: ['account:read'] }

const prepares: readonly ActionStep[] = preparedActionNames.map((action) => ({
  id: `prepare/${action}`,
  kind: 'prepare',
  endpoint: endpoints.prepareOrder,
  action,
  scopes: [preparedActions[action]],
}))

const dryRuns: readonly ActionStep[] = namesOf(dryRunTickets).map((action) => ({
  id: `dry_run/${action}`,
  kind: 'dry_run',
  endpoint: endpoints.executeOrder,
  action,
  scopes: delegatedScopes(action, action === 'batch' ? ['cancel'] : []),
}))

/** The steps whose answers other, later steps need. */
export const tellingSteps: ReadonlySet<string> = new Set<keyof typeof places>([
  'getMarkets',
  'getPublicMarkets',
  'getSummaries',
  'getPublicSummaries',
  'getPositions',
  'getPublicPositions',
  'getOrders',
  'getPublicOrders',
  'getTransactions',
  'getPublicTransactions',
  'getCollateral',
  'getPublicCollateral',
])

export const planOf = (withDryRuns: boolean): readonly Step[] => [...reads, preview, ...prepares, ...(withDryRuns ? dryRuns : [])]
