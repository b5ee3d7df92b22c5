/**
 * Joins every word of the first list with every word of the second. For example, order and trade with id and key give `order_id`, `order_key`,
 * `trade_id` and `trade_key`.
 */
export const each = (things: readonly string[], whats: readonly string[]): readonly string[] =>
  things.flatMap((thing) => whats.map((what) => `${thing}_${what}`))

const markets = ['market', 'pair', 'instrument', 'product', 'perp', 'contract', 'asset', 'coin', 'security'] as const
const ids = ['id', 'key', 'number', 'no', 'nr', 'ref', 'reference', 'index', 'handle', 'uid'] as const

/** Names for the id of the given things, best first. Leaves out `key_key`, because the "key" of an API key is its secret and not its id. */
export const idsOf = (...things: readonly string[]): readonly string[] =>
  things.flatMap((thing) =>
    each(
      [thing],
      ids.filter((word) => !thing.endsWith(word)),
    ),
  )

/** Names for a price of the given things, such as `entry_price`, `entry_level` or `entry_rate`. */
export const pricesOf = (...of: readonly string[]): readonly string[] => each(of, ['price', 'level', 'rate', 'price_value'])

const done = ['at_ms', 'at', 'time', 'on', 'date', 'ts', 'timestamp'] as const
/** Names for the time of the given events, such as `closed_at` for `closed`. Leaves out the bare verb, which may also name a price or a size. */
export const momentsOf = (...acts: readonly string[]): readonly string[] => each(acts, done)
/** Like `momentsOf`, but includes the bare verb, such as `closed`. */
export const timesOf = (...acts: readonly string[]): readonly string[] => [...momentsOf(...acts), ...acts]

const currentState = ['status', 'state', 'phase', 'stage', 'condition', 'lifecycle', 'progress'] as const
/** Names for the state of the given things, such as `order_status`. */
export const statesOf = (...things: readonly string[]): readonly string[] => [
  ...currentState,
  ...each(things, currentState),
  'current_state',
  'current_status',
  'lifecycle_state',
]

/** Names for the time when a record was ended early. */
export const endedAt = timesOf('disabled', 'deleted', 'revoked', 'deactivated', 'removed', 'switched_off', 'turned_off', 'cancelled', 'closed')

/** Names of fields that several kinds of record share, best first. */
export const names = {
  pairId: idsOf('pair', 'market', 'instrument', 'product', 'perp', 'contract', 'asset', 'coin', 'security'),
  symbol: [
    'symbol',
    'market_symbol',
    'display_symbol',
    'display_name',
    ...each(markets, ['symbol', 'name', 'code', 'label']),
    'name',
    'market',
    'pair',
    'ticker',
    'instrument',
    'product',
    'contract',
    'coin',
  ],
  side: ['side', 'direction', 'position_side', 'order_side', 'trade_side', 'long_short', 'buy_sell', 'way', 'dir', 'exposure', 'bs', 'sign'],
  mark: ['mark_price', 'mark', 'current_price', 'marked_at', ...pricesOf('mark', 'fair')],
  liquidationPrice: ['liquidation_price', 'liq_price', ...pricesOf('liquidation')],
  marginMode: [...each(['margin', 'mgn', 'collateral', 'leverage'], ['mode', 'type', 'kind', 'style', 'model']), 'margining', 'position_mode'],
  takeProfit: ['take_profit', 'tp', 'tp_price', 'take_profit_trigger_price', 'profit_target', 'target_price', ...pricesOf('take_profit', 'profit_target')],
  stopLoss: ['stop_loss', 'sl', 'sl_price', 'stop_loss_trigger_price', 'loss_limit', ...pricesOf('stop_loss', 'loss_limit', 'protective_stop')],
  clientOrderId: [
    'client_order_id',
    'client_id',
    'cloid',
    'client_oid',
    'order_link_id',
    'custom_id',
    ...each(['orig', 'original'], ['client_order_id', 'client_id']),
    ...each(['client', 'customer', 'user', 'custom', 'own'], ['order_id', 'order_ref', 'order_reference', 'order_key', 'ref', 'reference', 'order', 'tag']),
  ],
  /** The wallet that owns the record. */
  wallet: ['wallet', 'wallet_address', 'owner', 'owner_wallet', 'owner_address', 'account', 'account_address', 'user', 'trader', 'principal'],
  createdAt: [
    'created_at_ms',
    'created_at',
    'at',
    'timestamp',
    'time',
    ...timesOf('created', 'inserted', 'placed', 'entered', 'submitted', 'issued', 'made', 'added', 'registered', 'born'),
    'ctime',
    'c_time',
  ],
  updatedAt: [
    ...['updated_at_ms', 'updated_at', 'price_at_ms', 'at_ms', 'timestamp', 'time', 'as_of', 'as_at', 'last_updated_at', 'last_update', 'last_change'],
    ...timesOf('updated', 'modified', 'changed', 'refreshed', 'published', 'observed', 'quoted'),
  ],
  pointAt: [
    ...['at_ms', 'at', 't', 'time', 'timestamp', 'time_ms', 'date', 'point_at', 'point_time', 'when', 'as_of'],
    ...timesOf('recorded', 'sampled', 'taken', 'observed', 'measured', 'captured', 'updated'),
  ],
  txHash: [
    'tx_hash',
    'transaction_hash',
    'hash',
    'tx',
    'transaction_id',
    'tx_id',
    'on_chain_hash',
    'chain_tx',
    'onchain_tx',
    'tx_ref',
    'chain_tx_hash',
    'onchain_id',
  ],
  keyId: [...idsOf('key', 'api_key', 'access_key', 'credential'), 'key_label', 'api_key_label', 'requested_by_key', 'api_key', 'key'],
  realisedPnl: [
    ...['realised_pnl_usdc', 'realised_pnl', 'pnl_usdc', 'pnl', 'closed_pnl', 'net_pnl', 'result', 'profit', 'realised_gain', 'booked_pnl', 'realised'],
    ...['realised_result', 'closed_result', 'trade_pnl', 'realised_profit_loss'],
  ],
  /** The value of an order or a trade, in USDC. */
  worthUsdc: ['order_value_usdc', 'order_value', 'value_usdc', 'notional_usdc', 'notional', 'value', 'size_usdc'],
  network: [
    'network_usdc',
    'network_cost_usdc',
    'gas_usdc',
    'network_fee_usdc',
    'network',
    ...each(['network', 'gas', 'chain', 'relay', 'blockchain'], ['cost', 'fee', 'charge', 'expense']),
  ],
  tradingFee: [
    'trading_fee_usdc',
    'fee_usdc',
    'trading_fee',
    'fee',
    'fee_paid',
    'fee_amount',
    'taker_fee',
    ...each(['trading', 'trade', 'exchange', 'order', 'execution'], ['fee', 'cost', 'commission', 'charge']),
    'commission',
  ],
} as const
