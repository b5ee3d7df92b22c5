import type { IdFamily } from './ids.ts'

/**
 * The meaning of a field in the exchange's own responses. Amounts are decimal text. Their units: `price` is USDC per unit of the base asset, `usdc`
 * is USDC, `base` is the market's base asset, and `token` is a token that another field names. `ratio` has no unit.
 * `ms` is Unix milliseconds; `iso` is a time as in RFC 3339. `fixed`: the API document defines the name of the field and everything inside it.
 */
export type Kind =
  | 'price'
  | 'usdc'
  | 'token'
  | 'percent'
  | 'ratio'
  | 'count'
  | 'ms'
  | 'iso'
  | 'flag'
  | 'text'
  | 'fixed'
  | { readonly base: string | null }
  | { readonly id: IdFamily }
  | { readonly word: string }
  | { readonly one: Resource }
  | { readonly many: Resource }

export interface Field {
  readonly key: string
  /** The thesaurus entry that lists the possible names of this field. */
  readonly concept: string
  readonly kind: Kind
}

export interface Resource {
  readonly name: string
  readonly fields: readonly Field[]
  /**
   * True if a list of these records may be written as arrays of values without names, for example a candle as `[time, open, high, low, close]`.
   */
  readonly isTuple: boolean
  /** The field that identifies a record if the dialect writes a list as a map from that field's value to the record; null if none is suitable. */
  readonly keyedBy: string | null
  /** Names of fields in the same record that show whether a size is in USDC or in the base asset. */
  readonly sizeWitnesses: readonly string[]
}

const unitWords = /_(usdc|pct|ms)$/

/** Defines a field of a record. `concept` is its entry in the thesaurus; by default, the field's name without its unit. */
const field = (key: string, kind: Kind, concept: string = key.replace(unitWords, '')): Field => ({ key, concept, kind })

function resource(name: string, fields: readonly Field[], more: Partial<Pick<Resource, 'isTuple' | 'keyedBy' | 'sizeWitnesses'>> = {}): Resource {
  return { name, fields, isTuple: false, keyedBy: null, sizeWitnesses: [], ...more }
}

const many =
  (kind: Kind) =>
  (...keys: readonly string[]): Field[] =>
    keys.map((key) => field(key, kind))
const price = many('price')
const usdc = many('usdc')
const token = many('token')
const percent = many('percent')
const count = many('count')
const text = many('text')
const ms = many('ms')
const iso = many('iso')
const base = (key: string, priceKey: string | null): Field => field(key, { base: priceKey })
const id = (key: string, family: IdFamily): Field => field(key, { id: family })
const word = (key: string, set: string, concept = key): Field => field(key, { word: set }, concept)
const flag = many('flag')
const market = [...count('pair_id'), ...text('symbol')]

export const position = resource(
  'positions',
  [
    id('position_id', 'position'),
    ...market,
    word('side', 'side', 'held_side'),
    base('size', 'mark_price'),
    ...usdc('notional_usdc'),
    ...price('entry_price', 'mark_price', 'liquidation_price'),
    ...count('leverage'),
    word('margin_mode', 'margin_mode'),
    ...usdc('margin_usdc', 'unrealised_pnl_usdc', 'funding_usdc'),
    ...price('take_profit', 'stop_loss'),
  ],
  { keyedBy: 'position_id', sizeWitnesses: ['notional_usdc', 'margin_usdc', 'unrealised_pnl_usdc'] },
)

export const order = resource(
  'orders',
  [
    id('order_id', 'order'),
    ...text('client_order_id', 'intent_id', 'tx_hash'),
    ...market,
    word('side', 'side'),
    word('order_type', 'order_type'),
    ...price('price'),
    base('size', 'price'),
    base('filled_size', 'price'),
    word('status', 'order_status'),
    ...text('reason'),
    ...usdc('order_value_usdc'),
    ...price('limit_price', 'trigger_price'),
    word('margin_mode', 'margin_mode'),
    ...count('leverage'),
    ...flag('reduce_only'),
    id('position_id', 'position'),
    ...price('take_profit', 'stop_loss'),
    ...ms('created_at_ms'),
  ],
  { keyedBy: 'order_id' },
)

