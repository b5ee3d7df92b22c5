/**
 * What the document calls "not shown" and this app reads all the same, in one place. Names are alternatives for one
 * value, best first; case, `_` and `-` do not matter. The README's table is generated from `assumptions`.
 */
interface Assumed {
  /** What is assumed, in a sentence. */
  readonly sentence: string
  /** Where the document says that it is not shown. */
  readonly source: string
  readonly fields: Readonly<Record<string, readonly string[]>>
}

const pairId = ['pair_id', 'market_id', 'id']
const symbol = ['symbol', 'name', 'market', 'pair']
const side = ['side', 'direction']
const markPrice = ['mark_price', 'mark']
const takeProfit = ['take_profit', 'tp', 'take_profit_price', 'tp_price']
const stopLoss = ['stop_loss', 'sl', 'stop_loss_price', 'sl_price']
const clientOrderId = ['client_order_id', 'client_id', 'cloid']
const createdAt = ['created_at_ms', 'created_at', 'at', 'timestamp', 'time']
const txHash = ['tx_hash', 'transaction_hash', 'hash']

const networkCost = ['network_usdc', 'network_cost_usdc', 'gas_usdc', 'network_fee_usdc', 'network']
const tradingFee = ['trading_fee_usdc', 'fee_usdc', 'trading_fee', 'fee']
const liquidationPrice = ['liquidation_price', 'liq_price']
const simulated = {
  entryPrice: ['entry_price', 'estimated_entry_price', 'fill_price'],
  liquidationPrice,
  marginRequired: ['margin_required_usdc', 'required_margin_usdc', 'margin_usdc', 'margin_required'],
  marginUsedBefore: ['margin_used_before_pct'],
  marginUsedAfter: ['margin_used_after_pct', 'margin_used_pct'],
  healthBefore: ['health_before', 'health_factor_before'],
  healthAfter: ['health_after', 'health_factor_after', 'health_factor'],
}

const realisedPnl = ['realised_pnl_usdc', 'realized_pnl_usdc', 'realised_pnl', 'realized_pnl', 'pnl_usdc', 'pnl']

const trader = ['trader', 'wallet', 'owner', 'account', 'user', 'signer', 'maker', 'from', 'sender']
const typedPairId = ['pair_id', 'market_id', 'pair', 'market', 'pair_index']
const typedReferencePrice = ['reference_price', 'ref_price', 'expected_price', 'mark_price', 'open_price']
const typedSlippage = ['max_slippage_bps', 'slippage_bps', 'max_slippage', 'slippage']
const typedSide = ['side', 'direction', 'is_long', 'long', 'is_buy', 'buy', 'is_short', 'short', 'is_sell']
const typedSize = ['size', 'size_base', 'base_size', 'size_delta', 'quantity', 'qty']
const typedNotional = [
  'order_value',
  'order_value_usdc',
  'notional',
  'notional_usdc',
  'amount_usdc',
  'order_notional',
  'value_usdc',
  'notional_value',
  'size_usdc',
  'size_usd',
]
const typedNonce = ['nonce', 'salt', 'intent_nonce', 'user_nonce']
const typedDeadline = ['deadline', 'expiry', 'expires_at', 'expiration', 'valid_until']

