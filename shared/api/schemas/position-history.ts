import { agreeOnFee, agreeOnSize } from '../names/match.ts'
import { may } from '../reader/field.ts'
import { base, count, id, price, symbol, text, time, usdc } from '../reader/kinds.ts'
import { type Read, resource } from '../reader/resource.ts'
import { sizeFrom } from './markets/order-book.ts'
import { each, idsOf, momentsOf, names, pricesOf, timesOf } from './name-lists.ts'
import { pageOf } from './page.ts'
import { effect, sideBy, sideFlags, sideWord, tradeRole } from './words.ts'

export const closedPosition = resource({
  name: 'closed_position',
  words: ['position', 'history', 'closed'],
  sentence:
    'A closed position tells its realised profit or loss in USDC, without fees and funding, its funding in USDC, above zero where it was received, and when it was closed; the newest come first.',
  source: 'Resources: bodies of account read resources not shown; Account: items of /positions/history not shown',
  fields: {
    id: may([...idsOf('position', 'pos', 'holding'), 'trade_id', 'id'], id),
    /** The id of this close. A position that was closed in parts has several closes. */
    closeId: may(idsOf('close', 'closing', 'history', 'settlement', 'exit', 'closure', 'record', 'entry'), id),
    pairId: may([...names.pairId, 'pair', 'market', 'product', 'instrument'], count),
    symbol: may(names.symbol, symbol),
    side: may(names.side, sideWord),
    ...sideFlags,
    size: may(['size', 'size_base', 'closed_size', 'base_size', 'quantity', 'amount', 'close_size', 'position_size', 'volume'], base),
    entryPrice: may(
      [
        'entry_price',
        'average_entry_price',
        'avg_entry_price',
        'open_price',
        'average_open_price',
        'average_price',
        ...pricesOf('entry', 'opening', 'cost', 'entered', 'cost_basis'),
        'entry',
        'cost_basis',
      ],
      price,
    ),
    exitPrice: may(
      [
        'exit_price',
        'close_price',
        'average_exit_price',
        'avg_exit_price',
        'average_close_price',
        ...pricesOf('exit', 'closing', 'closed', 'out', 'exited'),
        'exit',
      ],
      price,
    ),
    valueUsdc: may(['notional_usdc', 'notional', 'value_usdc', 'size_usdc', 'position_value'], usdc),
    realisedPnlUsdc: may(names.realisedPnl, usdc),
    fundingUsdc: may(
      [
        'funding_usdc',
        'funding_paid_usdc',
        'funding',
        'funding_fee',
        ...each(['funding'], ['payment', 'received', 'paid', 'pnl', 'result', 'total', 'sum', 'net', 'accrued', 'cumulative']),
      ],
      usdc,
    ),
    closedBy: may(
      [
        'closed_by',
        'close_reason',
        'reason',
        ...each(['close', 'closed', 'exit', 'closing', 'closure'], ['reason', 'type', 'cause', 'kind', 'through', 'how', 'via', 'by', 'trigger']),
        'cause',
      ],
      text,
    ),
    openedAtMs: may(['opened_at_ms', 'opened_at', 'open_time', 'entry_time', 'opened'], time),
    closedAtMs: may(
      ['closed_at_ms', 'closed_at', 'close_time', 'exit_time', 'exit_at', ...timesOf('closed', 'exited', 'settled', 'ended'), ...names.createdAt],
      time,
    ),
    txHash: may(names.txHash, text),
    keyId: may(names.keyId, id),
  },
  agree: { size: (found, value) => agreeOnSize({ ...found, price: found.exitPrice }, value) ?? agreeOnResult(found, value) },
  keyed: { key: 'id' },
  // `valueUsdc` is left out, because it was only needed to find the unit of the size.
  finish: ({ valueUsdc: _, isLong, isShort, sideSign, ...found }) => ({ ...found, side: sideBy(found.side, { isLong, isShort, sideSign }) ?? null }),
})