const trade = resource('trades', [
  id('trade_id', 'trade'),
  id('order_id', 'order'),
  ...market,
  word('side', 'side'),
  ...price('price'),
  base('size', 'price'),
  ...usdc('fee_usdc'),
  word('effect', 'effect'),
  word('role', 'role'),
  ...usdc('realised_pnl_usdc'),
  ...text('tx_hash'),
  ...ms('executed_at_ms'),
])

const closed = resource('history', [
  id('close_id', 'close'),
  id('position_id', 'position'),
  ...market,
  word('side', 'held_side', 'held_side'),
  base('size', 'exit_price'),
  ...price('entry_price', 'exit_price'),
  ...usdc('realised_pnl_usdc', 'funding_usdc'),
  ...text('closed_by'),
  ...ms('closed_at_ms'),
])

const transaction = resource('transactions', [
  ...text('intent_id', 'action', 'client_order_id'),
  word('state', 'intent_state'),
  ...text('reason', 'tx_hash'),
  id('key_id', 'key'),
  ...ms('created_at_ms'),
  field('payload', 'fixed'),
])

const account = resource('account', [
  ...text('wallet'),
  ...usdc('equity_usdc', 'collateral_usdc', 'free_margin_usdc'),
  ...percent('margin_used_pct'),
  ...usdc('unrealised_pnl_usdc'),
  field('health_factor', 'ratio'),
  word('liquidation_state', 'liquidation_state'),
])

const collateral = resource('collateral', [...text('token', 'address'), ...token('balance', 'locked', 'withdrawable')], { keyedBy: 'token' })

const byClientId = resource('intent', [
  ...text('intent_id', 'client_order_id', 'action'),
  word('state', 'intent_state'),
  ...text('tx_hash'),
  field('payload', 'fixed'),
])

const finality = resource('execution', [...text('tx_hash'), word('finality', 'as_it_is'), ...count('confirmations', 'block_number')])

const commandResult = resource('results', [
  ...count('index'),
  ...text('action'),
  word('state', 'command_state'),
  ...text('reason'),
  id('order_id', 'order'),
  id('position_id', 'position'),
])

const command = resource('execution', [
  ...text('command_id', 'action'),
  word('state', 'command_state'),
  ...text('reason', 'tx_hash', 'executor'),
  field('results', { many: commandResult }),
  ...ms('created_at_ms', 'updated_at_ms'),
])

const simulated = [
  ...price('entry_price', 'liquidation_price'),
  ...usdc('margin_required_usdc'),
  ...percent('margin_used_before_pct', 'margin_used_after_pct'),
  field('health_before', 'ratio'),
  field('health_after', 'ratio'),
  ...usdc('fee_usdc'),
]

const preview = resource('preview', [
  ...text('action'),
  ...flag('executable'),
  ...text('reason'),
  ...simulated,
  ...usdc('network_cost_usdc', 'equity_after_usdc', 'margin_after_usdc', 'free_margin_after_usdc', 'withdrawable_after_usdc'),
])

const simulation = resource('simulation', simulated)
const costs = resource('costs', [...usdc('network_usdc', 'trading_fee_usdc'), ...text('charged_from')])

const listing = resource(
  'markets',
  [
    // The API document defines these market fields in “Open position”. There, `pair_id` means the `id` of a market in `/markets`.
    field('id', 'fixed'),
    ...text('symbol', 'base', 'quote'),
    ...count('price_decimals', 'size_decimals'),
    ...price('tick_size'),
    ...usdc('min_order_value_usdc', 'max_order_value_usdc'),
    ...count('max_leverage'),
    word('status', 'market_status'),
  ],
  { keyedBy: 'symbol' },
)