export const assumed = {
  errorBody: {
    sentence: 'An error carries a code, a message and a request id somewhere: flat, under `error`, in `errors[0]`, or as plain text.',
    source: 'Errors: error body shape not shown',
    fields: {
      code: ['code', 'error_code', 'type', 'name', 'reason'],
      message: ['message', 'detail', 'error_description', 'description', 'title', 'msg'],
      requestId: ['request_id', 'x_request_id', 'trace_id'],
      requiredScope: ['required_scope', 'scope'],
      address: ['ip', 'client_ip', 'remote_ip', 'ip_address', 'caller_ip', 'address'],
      containers: ['error', 'errors', 'detail', 'data'],
    },
  },
  keyRecord: {
    sentence: 'A key record names its id, label, scopes, state, times, allowlist, agent and executor under the usual names; only the id is required.',
    source: 'Resources, API key: fields of the key record not shown',
    fields: {
      id: ['key_id', 'id'],
      label: ['label', 'name'],
      scopes: ['scopes', 'scope', 'permissions'],
      status: ['status', 'state'],
      createdAt,
      expiresAt: ['expires_at_ms', 'expires_at', 'expiry', 'valid_until'],
      lastUsedAt: ['last_used_at_ms', 'last_used_at', 'last_used', 'last_seen_at'],
      revokedAt: ['revoked_at_ms', 'revoked_at'],
      active: ['active', 'is_active', 'enabled'],
      allowlist: ['ip_allowlist', 'allowlist', 'allowed_ips', 'ips'],
      quotas: ['quotas', 'rate_limits', 'limits'],
      agent: ['agent', 'trading_agent', 'agent_address'],
      executor: ['executor', 'executor_address', 'bound_executor'],
      address: ['address', 'agent', 'agent_address', 'wallet', 'executor'],
      granted: ['granted', 'is_granted', 'active', 'authorized', 'grant_stored'],
    },
  },
  keyAnswers: {
    sentence: 'Key calls answer with the record under `key`; a list under `keys`; a new secret under `api_key`.',
    source: 'Resources, API key; Developer routes: answers not shown beyond `api_key`',
    fields: {
      keys: ['keys', 'api_keys', 'items'],
      key: ['key', 'record', 'key_record', 'api_key_record'],
      secret: ['api_key'],
      active: ['active_count', 'active_keys'],
    },
  },
  keyPreparation: {
    sentence:
      'keys/prepare answers an id of the preparation, the agent and a grant as EIP-712 typed data; the signature goes back as `signature` with that id.',
    source: 'Developer routes: keys/prepare, request and answer not shown',
    fields: {
      id: ['preparation_id', 'prepare_id', 'draft_id', 'id'],
      agent: ['agent', 'agent_address', 'trading_agent'],
      grant: ['grant', 'agent_grant', 'authorization'],
      typedData: ['typed_data', 'typedData', 'message_to_sign', 'eip712'],
      expiresAt: ['expires_at_ms', 'expires_at', 'valid_until'],
    },
  },
  keyBodies: {
    sentence:
      'Bodies of key management: the expiry route takes `expires_in_days`, the executor route `executor` (a name or an address), `agent/grant` the `signature`, and creating a prepared key repeats its terms with `preparation_id` and `signature`; the agent route takes no body.',
    source: 'Developer routes: keys, expiry, executor, agent, agent/grant, request bodies not shown',
    fields: {},
  },
  auditLog: {
    sentence:
      'The audit log is a list under `entries`, each with a time, an event name and the key that it concerns; where it is cut into pages, `next_cursor` goes back as `cursor`.',
    source: 'Developer routes: audit, answer not shown',
    fields: {
      entries: ['entries', 'audit', 'events', 'log', 'items'],
      id: ['id', 'entry_id', 'event_id'],
      at: ['at_ms', 'at', ...createdAt],
      event: ['event', 'type', 'action', 'name'],
      keyId: ['key_id', 'api_key_id', 'resource_id'],
      label: ['label', 'key_label'],
      ip: ['ip', 'ip_address', 'remote_ip', 'address'],
      requestId: ['request_id', 'x_request_id'],
      method: ['method', 'http_method'],
      route: ['route', 'path', 'endpoint'],
      status: ['status', 'status_code', 'http_status'],
    },
  },
  executionPayment: {
    sentence:
      'execution-payment takes an amount as `amount_usdc` and answers one transaction of the documented shape under `transaction`; token and spender may be named beside it.',
    source: 'Developer routes: execution-payment, request and answer not shown',
    fields: {
      transaction: ['transaction', 'tx', 'payment'],
      transactions: ['transactions'],
      amount: ['amount_usdc', 'amount'],
      chainId: ['chain_id', 'chainId'],
    },
  },
  webhookRecord: {
    sentence:
      'Webhook subscriptions are listed under `webhooks`; each names its id, and may name URL, events, state, wallet and times. A creation answers the record under `webhook`, beside `signing_secret` or around it.',
    source: 'Resources: the webhook record not shown',
    fields: {
      webhooks: ['webhooks', 'subscriptions', 'items'],
      webhook: ['webhook', 'subscription'],
      id: ['webhook_id', 'id'],
      url: ['url', 'endpoint', 'target_url'],
      events: ['events', 'event_types'],
      status: ['status', 'state'],
      active: ['active', 'enabled'],
      createdAt,
      disabledAt: ['disabled_at', 'deleted_at', 'revoked_at'],
      wallet: ['wallet', 'wallet_address'],
      secret: ['signing_secret'],
    },
  },
  marketCatalogue: {
    sentence: 'Each market names its id, symbol, precision, tick and order limits under the usual names; only id and symbol are required.',
    source: 'Resources: bodies of market read resources not shown',
    fields: {
      markets: ['markets', 'pairs', 'items'],
      id: ['id', 'pair_id', 'market_id'],
      symbol,
      base: ['base', 'base_asset', 'base_symbol', 'asset'],
      priceDecimals: ['price_decimals', 'price_precision', 'quote_precision'],
      sizeDecimals: ['size_decimals', 'size_precision', 'base_precision', 'quantity_precision'],
      tickSize: ['tick_size', 'price_step', 'tick'],
      minOrder: ['min_order_value_usdc', 'min_order_usdc', 'min_notional_usdc', 'min_notional', 'min_order_value'],
      maxOrder: ['max_order_value_usdc', 'max_order_usdc', 'max_notional_usdc', 'max_notional', 'max_order_value'],
      maxLeverage: ['max_leverage', 'leverage_max'],
      status: ['status', 'state'],
      serverTime: ['server_time', 'server_time_ms', 'time', 'timestamp'],
    },
  },
  marketSummary: {
    sentence: 'Summaries, marks and the snapshot name the market by `pair_id` and carry its mark price; everything else may be missing.',
    source: 'Resources: bodies of market read resources not shown',
    fields: {
      summaries: ['summaries', 'summary', 'markets', 'items'],
      summary: ['summary', 'market', 'data'],
      marks: ['marks', 'markets', 'prices', 'items'],
      pairId,
      symbol,
      mark: [...markPrice, 'price', 'last_price'],
      index: ['index_price', 'index', 'oracle_price'],
      change24h: ['change_24h_pct', 'change_24h_percent', 'price_change_24h_pct', 'change_24h', 'change_pct'],
      volume24h: ['volume_24h_usdc', 'volume_24h', 'volume_usdc', 'turnover_24h'],
      interestLong: ['open_interest_long_usdc', 'oi_long_usdc', 'open_interest_long', 'long_oi'],
      interestShort: ['open_interest_short_usdc', 'oi_short_usdc', 'open_interest_short', 'short_oi'],
      fundingRate: ['funding_rate_1h_pct', 'funding_rate_pct', 'funding_rate_hourly_pct', 'funding_rate'],
      nextFunding: ['next_funding_at_ms', 'next_funding_at', 'next_funding_time', 'next_funding'],
      updatedAt: ['updated_at_ms', 'updated_at', 'price_at_ms', 'timestamp', 'time'],
      sequence: ['sequence', 'seq', 'current_sequence'],
      snapshotAt: ['at_ms', 'at', 'server_time', 'timestamp'],
    },
  },
  fundingState: {
    sentence:
      'The funding of a market carries its rate in percent per hour and the time of the next payment, and may carry earlier rates under `history`; what it does not carry is drawn from the answers that this app has read.',
    source: 'Resources: bodies of market read resources not shown',
    fields: {
      funding: ['funding', 'state'],
      rate: ['rate_1h_pct', 'rate_pct', 'rate'],
      interval: ['interval_seconds', 'interval_s', 'funding_interval_seconds', 'interval_ms'],
      history: ['history', 'funding_history', 'rates', 'points'],
      at: ['at_ms', 'at', 't', 'time', 'timestamp', 'time_ms'],
    },
  },
  openInterest: {
    sentence:
      'Open interest is what is long and what is short in USDC, and may carry earlier values under `history`; what it does not carry is drawn from the answers that this app has read.',
    source: 'Resources: bodies of market read resources not shown',
    fields: {
      interest: ['open_interest', 'openInterest', 'oi'],
      history: ['history', 'open_interest_history', 'points'],
      long: ['long_usdc', 'long'],
      short: ['short_usdc', 'short'],
    },
  },
  vaultState: {
    sentence:
      'The vault tells what it holds in USDC, its shares and their price, how much of it is in use, what it earns in a year in percent, and perhaps the price of a share before under `history`.',
    source: 'Resources: bodies of market read resources not shown',
    fields: {
      vault: ['vault', 'state'],
      assets: ['assets_usdc', 'total_assets_usdc', 'tvl_usdc', 'balance_usdc', 'assets', 'tvl'],
      shares: ['shares', 'total_shares', 'share_supply', 'total_supply'],
      sharePrice: ['share_price_usdc', 'share_price', 'price_per_share'],
      utilisation: ['utilisation_pct', 'utilization_pct', 'utilisation', 'utilization'],
      yearly: ['apr_pct', 'apy_pct', 'apr_30d_pct', 'apy_30d_pct', 'apr', 'apy', 'yield_pct'],
      history: ['history', 'share_price_history', 'points'],
    },
  },
  liquidationRecord: {
    sentence: 'A liquidation names its market, side, size, price and time; value, wallet and transaction may be beside them. Any of them may be missing.',
    source: 'Unversioned public routes: content of /api/dex/liquidations not shown',
    fields: {
      liquidations: ['liquidations', 'events', 'items'],
      id: ['id', 'liquidation_id', 'event_id'],
      size: ['size', 'quantity', 'size_base', 'amount'],
      price: ['price', 'liquidation_price', 'exit_price', 'mark_price'],
      value: ['value_usdc', 'notional_usdc', 'size_usdc', 'notional', 'value'],
      wallet: ['wallet', 'wallet_address', 'account', 'trader', 'owner'],
      at: ['at_ms', 'liquidated_at_ms', 'liquidated_at', ...createdAt],
    },
  },
  circuitBreakers: {
    sentence:
      'The circuit breakers are a list of names, or an object of them, each with whether it is tripped, as a flag or in a word, and perhaps why and since when.',
    source: 'Unversioned public routes: content of /api/dex/circuit-breakers not shown',
    fields: {
      breakers: ['circuit_breakers', 'breakers', 'switches', 'safety_switches'],
      name: ['name', 'id', 'breaker', 'switch', 'scope'],
      tripped: ['tripped', 'active', 'triggered', 'halted', 'paused', 'is_tripped'],
      state: ['state', 'status'],
      reason: ['reason', 'message', 'detail', 'description'],
      since: ['since_ms', 'since', 'tripped_at_ms', 'tripped_at', 'triggered_at', 'at_ms', 'updated_at'],
    },
  },
  ownToken: {
    sentence:
      'The market of the protocol’s own token tells its price and change, its metrics tell how many there are and where; every number may be missing, and unknown ones are shown under their own names.',
    source: 'Unversioned public routes: content of /api/public/baq-market and /api/public/baq-metrics not shown',
    fields: {
      market: ['market', 'baq_market', 'token', 'baq'],
      metrics: ['metrics', 'baq_metrics', 'token', 'baq'],
      price: ['price_usd', 'price_usdc', 'price', 'last_price'],
      change24h: ['change_24h_pct', 'price_change_24h_pct', 'change_24h', 'change_pct'],
      volume24h: ['volume_24h_usd', 'volume_24h_usdc', 'volume_24h'],
      high24h: ['high_24h_usd', 'high_24h_usdc', 'high_24h'],
      low24h: ['low_24h_usd', 'low_24h_usdc', 'low_24h'],
      marketCap: ['market_cap_usd', 'market_cap_usdc', 'market_cap'],
      fullyDiluted: ['fully_diluted_value_usd', 'fully_diluted_value_usdc', 'fdv_usd', 'fdv_usdc', 'fully_diluted_value', 'fdv'],
      liquidity: ['liquidity_usd', 'liquidity_usdc', 'liquidity'],
      history: ['history', 'prices', 'price_history', 'points'],
      supply: ['total_supply', 'supply'],
      maxSupply: ['max_supply', 'supply_cap'],
      circulating: ['circulating_supply', 'circulating'],
      stakedPercent: ['staked_pct', 'staked_percent', 'staking_ratio_pct'],
      yearly: ['staking_apr_pct', 'staking_apy_pct', 'apr_pct', 'apy_pct', 'staking_apr'],
      burned24h: ['burned_24h'],
      staked: ['staked', 'staked_supply', 'total_staked'],
      burned: ['burned', 'burned_supply', 'total_burned'],
      holders: ['holders', 'holder_count'],
      metricsHistory: ['history', 'points'],
    },
  },
  candle: {
    sentence: 'A candle is an object with t, o, h, l, c, v (or their long names) or an array in that order; its time is the opening of the interval.',
    source: 'Resources: bodies of market read resources not shown',
    fields: {
      candles: ['candles', 'bars', 'items'],
      time: ['t', 'time', 'time_ms', 'open_time', 'timestamp', 'start'],
      open: ['o', 'open'],
      high: ['h', 'high'],
      low: ['l', 'low'],
      close: ['c', 'close'],
      volume: ['v', 'volume'],
    },
  },
  candleHistory: {
    sentence:
      '`before` is the time in milliseconds of a candle that is known already; a page holds the candles before it. `history_sources` names the other sources of the page, as text or as objects of a name and the time before which the candles are of that source.',
    source: 'Unversioned public routes: answer of /api/dex/candles/history not shown',
    fields: {
      sources: ['history_sources'],
      name: ['name', 'source', 'id', 'provider'],
      until: ['until_ms', 'until', 'before_ms', 'before', 'to_ms', 'to', 'ends_at', 'end'],
    },
  },
  orderBook: {
    sentence:
      'A book stands under `orderbook`, or beside others under `orderbooks` with its `pair_id`; bids and asks are lists of price and size in base units, as objects or as pairs.',
    source: 'Resources: bodies of market read resources not shown',
    fields: {
      book: ['orderbook', 'order_book', 'book', 'data'],
      books: ['orderbooks', 'order_books', 'books', 'items'],
      pairId,
      bids: ['bids', 'bid', 'buys'],
      asks: ['asks', 'ask', 'sells'],
      price: ['price', 'p', 'px', 'limit_price'],
      size: ['size', 's', 'sz', 'quantity', 'qty', 'amount'],
      updatedAt: ['updated_at_ms', 'updated_at', 'at_ms', 'timestamp', 'time'],
    },
  },
  serviceStatus: {
    sentence: '/status names the state of the API, the network and the market engine in words.',
    source: 'Versioned API: answer of /status not shown',
    fields: {
      api: ['api', 'api_status', 'status', 'service'],
      network: ['network', 'chain', 'network_status'],
      engine: ['market_engine', 'engine', 'markets', 'market_engine_status'],
      block: ['block_number', 'block', 'latest_block'],
      serverTime: ['server_time', 'server_time_ms', 'time', 'timestamp'],
      state: ['status', 'state'],
    },
  },
  publishedContracts: {
    sentence:
      '/meta and /api/dex/config publish the router, the collateral token and the protocol’s own token under `contracts`, the approval model under `collateral_model.approval.permit`, and under `order_model` the kinds of order, of margin and of time in force that are taken; what is not told there is offered. A transaction may call, and a permit may name, any other contract published there, once the user confirmed it.',
    source: 'Versioning 3 and Unversioned public routes: shapes not shown but for `collateral_model.approval.permit`',
    fields: {
      apiVersion: ['api_version', 'version'],
      schema: ['schema', 'schema_version', 'api_schema'],
      scopes: ['scopes'],
      capabilities: ['capabilities'],
      chainId: ['chain_id', 'network_id'],
      contracts: ['contracts', 'addresses'],
      router: ['router', 'dex_router', 'router_address', 'verifying_contract'],
      usdc: ['usdc', 'collateral_token', 'usdc_address', 'collateral'],
      svc: ['svc', 'protocol_token', 'own_token', 'svc_address'],
      collateralModel: ['collateral_model'],
      approval: ['approval'],
      permit: ['permit'],
      orderModel: ['order_model'],
      orderTypes: ['order_types', 'types'],
      marginModes: ['margin_modes', 'margin_mode'],
      timesInForce: ['time_in_force', 'times_in_force', 'tif'],
      delegated: ['delegated_execution', 'delegated', 'orders_execute'],
      feeModel: ['fee_model'],
      precisionModel: ['precision_model'],
      developerApi: ['developer_api'],
    },
  },
  accountState: {
    sentence:
      'The account, its positions, orders and transactions carry amounts in USDC and prices as decimals under the usual names; a missing one is unknown, not zero.',
    source: 'Resources: bodies of account read resources not shown; States of orders and positions not shown',
    fields: {
      account: ['account', 'summary'],
      wallet: ['wallet', 'wallet_address', 'account', 'address', 'owner'],
      equity: ['equity_usdc', 'equity', 'account_equity'],
      collateral: ['collateral_usdc', 'collateral', 'balance_usdc', 'balance'],
      freeMargin: ['free_margin_usdc', 'free_margin', 'available_margin', 'available_usdc'],
      marginUsedPercent: ['margin_used_pct', 'margin_used_percent', 'margin_usage_pct'],
      unrealisedPnl: ['unrealised_pnl_usdc', 'unrealized_pnl_usdc', 'unrealised_pnl', 'unrealized_pnl', 'pnl_usdc', 'pnl'],
      healthFactor: ['health_factor', 'health'],
      liquidationState: ['liquidation_state', 'liquidation_status'],
      positions: ['positions', 'open_positions', 'items'],
      positionId: ['position_id', 'trade_id', 'id'],
      pairId: ['pair_id', 'market_id'],
      symbol,
      side,
      size: ['size', 'quantity', 'amount', 'size_base'],
      notional: ['notional_usdc', 'notional', 'position_value_usdc', 'value_usdc'],
      entryPrice: ['entry_price', 'average_entry_price', 'avg_entry_price', 'open_price'],
      markPrice,
      liquidationPrice,
      leverage: ['leverage'],
      marginMode: ['margin_mode', 'margin_type'],
      margin: ['margin_usdc', 'margin'],
      takeProfit,
      stopLoss,
      orderId: ['order_id', 'id'],
      orderType: ['order_type', 'type'],
      price: ['price', 'limit_price', 'trigger_price'],
      filledSize: ['filled_size', 'filled', 'executed_size'],
      orderValue: ['order_value_usdc', 'order_value', 'value_usdc', 'notional_usdc', 'notional'],
      limitPrice: ['limit_price'],
      triggerPrice: ['trigger_price', 'stop_price'],
      reduceOnly: ['reduce_only', 'is_reduce_only', 'close_only'],
      closes: ['position_id', 'closes_position_id', 'trade_id'],
      status: ['status', 'state'],
      clientOrderId,
      createdAt,
    },
  },
  collateralState: {
    sentence:
      '/collateral lists the tokens under `collateral`, each by its symbol and contract, with what is held, locked and free to be withdrawn in units of the token.',
    source: 'Resources: bodies of account read resources not shown; Account: answer of /collateral not shown',
    fields: {
      balances: ['collateral', 'collaterals', 'balances', 'tokens', 'assets', 'items'],
      wallet: ['wallet', 'wallet_address', 'account', 'owner'],
      token: ['token', 'symbol', 'asset', 'currency', 'name'],
      contract: ['address', 'token_address', 'contract', 'contract_address'],
      balance: ['balance', 'amount', 'total', 'deposited'],
      locked: ['locked', 'reserved', 'margin_used', 'in_use'],
      withdrawable: ['withdrawable', 'available', 'free', 'available_to_withdraw'],
    },
  },
  positionHistory: {
    sentence:
      'A closed position tells its realised profit or loss in USDC, without fees and funding, its funding in USDC, above zero where it was received, and when it was closed; the newest come first.',
    source: 'Resources: bodies of account read resources not shown; Account: items of /positions/history not shown',
    fields: {
      realisedPnl,
      funding: ['funding_usdc', 'funding_paid_usdc', 'funding'],
      closeId: ['close_id', 'history_id'],
      exitPrice: ['exit_price', 'close_price', 'average_exit_price', 'avg_exit_price'],
      closedBy: ['closed_by', 'close_reason', 'reason'],
      openedAt: ['opened_at_ms', 'opened_at', 'open_time', 'entry_time'],
      closedAt: ['closed_at_ms', 'closed_at', 'close_time', 'exit_time', ...createdAt],
    },
  },
  tradeRecord: {
    sentence:
      'A trade tells its fee in USDC, above zero where it was paid, and when it was executed; what it did, its role, its result and the key that asked for it may be named. The newest come first.',
    source: 'Resources: bodies of account read resources not shown; Account: items of /trades not shown',
    fields: {
      tradeId: ['trade_id', 'fill_id', 'execution_id', 'id'],
      positionId: ['position_id'],
      price: ['price', 'execution_price', 'fill_price', 'exec_price'],
      did: ['effect', 'action', 'type', 'kind', 'event'],
      role: ['role', 'liquidity', 'maker_taker'],
      realisedPnl,
      keyId: ['key_id', 'api_key_id', 'key_label', 'api_key_label'],
      fee: ['fee_usdc', 'trading_fee_usdc', 'fee', 'fees_usdc', 'commission'],
      executedAt: ['executed_at_ms', 'executed_at', 'traded_at', ...createdAt],
    },
  },
  intentRecord: {
    sentence: 'A transaction or prepared intent names its `intent_id`, its action, a state in words and a transaction hash once there is one.',
    source: 'States: other intent lifecycle states not shown; Trading: bodies of /transactions and /orders/by-client-id not shown',
    fields: {
      intent: ['intent', 'order', 'prepared', 'transaction'],
      intentId: ['intent_id', 'id'],
      action: ['action', 'kind', 'type'],
      state: ['state', 'status', 'onchain_state'],
      reason: ['reason', 'failure_reason', 'error'],
      txHash,
      clientOrderId,
      createdAt,
      payload: ['payload'],
    },
  },
  executionReport: {
    sentence: 'The finality of an execution stands under `finality`; confirmations and block number may be beside it.',
    source: 'Other resource shapes: only the finality values are shown',
    fields: {
      execution: ['execution', 'report'],
      finality: ['finality', 'finality_status', 'state', 'status'],
      confirmations: ['confirmations', 'confirmation_count'],
      block: ['block_number', 'block', 'block_height'],
      txHash,
    },
  },
  preparationCosts: {
    sentence: 'The simulation and the costs of a preparation are objects of named decimals; unknown ones are shown under their own names.',
    source: 'Resources, execution: fields inside `simulation` and `costs` not shown',
    fields: {
      network: networkCost,
      tradingFee,
      chargedFrom: ['charged_from', 'paid_from', 'source'],
      ...simulated,
    },
  },
  riskPreview: {
    sentence:
      'A risk preview takes `action` and `payload` of any prepared action as prepare does, without an id for the order, and answers named decimals under `preview`, flat or as a preparation has them, with `executable` and a `reason`.',
    source: 'Trading: request and response bodies of /risk/preview not shown',
    fields: {
      preview: ['preview', 'risk_preview', 'risk'],
      simulation: ['simulation'],
      costs: ['costs'],
      action: ['action'],
      executable: ['executable', 'ready', 'allowed'],
      reason: ['reason'],
      ...simulated,
      tradingFee,
      network: networkCost,
      equityAfter: ['equity_after_usdc', 'equity_after'],
      marginAfter: ['margin_after_usdc', 'margin_after'],
      freeMarginAfter: ['free_margin_after_usdc', 'free_margin_after', 'available_margin_after'],
      withdrawableAfter: ['withdrawable_after_usdc', 'withdrawable_after'],
    },
  },
  challengeLayout: {
    sentence:
      'The challenge message names host, wallet, network, nonce and expiry as plain text somewhere; its wording is learnt once and confirmed by the user.',
    source: 'Resources, Developer challenge: the text of `message` not shown',
    fields: {},
  },
  orderTypedData: {
    sentence: 'The typed data of an order carries the fields of its payload under the usual names, amounts as integers at one scale and prices at one scale.',
    source: 'Resources, Prepared action: types of the typed data not shown, only its domain',
    fields: {
      trader,
      pairId: typedPairId,
      side: typedSide,
      orderType: ['order_type', 'type', 'kind'],
      marginMode: ['margin_mode', 'margin_type', 'is_cross', 'is_isolated', 'cross', 'isolated'],
      leverage: ['leverage'],
      orderValue: typedNotional,
      referencePrice: typedReferencePrice,
      maxSlippageBps: typedSlippage,
      limitPrice: ['limit_price'],
      triggerPrice: ['trigger_price', 'stop_price'],
      timeInForce: ['time_in_force', 'tif'],
      restIfUnfilled: ['rest_if_unfilled', 'rest_unfilled'],
      postOnly: ['post_only', 'maker_only'],
      takeProfit,
      stopLoss,
      clientOrderId,
      size: typedSize,
      margin: ['margin', 'margin_amount', 'margin_usdc', 'collateral', 'collateral_amount', 'collateral_usdc', 'initial_margin'],
      nonce: typedNonce,
      deadline: typedDeadline,
    },
  },
  positionTypedData: {
    sentence:
      'The typed data of a close or an inversion names the position by its id and carries the fields of its payload under the usual names; sizes are integers at one scale, and a size of 0 in a close means all.',
    source: 'Resources, Prepared action: types of the typed data not shown, only its domain',
    fields: {
      trader,
      positionId: ['position_id', 'position', 'position_key', 'trade_id'],
      pairId: typedPairId,
      orderType: ['order_type', 'type', 'kind'],
      side: typedSide,
      size: ['close_size', ...typedSize],
      notional: typedNotional,
      referencePrice: typedReferencePrice,
      maxSlippageBps: typedSlippage,
      limitPrice: ['limit_price'],
      timeInForce: ['time_in_force', 'tif'],
      postOnly: ['post_only', 'maker_only'],
      clientOrderId,
      nonce: typedNonce,
      deadline: typedDeadline,
    },
  },
  routerCalls: {
    sentence:
      'Transactions of the router call `deposit`, `depositToken`, `withdraw`, `withdrawToken`, `updateTpSl` (0: none), `addMargin`, `reduceMargin`, `changeLeverage`, `cancelOrder` or `replaceOrder`, with amounts at the decimals of their token and prices at one scale; approvals are those of ERC-20.',
    source: 'Resources, Prepared action: the calldata of transactions not shown',
    fields: {},
  },
  routerEvents: {
    sentence:
      'An event of the router names the wallet that it concerns as its first or second topic, and one that tells what a transaction did carries exactly the arguments of the call.',
    source: 'Resources, Prepared action: the events of the contracts not shown',
    fields: {},
  },
  webhookData: {
    sentence:
      'The `data` of a webhook event names what happened somewhere, by the hashes and ids of the account’s own reads; a short number does so under a name that holds one of these words, or as `id`. Every order of the history was accepted, every trade is a fill and changes a position, and the last trade of a filled order fills it.',
    source: 'Events: the fields inside `data` of each event type not shown',
    fields: {
      transaction: ['hash', 'transaction', 'tx'],
      trade: ['trade', 'fill', 'execution'],
      intent: ['intent', 'command'],
      order: ['order', 'client', 'cloid'],
      position: ['position'],
    },
  },
  webhookCorrections: {
    sentence:
      'After a reorganisation each event that was sent and holds no longer is taken back by a correction of its own that names it: `transaction.confirmed` and `transaction.reverted` by `transaction.pending`, any other by `chain.reorg`. One that names no event stands for all of them at that time.',
    source: 'Events: which event a correction takes back, and whether each has its own, not shown',
    fields: { transaction: ['transaction.pending'], other: ['chain.reorg'] },
  },
  receipt: {
    sentence: 'A receipt of a transaction that the wallet broadcast names its state as `submitted`, as the relay does.',
    source: 'Trading: allowed values of `state` in the receipt request not shown',
    fields: { broadcast: ['submitted'] },
  },
  grantTypedData: {
    sentence: 'The grant of a trading agent is typed data that names the wallet, the agent and an end; permissions are text or a list.',
    source: 'Developer routes: the grant to sign not shown',
    fields: {
      wallet: ['wallet', 'trader', 'owner', 'account', 'user', 'delegator', 'grantor', 'principal'],
      agent: ['agent', 'agent_address', 'trading_agent', 'delegate', 'grantee', 'operator'],
      permissions: ['permissions', 'permission', 'scope', 'scopes', 'role'],
      nonce: ['nonce', 'salt'],
      expiresAt: ['expires_at', 'expiry', 'expiration', 'deadline', 'valid_until', 'end'],
    },
  },
  actionPayloads: {
    sentence:
      'Payloads of the other prepared actions name a position by `position_id` or an order by `order_id`, and carry `size` (left out: all), `amount_usdc`, `leverage`, or `token` and `amount`; a field left out stays as it is, null takes an exit away.',
    source: 'Trading: payload shapes of actions other than `open_position` not shown',
    fields: {},
  },
  delegatedPayloads: {
    sentence:
      'Delegated actions take the payloads of the prepared ones, without `order_type` where the action says it; exits carry `price`, `isolated_manage` carries `margin_delta_usdc` or `leverage`, and `batch` a list `actions` of `action` and `payload`.',
    source: 'Trading: payload shapes of actions other than `open_position` and the `batch` item structure not shown',
    fields: {},
  },
  delegatedItem: {
    sentence:
      'The status of a delegated execution names its command, a state (queued, submitted, executed, partially_executed or failed), a transaction hash, and under `results` one outcome for each of its actions.',
    source: 'Endpoints: body of /executions/{command_id} not shown',
    fields: {
      execution: ['execution', 'command', 'delegated'],
      commandId: ['command_id', 'id'],
      state: ['state', 'status'],
      txHash,
      delegated: ['delegated'],
      statusUrl: ['status_url'],
      reason: ['reason', 'failure_reason', 'error'],
      results: ['results', 'items', 'actions', 'outcomes'],
      index: ['index', 'position', 'item'],
      action: ['action', 'type'],
      orderId: ['order_id'],
      positionId: ['position_id'],
    },
  },
} as const satisfies Record<string, Assumed>

export interface Assumption {
  readonly name: string
  readonly sentence: string
  readonly source: string
}

export const assumptions: readonly Assumption[] = Object.entries(assumed).map(([name, { sentence, source }]) => ({ name, sentence, source }))
