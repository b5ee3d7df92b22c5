import type { Address } from 'viem'
import { compare, divide, isZero, multiply, signOf, subtract } from '../../../../shared/decimal.ts'
import type { Market } from '../market/catalogue.ts'
import type { Marks } from '../market/marks.ts'
import { fixed } from '../money.ts'
import type { ExecutionStatus, IntentRow, OpenPosition, State } from '../state/state.ts'
import { feeOn, networkCostUsdc } from './fees.ts'
import { sizeFor, takingPrice } from './fills.ts'
import { liquidationPriceOf, standingsOf, writtenHealth } from './margin.ts'
import { applyFill, bookOf } from './positions.ts'

export interface Preflight {
  readonly status: ExecutionStatus
  readonly reason: string | null
  readonly simulation: IntentRow['simulation']
  readonly costs: IntentRow['costs']
}

/** Simulates the order on the wallet's book as it stands. Changes nothing. */
export function preflight(payload: OpenPosition, market: Market, wallet: Address, { state, marks }: { state: State; marks: Marks }): Preflight {
  const value = payload.order_value_usdc
  const entry = entryPrice(payload, market, marks, value)
  const size = sizeFor(market, value, entry)
  const fee = feeOn(multiply(size, entry))
  const margin = divide(value, payload.leverage.toString(), 6, 'up')

  const book = bookOf(state, wallet)
  const before = standingsOf(book, marks)
  const after = standingsOf(
    applyFill(
      { ...book, collateral: subtract(subtract(book.collateral, fee), networkCostUsdc) },
      {
        intentId: 'simulation',
        sequence: 0,
        pairId: market.id,
        marginMode: payload.margin_mode,
        side: payload.side,
        price: entry,
        size,
        leverage: payload.leverage,
        takeProfit: null,
        stopLoss: null,
        atMs: marks.atMs(),
      },
    ),
    marks,
  )
  const standing = after.each.find(({ position }) => position.pairId === market.id && position.marginMode === payload.margin_mode)
  const liquidation = standing === undefined ? null : liquidationPriceOf(standing, after)
  const enough = compare(after.equity, after.marginUsed) >= 0 && signOf(after.equity) > 0
  const price = (amount: string | null) => (amount === null ? null : fixed(amount, market.priceDecimals))
  return {
    ...(market.status === 'pending'
      ? { status: 'contract_pending', reason: 'market_contract_pending' }
      : isZero(size)
        ? { status: 'preflight_failed', reason: 'order_size_zero' }
        : enough
          ? { status: 'signature_ready', reason: null }
          : { status: 'preflight_failed', reason: 'open_margin_insufficient' }),
    simulation: {
      entry_price: price(entry),
      liquidation_price: price(liquidation),
      margin_required_usdc: margin,
      margin_used_before_pct: fixed(before.marginUsedPct, 2),
      margin_used_after_pct: fixed(after.marginUsedPct, 2),
      health_before: writtenHealth(before.health),
      health_after: writtenHealth(after.health),
      fee_usdc: fee,
    },
    costs: { network_usdc: networkCostUsdc, trading_fee_usdc: fee, charged_from: 'dex_collateral' },
  }
}

function entryPrice(payload: OpenPosition, market: Market, marks: Marks, value: string): string {
  const stated = payload.limit_price ?? payload.trigger_price
  return stated === undefined ? takingPrice(market, payload.side, marks.mark(market), value, payload.max_slippage_bps ?? null) : stated
}