const mark = resource('marks', [...count('pair_id'), ...price('mark_price'), ...ms('updated_at_ms')], { keyedBy: 'pair_id' })
const interests = usdc('open_interest_long_usdc', 'open_interest_short_usdc')
const summary = resource(
  'summaries',
  [
    ...market,
    ...price('mark_price', 'index_price'),
    ...percent('change_24h_pct'),
    ...usdc('volume_24h_usdc'),
    ...interests,
    ...percent('funding_rate_1h_pct'),
    ...iso('next_funding_at'),
    ...ms('updated_at_ms'),
  ],
  { keyedBy: 'symbol' },
)

const candle = resource('candles', [field('t', 'ms', 'open_time'), ...price('o', 'h', 'l', 'c'), base('v', null)], { isTuple: true })
const level = resource('levels', [...price('price'), base('size', null)], { isTuple: true })
const orderbook = resource('orderbook', [...count('pair_id'), field('bids', { many: level }), field('asks', { many: level }), ...ms('updated_at_ms')])

const fundingPoint = resource('history', [...ms('at_ms'), ...percent('funding_rate_1h_pct')])
const funding = resource('funding', [
  ...count('pair_id'),
  ...percent('funding_rate_1h_pct'),
  ...iso('next_funding_at'),
  field('history', { many: fundingPoint }),
  ...ms('updated_at_ms'),
])
const interestPoint = resource('history', [...ms('at_ms'), ...interests])
const openInterest = resource('open_interest', [...count('pair_id'), ...interests, field('history', { many: interestPoint }), ...ms('updated_at_ms')])

const vaultState = [...usdc('assets_usdc'), ...token('shares'), ...usdc('share_price_usdc'), ...percent('utilisation_pct')]
const vault = resource('vault', [
  ...vaultState,
  ...percent('apr_30d_pct'),
  field('history', { many: resource('history', [...ms('at_ms'), ...vaultState]) }),
  ...ms('updated_at_ms'),
])

const liquidation = resource('liquidations', [...market, word('side', 'held_side', 'held_side'), base('size', 'price'), ...price('price'), ...ms('at_ms')])
const breaker = resource('circuit_breakers', [...text('name'), ...flag('tripped'), ...text('reason'), ...iso('since')], { keyedBy: 'name' })

const tokenMarket = resource('market', [
  ...text('symbol', 'quote'),
  field('price_usdc', 'price', 'price'),
  ...percent('change_24h_pct'),
  field('high_24h_usdc', 'price', 'high_24h'),
  field('low_24h_usdc', 'price', 'low_24h'),
  ...usdc('volume_24h_usdc', 'market_cap_usdc', 'fully_diluted_value_usdc'),
  ...token('circulating_supply', 'total_supply', 'max_supply'),
  field('history', { many: resource('history', [...ms('at_ms'), field('price_usdc', 'price', 'price')]) }),
  ...ms('updated_at_ms'),
])
const tokenMetrics = resource('metrics', [
  ...text('symbol'),
  ...count('holders'),
  ...token('staked'),
  ...percent('staked_pct', 'staking_apr_pct'),
  ...token('burned', 'burned_24h', 'circulating_supply', 'total_supply', 'max_supply'),
  ...count('transfers_24h'),
  ...usdc('fees_24h_usdc'),
  field('history', { many: resource('history', [...ms('at_ms'), ...count('holders'), ...token('staked', 'burned')]) }),
  ...ms('updated_at_ms'),
])

const agentAddress = field('address', 'text', 'agent_address')
const agent = resource('agent', [agentAddress, ...flag('granted')])
const key = resource(
  'keys',
  [
    id('key_id', 'key'),
    ...text('label', 'wallet'),
    field('scopes', 'text'),
    word('status', 'key_status'),
    ...iso('created_at', 'expires_at', 'last_used_at'),
    ...text('last_used_ip'),
    ...iso('revoked_at'),
    field('ip_allowlist', 'text'),
    field('quotas', 'text'),
    field('agent', { one: agent }),
    ...text('executor', 'prefix'),
  ],
  { keyedBy: 'key_id' },
)
const webhook = resource('webhooks', [
  field('webhook_id', 'fixed'),
  ...text('wallet', 'url'),
  field('events', 'text'),
  word('status', 'key_status'),
  ...iso('created_at', 'disabled_at'),
])
const entry = resource('entries', [
  ...text('id'),
  ...iso('at'),
  ...text('event'),
  id('key_id', 'key'),
  ...text('label', 'webhook_id', 'ip', 'request_id', 'method', 'route'),
  ...count('status'),
])

