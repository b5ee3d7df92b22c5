import { absolute, compare, signOf } from '../../decimal.ts'
import type { OpenOrder, Position } from '../../ipc/reads/account.ts'
import { agreeOnMarginUsed, agreeOnPositionSize, agreeOnSize, carryDecimals } from '../names/match.ts'
import { type AnswerOf, type ListRead, listOf, oneOf } from '../reader/answer.ts'
import { may, must } from '../reader/field.ts'
import { base, count, factor, flag, id, namedUsdc, percent, price, symbol, text, time, usdc } from '../reader/kinds.ts'
import { resource } from '../reader/resource.ts'
import { withReason } from '../unknown-fields.ts'
import { sizeFrom } from './markets/order-book.ts'
import { each, idsOf, names, pricesOf, statesOf, timesOf } from './name-lists.ts'
import { missingOf, pageOf } from './page.ts'
import { liquidationState, marginMode, orderStatus, orderType, side, sideBy, sideFlags, sideWord } from './words.ts'

const notShown = 'Resources: bodies of account read resources not shown'

export const account = resource({
  name: 'account',
  words: ['account'],
  sentence: 'The account carries its amounts in USDC and its shares in percent under the usual names, in any grouping; a missing one is unknown, not zero.',
  source: notShown,
  fields: {
    wallet: may(['wallet', 'wallet_address', 'account', 'address', 'owner', 'user', 'trader'], text),
    equity: may(
      [
        'equity_usdc',
        'equity',
        'account_equity',
        'account_value',
        'total_equity',
        'net_equity',
        'equity_value',
        'portfolio_value',
        'net_value',
        'total_value',
        'margin_balance',
      ],
      usdc,
    ),
    collateral: may(
      [
        'collateral_usdc',
        'collateral',
        'total_collateral',
        'collateral_balance',
        'collateral_value',
        'balance_usdc',
        'balance',
        'wallet_balance',
        'ledger_balance',
        'deposit_balance',
        'deposited',
        'cash_balance',
        'cash',
      ],
      usdc,
    ),
    freeMargin: may(
      [
        'free_margin_usdc',
        'free_margin',
        'available_margin',
        'available_usdc',
        'free_collateral',
        'available_collateral',
        'margin_free',
        'available_balance',
        'free_balance',
        ...each(['buying', 'trading', 'spending', 'margin'], ['power', 'room', 'capacity', 'headroom']),
        'free_equity',
        'available_equity',
        'excess_margin',
        'withdrawable',
      ],
      usdc,
    ),
    /** The margin that open positions use. */
    marginUsdc: may(
      ['margin_used_usdc', 'margin_usdc', 'margin', 'used_margin_usdc', 'total_margin', 'position_margin', 'margin_in_use', 'locked_margin', 'margin_locked'],
      usdc,
    ),
    marginUsedPercent: may(
      [
        'margin_used_pct',
        'margin_used',
        'used_margin',
        'margin_usage_pct',
        'margin_usage',
        'margin_utilisation',
        'margin_ratio',
        'margin_used_ratio',
        'margin_share',
        ...each(['initial_margin'], ['usage', 'utilisation', 'ratio', 'used']),
        ...each(['margin', 'margin_used'], ['share', 'load', 'level', 'percentage', 'consumption', 'in_use']),
        'used_margin_share',
      ],
      percent,
    ),
    unrealisedPnl: may(
      [
        'unrealised_pnl_usdc',
        'unrealised_pnl',
        'total_unrealised_pnl',
        'pnl_usdc',
        'pnl',
        'open_pnl',
        'position_pnl',
        'paper_pnl',
        'mark_to_market',
        'open_result',
      ],
      usdc,
    ),
    healthFactor: may(
      [
        'health_factor',
        'health',
        ...each(['health', 'safety', 'solvency', 'account_health'], ['factor', 'score', 'ratio', 'index', 'level']),
        'account_health',
      ],
      factor,
    ),
    liquidationState: may(
      [
        'liquidation_state',
        'liquidation_status',
        'liquidation_risk',
        ...statesOf('liquidation', 'risk', 'margin', 'account', 'health', 'solvency'),
        'risk_level',
      ],
      liquidationState,
    ),
  },
  agree: { marginUsedPercent: agreeOnMarginUsed },
})
export const AccountState = oneOf(account)
export type AccountState = AnswerOf<typeof AccountState>

export interface PositionRecord extends Position {
  readonly unknownFields: string | null
}

const noneAsZero = (written: string | null): string | null => (written === null || signOf(written) === 0 ? null : written)

/**
 * Finds a position's side from its prices. The liquidation price is below the entry for a long, and above it for a short. The profit must agree with
 * the price move. null if the prices show no side, or contradict each other.
 */
function sideByPrices(found: {
  readonly entryPrice: string | null
  readonly markPrice: string | null
  readonly liquidationPrice: string | null
  readonly unrealisedPnl: string | null
}): 'long' | 'short' | null {
  const { entryPrice: entry, markPrice: at, liquidationPrice: liquidation, unrealisedPnl: pnl } = found
  if (entry === null || liquidation === null || signOf(liquidation) <= 0) return null
  const below = compare(entry, liquidation)
  const won = at === null || pnl === null ? 0 : compare(at, entry) * signOf(pnl)
  if (below === 0 || (won !== 0 && won !== below)) return null
  return below > 0 ? 'long' : 'short'
}