/** Decides from the realised profit whether a closed position's size is in base units. If so, the profit equals the size times the price move. */
function agreeOnResult(
  {
    entryPrice,
    exitPrice,
    realisedPnlUsdc,
  }: { readonly entryPrice: string | null; readonly exitPrice: string | null; readonly realisedPnlUsdc: string | null },
  value: string,
) {
  if (entryPrice === null || exitPrice === null || realisedPnlUsdc === null) return null
  // Floats are safe here: the app only compares magnitudes and never computes an amount with them.
  const moved = Math.abs(Number(exitPrice) - Number(entryPrice))
  const result = Math.abs(Number(realisedPnlUsdc))
  const size = Math.abs(Number(value))
  // A profit or loss below 1 USDC is too inexact for the comparison, because of rounding.
  if (moved === 0 || result < 1 || size === 0) return null
  if (Math.abs((size * moved) / result - 1) <= 0.05) return 'as_named'
  return Math.abs(((size / Number(entryPrice)) * moved) / result - 1) <= 0.05 ? 'usdc' : null
}

/** A position that was closed, fully or in part. Amounts in USDC. null: not stated. */
export type ClosedPositionRecord = Omit<Read<typeof closedPosition.fields>, 'valueUsdc' | keyof typeof sideFlags>

export const PositionHistoryPage = pageOf(['history', 'positions', 'closed_positions', 'position_history'], closedPosition)

export const trade = resource({
  name: 'trade',
  words: ['trade', 'fill'],
  sentence:
    'A trade tells its fee in USDC, above zero where it was paid, and when it was executed; what it did, its role, its result and the key that asked for it may be named. The newest come first.',
  source: 'Resources: bodies of account read resources not shown; Account: items of /trades not shown',
  fields: {
    id: may([...idsOf('trade', 'fill', 'execution', 'match', 'deal'), 'tid', 'id'], id),
    orderId: may([...idsOf('order', 'ord'), 'oid', 'order'], id),
    positionId: may([...idsOf('position', 'pos', 'holding'), 'position'], id),
    clientOrderId: may(names.clientOrderId, id),
    pairId: may([...names.pairId, 'pair', 'market', 'product', 'instrument'], count),
    symbol: may(names.symbol, symbol),
    side: may(names.side, sideWord),
    ...sideFlags,
    did: may(['effect', 'action', 'type', 'kind', 'event', 'trade_type', 'position_effect'], effect),
    price: may(['price', 'price_value', ...pricesOf('execution', 'fill', 'trade', 'deal', 'match'), 'average_price'], price),
    size: may(
      [
        'size',
        'size_base',
        'base_size',
        'quantity',
        'amount',
        'filled_size',
        'executed_size',
        'trade_size',
        'fill_size',
        'position_size',
        'order_size',
        'base_amount',
        'volume',
      ],
      base,
    ),
    valueUsdc: may([...names.worthUsdc, 'quote_size', 'notional_value', 'trade_value', ...each(['position', 'order', 'trade', 'fill'], ['size_usdc'])], usdc),
    feeUsdc: may(
      ['fee_usdc', 'trading_fee_usdc', 'fee', 'fees_usdc', 'trading_fee', 'fee_paid', 'fee_amount', 'total_fee', 'execution_fee', 'trade_fee'],
      usdc,
    ),
    realisedPnlUsdc: may(names.realisedPnl, usdc),
    role: may(
      ['role', 'exec_role', 'execution_role', 'fill_role', 'liquidity', 'liquidity_indicator', 'maker_taker', 'liquidity_role', 'trade_role'],
      tradeRole,
    ),
    txHash: may(names.txHash, text),
    keyId: may(names.keyId, id),
    atMs: may([...momentsOf('executed', 'traded', 'filled', 'matched', 'done'), ...names.createdAt], time),
  },
  agree: { size: (found, value) => agreeOnSize(found, value) ?? agreeOnFee(found, value) },
  inUsdc: { size: 'valueUsdc' },
  keyed: { key: 'id' },
  finish: ({ isLong, isShort, sideSign, ...found }) => ({
    ...found,
    // If the trade states no size, calculate it from the trade's value and price.
    size: found.size ?? sizeFrom(found.valueUsdc, found.price),
    side: sideBy(found.side, { isLong, isShort, sideSign }) ?? null,
  }),
})

/** An executed trade. Fee in USDC. null: not stated. */
export type TradeRecord = Omit<Read<typeof trade.fields>, keyof typeof sideFlags>

export const TradePage = pageOf(['trades', 'fills', 'executions'], trade)
