import { multiply } from '../../../shared/decimal.ts'
import { type Facts, type Row, said, type Told, view } from './view.ts'

const mine = () => ({ watch: null })
const table = (name: 'orders' | 'trades' | 'transactions' | 'history') => () =>
  ({ ...mine(), table: name, symbol: null, side: null, state: null, fromMs: null, toMs: null, text: '', offset: 0, limit: 200 }) as const

/** Fields that the app adds to every table and that no service sends: row positions and stored data. */
const aroundRows = [
  'offset',
  'total',
  'read',
  'complete',
  'newer',
  'reading',
  'symbols',
  'states',
  'cut',
  'unreadable',
  'source.route',
  'source.keyLabel',
  'source.why',
  'rows.intentRef',
]

const rowFields = [
  ...[
    'key',
    'atMs',
    'pairId',
    'symbol',
    'side',
    'what',
    'state',
    'reason',
    'size',
    'filledSize',
    'entryPrice',
    'price',
    'valueUsdc',
    'feeUsdc',
    'realisedPnlUsdc',
  ],
  ...['fundingUsdc', 'role', 'tradeId', 'orderId', 'positionId', 'clientOrderId', 'intentId', 'txHash', 'keyLabel', 'intentRef'],
]
const without = (path: string, fields: Readonly<Record<string, Told>>): string[] =>
  rowFields.filter((name) => !Object.hasOwn(fields, name)).map((name) => `${path}.${name}`)

const text = (value: unknown): string | null => (typeof value === 'string' ? value : null)
/** A value in USDC: as the service sends it, or else size times price. Both are accepted, because a service may send a size as its USDC value. */
const worthOf = (value: string | null, price: string): Told => ({
  derived: `${value ?? 'size'}, or size × ${price}`,
  from: value === null ? ['size', price] : [value, 'size', price],
  value: (row) => (value === null ? sizeAt(row, price) : text(row[value])),
  or: (row) => sizeAt(row, price),
})
const sizeAt = (row: Row, price: string): string | null => {
  const [size, each] = [text(row.size), text(row[price])]
  return size === null || each === null ? null : multiply(size, each)
}
/** A field of the order’s payload. As documented, the response contains the `open_position` payload exactly as it was sent. */
const ofPayload = (name: string): Told => ({
  derived: 'payload',
  from: ['payload'],
  value: ({ payload }) => {
    const found = typeof payload === 'object' && payload !== null ? (payload as Row)[name] : undefined
    return typeof found === 'string' || typeof found === 'number' ? found : null
  },
})

const orderRow: Readonly<Record<string, Told>> = {
  atMs: 'created_at_ms',
  pairId: 'pair_id',
  symbol: 'symbol',
  side: 'side',
  what: 'order_type',
  state: 'status',
  size: 'size',
  filledSize: 'filled_size',
  price: 'price',
  valueUsdc: worthOf('order_value_usdc', 'price'),
  orderId: 'order_id',
  positionId: 'position_id',
  clientOrderId: 'client_order_id',
}
const tradeRow: Readonly<Record<string, Told>> = {
  atMs: 'executed_at_ms',
  pairId: 'pair_id',
  symbol: 'symbol',
  side: 'side',
  what: said('effect'),
  size: 'size',
  price: 'price',
  valueUsdc: worthOf(null, 'price'),
  feeUsdc: 'fee_usdc',
  realisedPnlUsdc: 'realised_pnl_usdc',
  role: said('role'),
  tradeId: 'trade_id',
  orderId: 'order_id',
  txHash: 'tx_hash',
}
const closedRow: Readonly<Record<string, Told>> = {
  atMs: 'closed_at_ms',
  pairId: 'pair_id',
  symbol: 'symbol',
  side: 'side',
  what: said('closed_by'),
  size: 'size',
  entryPrice: 'entry_price',
  price: 'exit_price',
  valueUsdc: worthOf(null, 'exit_price'),
  realisedPnlUsdc: 'realised_pnl_usdc',
  fundingUsdc: 'funding_usdc',
  positionId: 'position_id',
}
const transactionRow: Readonly<Record<string, Told>> = {
  atMs: 'created_at_ms',
  pairId: ofPayload('pair_id'),
  side: ofPayload('side'),
  what: 'action',
  state: said('state'),
  reason: 'reason',
  clientOrderId: 'client_order_id',
  intentId: 'intent_id',
  txHash: 'tx_hash',
}
const foundRow: Readonly<Record<string, Told>> = {
  pairId: ofPayload('pair_id'),
  side: ofPayload('side'),
  what: 'action',
  state: said('state'),
  clientOrderId: 'client_order_id',
  intentId: 'intent_id',
  txHash: 'tx_hash',
}