/** Sets a position's prices to null because their number of decimals is unknown. */
const withoutPrices = (unknownFields: string | null) => ({
  ...{ entryPrice: null, markPrice: null, liquidationPrice: null, takeProfit: null, stopLoss: null },
  unknownFields: withReason(unknownFields, 'prices', undefined, 'scale'),
})

export const position = resource({
  name: 'position',
  words: ['position'],
  sentence:
    'A position names its market and its side, or a size below zero for a short; amounts are in USDC, and its size is shown in base units where a name or its notional says so.',
  source: `${notShown}; States of orders and positions not shown`,
  fields: {
    id: may([...idsOf('position', 'pos', 'holding'), 'trade_id', 'id'], id),
    pairId: must([...names.pairId, 'pair', 'market', 'product', 'instrument'], count),
    symbol: may(names.symbol, symbol),
    side: may(names.side, side),
    ...sideFlags,
    size: may(['size', 'size_base', 'position_size', 'base_size', 'quantity', 'amount', 'base_amount', 'open_size', 'volume', 'exposure'], base),
    notionalUsdc: may(
      ['notional_usdc', 'notional', 'position_value_usdc', 'value_usdc', 'value', 'notional_value', 'size_usdc', 'exposure_usdc', 'exposure_value'],
      usdc,
    ),
    entryPrice: may(
      [
        'entry_price',
        'average_entry_price',
        'avg_entry_price',
        'open_price',
        'average_price',
        'average_open_price',
        'entry',
        ...pricesOf('entry', 'opening', 'average_entry', 'cost', 'fill', 'entered', 'cost_basis'),
        'cost_basis',
      ],
      price,
    ),
    markPrice: may(names.mark, price),
    liquidationPrice: may(
      [
        ...names.liquidationPrice,
        'estimated_liquidation_price',
        'liquidation',
        'bankruptcy_price',
        ...pricesOf('estimated_liquidation', 'est_liquidation', 'expected_liquidation'),
      ],
      price,
    ),
    leverage: may(
      ['leverage', 'effective_leverage', 'multiplier', 'leverage_ratio', 'leverage_factor', 'gearing', 'times', 'leverage_x', 'leverage_value'],
      factor,
    ),
    marginMode: may(names.marginMode, marginMode),
    marginUsdc: may(
      [
        'margin_usdc',
        'margin',
        'collateral_usdc',
        'collateral',
        'position_margin',
        'margin_used_usdc',
        'used_margin',
        'initial_margin',
        'deposit',
        'stake',
        ...each(['position', 'allocated', 'locked', 'isolated', 'held', 'posted'], ['margin', 'collateral']),
        'collateral_in_position',
        'margin_in_position',
      ],
      usdc,
    ),
    unrealisedPnl: may(['unrealised_pnl_usdc', 'unrealised_pnl', 'pnl_usdc', 'pnl', 'open_pnl', 'current_pnl'], usdc),
    takeProfit: may(names.takeProfit, price),
    stopLoss: may(names.stopLoss, price),
  },
  agree: { size: agreeOnPositionSize },
  inUsdc: { size: 'notionalUsdc' },
  writes: 'size',
  keyed: { key: 'id' },
  /**
   * Uses the side that the service states. Without one, a negative size means short, and otherwise the prices must show the side. A position of
   * unknown side is unreadable.
   */
  finish: (found, complain): PositionRecord | undefined => {
    found.takeProfit = noneAsZero(found.takeProfit)
    found.stopLoss = noneAsZero(found.stopLoss)
    found.liquidationPrice = noneAsZero(found.liquidationPrice)
    const said = sideBy(found.side, found)
    const below = found.size !== null && signOf(found.size) < 0
    const known = said === null ? (below ? 'short' : sideByPrices(found)) : said
    if (known == null) {
      complain(['side'], known === undefined ? 'said twice, differently' : 'missing')
      return undefined
    }
    if (carryDecimals(found)) Object.assign(found, withoutPrices(found.unknownFields))
    // Every field by name, because leaving out four fields of a copy takes longer than all other work of this function.
    return {
      id: found.id,
      pairId: found.pairId,
      symbol: found.symbol,
      side: known,
      size: found.size === null ? null : absolute(found.size),
      notionalUsdc: found.notionalUsdc === null ? null : absolute(found.notionalUsdc),
      entryPrice: found.entryPrice,
      markPrice: found.markPrice,
      liquidationPrice: found.liquidationPrice,
      leverage: found.leverage,
      marginMode: found.marginMode,
      marginUsdc: found.marginUsdc,
      unrealisedPnl: found.unrealisedPnl,
      takeProfit: found.takeProfit,
      stopLoss: found.stopLoss,
      unknownFields: found.unknownFields,
      ...(found.written !== undefined && { rawSize: found.written }),
    }
  },
})