const status = resource('status', [
  word('api', 'service_status'),
  field('network', { word: 'service_status' }, 'chain_status'),
  word('market_engine', 'service_status'),
  ...count('block_number'),
  ...iso('server_time'),
])
const capabilities = resource('capabilities', flag('signed_intent', 'permit_deposit', 'delegated_execution', 'webhooks', 'stream'))
const meta = resource('meta', [
  ...text('api_version', 'schema'),
  field('scopes', 'text', 'published_scopes'),
  field('capabilities', { one: capabilities }),
  ...count('chain_id'),
  field('contracts', { one: resource('contracts', text('router', 'usdc')) }),
])
const config = resource('config', [
  ...count('chain_id'),
  field('contracts', { one: resource('contracts', text('router', 'collateral_token', 'protocol_token')) }),
  // The API document defines this field in “Flow rules” 4, as `collateral_model.approval.permit`.
  field('collateral_model', 'fixed'),
  field('order_model', { one: resource('order_model', [...text('order_types', 'margin_modes', 'time_in_force'), ...count('max_slippage_bps')]) }),
  field('fee_model', { one: resource('fee_model', [...count('trading_fee_bps'), ...text('network_cost_charged_in', 'charged_from')]) }),
  field('precision_model', { one: resource('precision_model', count('order_value_decimals', 'price_decimals_on_chain')) }),
  field('developer_api', 'text'),
])
const snapshot = resource('snapshot', [...count('sequence'), ...ms('at_ms'), field('markets', { many: mark })])

/**
 * The structure of a route’s response. `main` names the property that contains the requested data; null if the data is at the top level.
 * `beside` lists the other properties. If the response is a page of a list, the API document defines the properties around the list.
 */
export interface AnswerShape {
  readonly name: string
  readonly main: string | null
  readonly as: 'record' | 'list' | 'page'
  readonly resource: Resource
  readonly beside: readonly Field[]
  /** True if the client cannot interpret the response without the fields in `beside`. */
  readonly isBesideNeeded: boolean
  /** True if the API document defines the name of a top-level field of the response. The dialect then may not put the response into an envelope. */
  readonly isBare: boolean
}

const shape = (as: AnswerShape['as'], main: string | null, of: Resource, beside: readonly Field[] = [], isBesideNeeded = false): AnswerShape => ({
  ...{ name: main ?? of.name, main, as, resource: of, beside, isBesideNeeded, isBare: false },
})
const page = (main: string, of: Resource) => shape('page', main, of)
const paging = [...text('history_sources'), ...count('max_candles')]

/** The shape of the order-book response if the query names no market: a list with the order books of all markets. */
const allOrderbooks = shape('list', 'orderbooks', orderbook)

