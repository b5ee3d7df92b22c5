/**
 * Assumptions about everything that the API document calls "not shown": bodies, payloads, signed messages, calls and events. Assumptions about
 * answers are not here but in `schemas`. Several names are alternatives for the same value, best first; case, `_` and `-` do not matter.
 */
interface Assumed {
  /** What the app assumes, in one sentence. */
  readonly sentence: string
  /** The place where the API document says that it leaves this detail out. */
  readonly source: string
  readonly fields: Readonly<Record<string, readonly string[]>>
}

const takeProfit = ['take_profit', 'tp', 'take_profit_price', 'tp_price']
const stopLoss = ['stop_loss', 'sl', 'stop_loss_price', 'sl_price']
const clientOrderId = ['client_order_id', 'client_id', 'cloid']

const trader = ['trader', 'wallet', 'owner', 'account', 'user', 'signer', 'maker', 'from', 'sender']
const typedPairId = ['pair_id', 'market_id', 'pair', 'market', 'pair_index']
const typedReferencePrice = ['reference_price', 'ref_price', 'expected_price', 'mark_price', 'open_price']
const typedSlippage = ['max_slippage_bps', 'slippage_bps', 'max_slippage', 'slippage', 'slippage_tolerance', 'slippage_limit']
const typedSide = ['side', 'direction', 'is_long', 'long', 'is_buy', 'buy', 'is_short', 'short', 'is_sell']
const typedSize = ['size', 'size_base', 'base_size', 'base_amount', 'base_quantity', 'size_delta', 'quantity', 'qty']
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
const typedNonce = ['nonce', 'salt', 'intent_nonce', 'user_nonce', 'sequence', 'sequence_number', 'seq_no', 'counter']
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
  keyBodies: {
    sentence:
      'Bodies of key management: keys/prepare takes `label`, `expires_in_days`, `ip_allowlist` and `quotas` as creating a key does; the expiry route takes `expires_in_days`, the executor route `executor` (a name or an address), `agent/grant` the `signature`, and creating a prepared key repeats its terms with `preparation_id` and `signature`; the agent route takes no body.',
    source: 'Developer routes: keys, expiry, executor, agent, agent/grant, request bodies not shown',
    fields: {},
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
      marginMode: ['margin_mode', 'margin_type', 'margin_kind', 'is_cross', 'is_isolated', 'cross', 'isolated'],
      leverage: ['leverage', 'multiplier'],
      orderValue: typedNotional,
      referencePrice: typedReferencePrice,
      maxSlippageBps: typedSlippage,
      limitPrice: ['limit_price'],
      triggerPrice: ['trigger_price', 'stop_price'],
      timeInForce: ['time_in_force', 'tif', 'duration'],
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
      timeInForce: ['time_in_force', 'tif', 'duration'],
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
      nonce: ['nonce'],
      expiresAt: ['expires_at', 'expiry', 'expiration', 'deadline', 'valid_until', 'end'],
    },
  },
  actionPayloads: {
    sentence:
      'Payloads of the other prepared actions name a position by `position_id` or an order by `order_id`. Closes take `size` (left out: all), inversions none, both `client_order_id`; at the market they take `reference_price` and `max_slippage_bps`, at a limit `limit_price`, `time_in_force` and `post_only`. Exits are `take_profit` and `stop_loss`; a replacement takes those, `order_value_usdc`, `limit_price` and `trigger_price`. Margin is `amount_usdc`, leverage `leverage`, collateral `token` and `amount`. A field left out stays as it is, null takes an exit away.',
    source: 'Trading: payload shapes of actions other than `open_position` not shown',
    fields: {},
  },
  delegatedPayloads: {
    sentence:
      'Delegated actions take the payloads of the prepared ones, without `order_type` where the action says it; exits carry `price`, `isolated_manage` carries `margin_delta_usdc` or `leverage`, and `batch` a list `actions` of `action` and `payload`.',
    source: 'Trading: payload shapes of actions other than `open_position` and the `batch` item structure not shown',
    fields: {},
  },
} as const satisfies Record<string, Assumed>