export const PositionList = listOf(position, ['positions', 'open_positions'], (list: ListRead<PositionRecord>) => ({
  positions: list.items,
  missing: missingOf(list),
}))

export interface OrderRecord extends OpenOrder {
  readonly unknownFields: string | null
}

const filledNames = [
  ...['filled_size', 'filled', 'executed_size', 'filled_size_base', 'filled_base', 'filled_quantity', 'filled_amount', 'cumulative_size', 'fill_size'],
  ...each(['done', 'matched', 'traded', 'cumulative_executed', 'cumulative_filled'], ['size']),
  'executed',
]

/**
 * Converts sizes in USDC to base units, but only if the order has a single price. If the limit price differs from the fill price, the right price is
 * unclear.
 */
function sizesFrom(
  {
    price: at,
    limitPrice,
    size,
    filledSize,
  }: { readonly price: string | null; readonly limitPrice: string | null; readonly size: string | null; readonly filledSize: string | null },
  sizeUsdc: string | null,
  filledUsdc: string | null,
) {
  const only = limitPrice === null || at === null || compare(at, limitPrice) === 0 ? at : null
  return { size: size ?? sizeFrom(sizeUsdc, only), filledSize: filledSize ?? sizeFrom(filledUsdc, only) }
}

export const order = resource({
  name: 'order',
  words: ['order'],
  sentence:
    'An order names its id; its value is in USDC, its size is shown in base units where a name or its value says so, and its state is the service’s own word.',
  source: `${notShown}; States of orders and positions not shown`,
  fields: {
    id: must([...idsOf('order', 'ord'), 'oid', 'order_hash', 'id'], id),
    pairId: may([...names.pairId, 'pair', 'market', 'product', 'instrument'], count),
    symbol: may(names.symbol, symbol),
    side: may(names.side, sideWord),
    ...sideFlags,
    type: may(['order_type', 'type', 'kind', ...each(['order', 'ord', 'execution', 'orig'], ['type', 'kind', 'style', 'class'])], orderType),
    price: may(['price', 'price_value', ...pricesOf('order', 'fill'), 'average_fill_price', 'limit_price', 'trigger_price'], price),
    size: may(['size', 'size_base', 'order_size', 'position_size', 'base_size', 'quantity', 'amount', 'original_size', 'base_amount', 'volume'], base),
    filledSize: may(filledNames, base),
    /** Like `size`, for a size that the service states in USDC. */
    sizeUsdc: may(each(['size', 'position_size'], ['usdc']), namedUsdc),
    filledUsdc: may(each(filledNames, ['usdc']), namedUsdc),
    orderValueUsdc: may(
      [
        ...names.worthUsdc,
        ...each(['quote_order', 'requested_order'], ['size', 'amount_usdc']),
        ...each(['order', 'requested', 'ordered', 'placed', 'notional', 'target'], ['value', 'notional', 'amount_usdc']),
      ],
      usdc,
    ),
    limitPrice: may([...pricesOf('limit', 'lmt', 'worst'), 'limit'], price),
    triggerPrice: may([...pricesOf('trigger', 'stop', 'activation', 'stop_trigger'), 'trigger'], price),
    takeProfit: may(names.takeProfit, price),
    stopLoss: may(names.stopLoss, price),
    marginMode: may(names.marginMode, marginMode),
    leverage: may(['leverage', 'multiplier', 'leverage_ratio', 'leverage_factor', 'gearing', 'times', 'leverage_x', 'leverage_value'], factor),
    reduceOnly: may(
      [
        'reduce_only',
        'is_reduce_only',
        'close_only',
        'reduces_only',
        'only_reduces',
        'only_reduce',
        'only_closes',
        'close_position_only',
        'closing_only',
        'ro',
        'closing',
        'is_close',
      ],
      flag,
    ),
    positionId: may([...idsOf('position', 'pos', 'holding', 'closes_position'), 'trade_id', 'closes', 'position'], id),
    status: may(statesOf('order', 'ord'), orderStatus),
    clientOrderId: may(names.clientOrderId, id),
    atMs: may([...names.createdAt, ...timesOf('opened', 'received', 'accepted')], time),
  },
  agree: {
    size: agreeOnSize,
    // The filled size cannot exceed the order's size. So if it is at most the order's known size, it has the same unit as that size.
    filledSize: ({ size, sizeUsdc }, value) =>
      size !== null && compare(value, size) <= 0 ? 'as_named' : sizeUsdc !== null && compare(value, sizeUsdc) <= 0 ? 'usdc' : null,
  },
  inUsdc: { size: 'sizeUsdc', filledSize: 'filledUsdc' },
  keyed: { key: 'id' },
  finish: ({ isLong, isShort, sideSign, sizeUsdc, filledUsdc, ...found }): OrderRecord => ({
    ...found,
    ...sizesFrom(found, sizeUsdc, filledUsdc),
    side: sideBy(found.side, { isLong, isShort, sideSign }) ?? null,
  }),
})

export const OrderPage = pageOf(['orders', 'open_orders'], order)