/** Response shapes by method and path. The versioned and the unversioned route share a shape. Parameters are written as in the API document. */
export const answers: Readonly<Record<string, AnswerShape>> = {
  'GET /status': shape('record', null, status),
  'GET /meta': shape('record', null, meta),
  'GET /config': { ...shape('record', null, config), isBare: true },
  'GET /markets': shape('list', 'markets', listing, iso('server_time')),
  'GET /candles': shape('list', 'candles', candle, [...count('pair_id'), ...text('interval')]),
  'GET /candles/history': shape(
    'list',
    'candles',
    candle,
    [...count('pair_id'), ...text('interval'), field('next_before', 'ms'), ...flag('has_more'), ...paging.map((each) => ({ ...each, kind: 'fixed' as const }))],
    true,
  ),
  'GET /snapshot': shape('record', null, snapshot),
  'GET /summary': shape('record', 'summary', summary),
  'GET /summaries': shape('list', 'summaries', summary),
  'GET /marks': shape('list', 'marks', mark),
  'GET /markets/{pair_id}/funding': shape('record', 'funding', funding),
  'GET /markets/{id}/funding': shape('record', 'funding', funding),
  'GET /markets/{pair_id}/open-interest': shape('record', 'open_interest', openInterest),
  'GET /markets/{id}/open-interest': shape('record', 'open_interest', openInterest),
  'GET /orderbook': shape('record', 'orderbook', orderbook),
  'GET /vault': shape('record', 'vault', vault),
  'GET /liquidations': shape('list', 'liquidations', liquidation),
  'GET /circuit-breakers': shape('list', 'circuit_breakers', breaker),
  'GET /api/public/baq-market': shape('record', 'market', tokenMarket),
  'GET /api/public/baq-metrics': shape('record', 'metrics', tokenMetrics),

  'GET /account': shape('record', null, account),
  'GET /positions': shape('list', 'positions', position, text('wallet')),
  'GET /orders': page('orders', order),
  'GET /orders/by-client-id': shape('record', 'intent', byClientId),
  'GET /collateral': shape('list', 'collateral', collateral, text('wallet')),
  'POST /risk/preview': shape('record', 'preview', preview),
  'GET /transactions': page('transactions', transaction),
  'GET /trades': page('trades', trade),
  'GET /positions/history': page('history', closed),
  'GET /native/executions/{tx_hash}': shape('record', null, finality),
  'GET /executions/{command_id}': shape('record', 'execution', command),

  'GET /developer/keys': shape('list', 'keys', key, count('active', 'limit')),
  'POST /developer/keys': shape('record', 'key', key, [field('api_key', 'fixed')], true),
  'POST /developer/keys/prepare': shape(
    'record',
    null,
    resource('preparation', [
      ...text('preparation_id'),
      field('agent', { one: resource('agent', [agentAddress]) }),
      field('grant', 'text'),
      ...ms('expires_at_ms'),
    ]),
  ),
  'POST /developer/keys/{key_id}/rotate': shape('record', 'key', key, [field('api_key', 'fixed')], true),
  'PUT /developer/keys/{key_id}/expiry': shape('record', 'key', key),
  'POST /developer/keys/{key_id}/agent': shape('record', null, resource('offer', [field('agent', { one: agent }), field('grant', 'text')])),
  'POST /developer/keys/{key_id}/agent/grant': shape('record', 'key', key),
  'PUT /developer/keys/{key_id}/executor': shape('record', 'key', key),
  'POST /developer/keys/{key_id}/execution-payment': shape(
    'record',
    null,
    resource('payment', [id('key_id', 'key'), ...usdc('amount_usdc'), ...text('token', 'spender'), field('transaction', 'text')]),
  ),
  'DELETE /developer/keys/{key_id}': shape('record', 'key', key),
  'GET /developer/audit': shape('list', 'entries', entry, [...count('next_cursor'), ...flag('has_more'), ...count('limit')], true),
  'GET /developer/webhooks': shape('list', 'webhooks', webhook, count('active', 'limit')),
  'POST /developer/webhooks': shape('record', 'webhook', webhook, [field('signing_secret', 'fixed'), ...text('notice')], true),
  'DELETE /developer/webhooks/{webhook_id}': shape('record', 'webhook', webhook),
}

/** The shapes of `simulation` and `costs`: the parts of a prepared action that the API document does not show. */
export const preparedParts = { simulation, costs }

/** Maps the versioned and the unversioned route to one name: `GET /api/dex/v1/orders` and `GET /api/dex/orders` both become `GET /orders`. */
export const routeName = (route: string): string => route.replace(/ \/api\/dex(\/v1)?\//, ' /')

/** Returns the shape of a response. null if the API document shows the response, or if no shape is defined for it. */
export function shapeOf(route: string, body: Readonly<Record<string, unknown>>): AnswerShape | null {
  const found = answers[routeName(route)] ?? null
  if (found?.name === 'orderbook' && 'orderbooks' in body) return allOrderbooks
  return found === null || (found.main !== null && !(found.main in body)) ? null : found
}
