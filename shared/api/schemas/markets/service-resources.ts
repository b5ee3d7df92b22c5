import { type AnswerOf, type AnswerReader, answerReader, oneOf, recordIn } from '../../reader/answer.ts'
import { type Kind, may } from '../../reader/field.ts'
import { asFlag, count, custom, flag, id, isRecord, record, text, texts, time } from '../../reader/kinds.ts'
import { readRecords } from '../../reader/read-records.ts'
import { type Read, resource } from '../../reader/resource.ts'
import { each } from '../name-lists.ts'

const stateOf = (value: unknown): string | undefined =>
  typeof value === 'boolean' ? (value ? 'ok' : 'down') : typeof value === 'string' && value !== '' ? value : undefined
const stateNames = ['status', 'state', 'health', 'ok', 'healthy', 'up'] as const

/** Reads a service's state from `"ok"`, `true` or `{status: "ok"}`. */
const state: Kind<string> = custom(
  'state',
  (value) => (isRecord(value) ? stateOf(stateNames.map((name) => value[name]).find((said) => said !== undefined && said !== null)) : stateOf(value)),
  'any',
  false,
)

export const serviceStatus = resource({
  name: 'service_status',
  words: ['service', 'component'],
  sentence: '/status names the state of the API, the network and the market engine in words.',
  source: 'Versioned API: answer of /status not shown',
  fields: {
    api: may(['api', 'api_status', 'status', 'service', 'gateway', 'health'], state),
    network: may(['network', 'chain', 'network_status', 'chain_status', 'rpc', 'blockchain'], state),
    engine: may(['market_engine', 'engine', 'markets', 'market_engine_status', 'matching_engine', 'engine_status', 'trading', 'matching'], state),
    blockNumber: may(
      [
        'block_number',
        'height',
        'block',
        'latest_block',
        'network_block_number',
        'last_block',
        'head_block',
        'chain_block_number',
        'block_height',
        'included_in_block',
        'at_block',
      ],
      count,
    ),
    serverTimeMs: may(['server_time', 'server_time_ms', 'time', 'timestamp', 'now', 'as_of'], time),
  },
})
export const ServiceStatus = oneOf(serviceStatus)
export type ServiceStatus = AnswerOf<typeof ServiceStatus>

const addresses = resource({
  name: 'contracts',
  words: ['contract', 'address'],
  sentence: null,
  source: '',
  fields: {
    router: may(
      [
        'router',
        'verifying_contract',
        ...each(['router', 'dex', 'exchange', 'trading', 'perp', 'main'], ['router', 'address', 'contract']),
        'exchange',
        'clearing_house',
        'dex',
      ],
      text,
    ),
    usdc: may(
      [
        'usdc',
        ...each(['collateral', 'usdc', 'margin', 'quote', 'settlement', 'deposit'], ['token', 'asset', 'coin', 'currency', 'contract', 'address']),
        'collateral',
        'stablecoin',
      ],
      text,
    ),
    svc: may(['svc', 'protocol_token', 'own_token', 'svc_address', 'native_token', 'token'], text),
  },
})
/**
 * Contract addresses as the service publishes them. The app does not trust them yet. `svc` is the protocol's own token; the unknown fields
 * are other contracts by name.
 */
export type PublishedContracts = Read<typeof addresses.fields>
const contractsOf: Kind<PublishedContracts> = custom(
  'contracts',
  (value, _, context) => (isRecord(value) ? readRecords(addresses, [value], context, () => {}).items[0] : undefined),
  'record',
)

const chainId = may(['chain_id', 'network_id', 'chain', 'network_chain_id'], count)
const contracts = may(['contracts', 'addresses', 'contract_addresses', 'deployments', 'onchain'], contractsOf)

export const meta = resource({
  name: 'meta',
  words: ['meta'],
  sentence:
    '/meta and /api/dex/config publish the router, the collateral token and the protocol’s own token under `contracts`, the approval model under `collateral_model.approval.permit`, and under `order_model` the kinds of order, of margin and of time in force that are taken; what is not told there is offered. A transaction may call, and a permit may name, any other contract published there, once the user confirmed it.',
  source: 'Versioning 3 and Unversioned public routes: shapes not shown but for `collateral_model.approval.permit`',
  fields: {
    apiVersion: may(['api_version', 'version'], id),
    schema: may(['schema', 'schema_version', 'api_schema'], id),
    scopes: may(['scopes', ...each(['available', 'supported', 'published', 'known', 'offered', 'all'], ['scopes'])], texts),
    capabilities: may(['capabilities', 'features'], record),
    limits: may(['limits', 'api_limits', 'rate_limits'], record),
    chainId,
    contracts,
  },
})

const delegation = resource({
  name: 'capabilities',
  words: ['capability'],
  sentence: null,
  source: '',
  fields: { delegated: may(['delegated_execution', 'delegated', 'orders_execute', 'executor'], flag) },
})

export const ServiceMeta = answerReader(
  (json, complain, context) => {
    const found = recordIn(meta, json, complain, context)
    if (found === undefined) return undefined
    const said = found.capabilities === null ? undefined : readRecords(delegation, [found.capabilities], context, () => {}).items[0]
    return { ...found, delegated: said?.delegated ?? null }
  },
  (json, fieldMap) => oneOf(meta).inspect(json, fieldMap),
)
export type ServiceMeta = AnswerOf<typeof ServiceMeta>

export const config = resource({
  name: 'config',
  words: ['config'],
  sentence: null,
  source: '',
  fields: {
    chainId,
    contracts,
    collateralModel: may(['collateral_model', 'collateral'], record),
    orderModel: may(['order_model', 'orders'], record),
    feeModel: may(['fee_model', 'fees'], record),
    precisionModel: may(['precision_model', 'precision'], record),
    developerApi: may(['developer_api', 'developer'], record),
    executionModel: may(['execution_model', 'execution'], record),
  },
})

/** Whether a permit may replace an approval: only if `collateral_model.approval.permit` is true (Flow rule 4). */
const permitOf = (model: Readonly<Record<string, unknown>> | null): boolean => {
  const approval = model?.approval
  return isRecord(approval) && asFlag(approval.permit) === true
}

const orderModel = resource({
  name: 'order_model',
  words: ['model'],
  sentence: null,
  source: '',
  fields: {
    orderTypes: may(['order_types', 'types', 'order_kinds'], texts),
    marginModes: may(['margin_modes', 'margin_mode'], texts),
    timesInForce: may(['time_in_force', 'times_in_force', 'tif'], texts),
  },
})

export const ServiceConfig = answerReader(
  (json, complain, context) => {
    const found = recordIn(config, json, complain, context)
    if (found === undefined) return undefined
    const taken = readRecords(orderModel, [found.orderModel ?? {}], context, () => {}).items[0]
    return {
      ...found,
      orderTypes: taken?.orderTypes ?? null,
      marginModes: taken?.marginModes ?? null,
      timesInForce: taken?.timesInForce ?? null,
      permit: permitOf(found.collateralModel),
    }
  },
  (json, fieldMap) => oneOf(config).inspect(json, fieldMap),
)
export type ServiceConfig = AnswerOf<typeof ServiceConfig>

/** Accepts any answer and returns it unchanged. */
export const AnyAnswer: AnswerReader<unknown> = answerReader((json) => (json === undefined ? undefined : json))