/** Views of the connected wallet’s assets and activity. */
export const accountViews = [
  view({
    query: 'account.summary',
    input: mine,
    route: 'GET /account',
    parts: [
      {
        shown: '',
        told: '',
        fields: {
          wallet: 'wallet',
          equity: 'equity_usdc',
          collateral: 'collateral_usdc',
          freeMargin: 'free_margin_usdc',
          marginUsedPercent: 'margin_used_pct',
          unrealisedPnl: 'unrealised_pnl_usdc',
          healthFactor: 'health_factor',
          liquidationState: said('liquidation_state'),
        },
      },
    ],
    own: ['source.route', 'source.keyLabel', 'source.why'],
    unshown: [],
  }),
  view({
    query: 'account.positions',
    input: mine,
    route: 'GET /positions',
    parts: [
      {
        shown: 'positions',
        told: 'positions',
        by: ['symbol', 'symbol'],
        fields: {
          id: 'position_id',
          pairId: 'pair_id',
          symbol: 'symbol',
          side: 'side',
          size: 'size',
          notionalUsdc: 'notional_usdc',
          entryPrice: 'entry_price',
          markPrice: 'mark_price',
          liquidationPrice: 'liquidation_price',
          leverage: 'leverage',
          marginMode: 'margin_mode',
          marginUsdc: 'margin_usdc',
          unrealisedPnl: 'unrealised_pnl_usdc',
          takeProfit: 'take_profit',
          stopLoss: 'stop_loss',
        },
      },
    ],
    own: ['positions.rawSize', 'missing.unreadable', 'missing.more', 'source.route', 'source.keyLabel', 'source.why'],
    unshown: ['positions.funding_usdc', 'wallet'],
  }),
  view({
    query: 'account.orders',
    input: mine,
    route: 'GET /orders',
    parts: [
      {
        shown: 'orders',
        told: 'orders.items',
        by: ['clientOrderId', 'client_order_id'],
        fields: {
          id: 'order_id',
          pairId: 'pair_id',
          symbol: 'symbol',
          side: 'side',
          type: 'order_type',
          price: 'price',
          size: 'size',
          filledSize: 'filled_size',
          orderValueUsdc: worthOf('order_value_usdc', 'price'),
          limitPrice: 'limit_price',
          triggerPrice: 'trigger_price',
          takeProfit: 'take_profit',
          stopLoss: 'stop_loss',
          marginMode: 'margin_mode',
          leverage: 'leverage',
          reduceOnly: 'reduce_only',
          positionId: 'position_id',
          status: 'status',
          clientOrderId: 'client_order_id',
          atMs: 'created_at_ms',
        },
      },
    ],
    own: ['cut', 'source.route', 'source.keyLabel', 'source.why'],
    unshown: ['orders.items.intent_id', 'orders.items.tx_hash', 'orders.items.reason'],
  }),
  view({
    query: 'account.collateral',
    input: mine,
    route: 'GET /collateral',
    parts: [
      {
        shown: 'balances',
        told: 'collateral',
        by: ['asset', 'token'],
        fields: { asset: 'token', contract: 'address', balance: 'balance', locked: 'locked', withdrawable: 'withdrawable' },
      },
    ],
    // The app reads the following fields from the chain and from the documented configuration, not from this response.
    own: [
      ...['balances.walletBalance', 'balances.decimals', 'permitOffered', 'walletEth', 'contractWallet'],
      ...['tokens', 'missing.unreadable', 'missing.more', 'source.route', 'source.keyLabel', 'source.why'],
    ],
    unshown: ['wallet'],
  }),
  view({
    query: 'account.riskPreview',
    input: ({ riskTicket }: Facts) => ({ ticket: riskTicket }),
    route: 'POST /risk/preview',
    parts: [
      {
        shown: '',
        told: 'preview',
        fields: {
          executable: 'executable',
          entryPrice: 'entry_price',
          liquidationPrice: 'liquidation_price',
          marginUsdc: 'margin_required_usdc',
          marginUsedBefore: 'margin_used_before_pct',
          marginUsedAfter: 'margin_used_after_pct',
          healthBefore: 'health_before',
          healthAfter: 'health_after',
          freeMarginAfterUsdc: 'free_margin_after_usdc',
          feeUsdc: 'fee_usdc',
          networkUsdc: 'network_cost_usdc',
        },
      },
    ],
    own: ['reason.text', 'reason.raw'],
    unshown: ['preview.action', 'preview.reason', 'preview.equity_after_usdc', 'preview.margin_after_usdc', 'preview.withdrawable_after_usdc'],
  }),
  view({
    query: 'account.history',
    variant: 'orders',
    input: table('orders'),
    route: 'GET /orders',
    parts: [{ shown: 'rows', told: 'orders.items', by: ['clientOrderId', 'client_order_id'], fields: orderRow }],
    own: [...aroundRows, ...without('rows', orderRow)],
    unshown: ['reason', 'intent_id', 'tx_hash', 'limit_price', 'trigger_price', 'margin_mode', 'leverage', 'reduce_only', 'take_profit', 'stop_loss'].map(
      (name) => `orders.items.${name}`,
    ),
  }),
  view({
    query: 'account.history',
    variant: 'trades',
    input: table('trades'),
    route: 'GET /trades',
    parts: [{ shown: 'rows', told: 'trades.items', by: ['txHash', 'tx_hash'], fields: tradeRow }],
    own: [...aroundRows, ...without('rows', tradeRow)],
    unshown: [],
  }),
  view({
    query: 'account.history',
    variant: 'transactions',
    input: table('transactions'),
    route: 'GET /transactions',
    parts: [{ shown: 'rows', told: 'transactions.items', by: ['intentId', 'intent_id'], fields: transactionRow }],
    // The app adds the following fields itself, among them its own label of the key.
    own: [...aroundRows, ...without('rows', transactionRow)],
    unshown: ['transactions.items.key_id'],
  }),
  view({
    query: 'account.history',
    variant: 'history',
    input: table('history'),
    route: 'GET /positions/history',
    parts: [{ shown: 'rows', told: 'history.items', by: ['price', 'exit_price'], fields: closedRow }],
    own: [...aroundRows, ...without('rows', closedRow)],
    unshown: ['history.items.close_id'],
  }),
  view({
    query: 'account.findOrder',
    input: ({ clientOrderId }) => ({ clientOrderId }),
    route: 'GET /orders/by-client-id',
    parts: [{ shown: 'found', told: 'intent', fields: foundRow }],
    own: without('found', foundRow),
    unshown: [],
  }),
  view({
    query: 'account.finality',
    input: ({ txHash }) => (txHash === null ? null : { txHash }),
    route: 'GET /native/executions/{tx_hash}',
    parts: [{ shown: '', told: '', fields: { finality: 'finality', confirmations: 'confirmations', blockNumber: 'block_number' } }],
    own: [],
    unshown: ['tx_hash'],
  }),
  view({
    query: 'intents.execution',
    input: ({ execution }) => (execution === null ? null : { ref: execution }),
    route: 'GET /executions/{command_id}',
    parts: [
      { shown: '', told: 'execution', fields: { commandId: 'command_id', state: said('state'), txHash: 'tx_hash', executor: 'executor' } },
      {
        shown: 'items',
        told: 'execution.results',
        by: ['index', 'index'],
        fields: { index: 'index', action: 'action', state: said('state'), reason: 'reason', orderId: 'order_id', positionId: 'position_id' },
      },
    ],
    own: ['items.title', 'keyLabel', 'replayUntilMs'],
    unshown: ['execution.action', 'execution.reason', 'execution.created_at_ms', 'execution.updated_at_ms'],
  }),
]
