import { add, compare, divide, maximum, minimum, multiply, negate, percentOf, roundTo, signOf, subtract } from '../../../../shared/decimal.ts'
import { fixed, sum } from '../../base/money.ts'
import { type Market, marketOf } from '../market/catalogue.ts'
import type { Marks } from '../market/mark-prices.ts'
import { type Book, type Position, resultOf } from '../state/book.ts'

const exact = 18

/**
 * The maintenance margin as a share of the notional: a position stays open only while its equity is at least this much. The share is half of the
 * initial margin at the market's highest leverage.
 */
export const maintenanceShare = (market: Market): string => divide('1', (2 * market.maxLeverage).toString(), exact)

export interface PositionStatus {
  readonly position: Position
  readonly market: Market
  readonly mark: string
  readonly notional: string
  readonly margin: string
  readonly maintenance: string
  readonly unrealised: string
}

/** The state of an account, with all amounts in USDC. */
export interface AccountStatus {
  readonly each: readonly PositionStatus[]
  readonly collateral: string
  readonly equity: string
  readonly marginUsed: string
  readonly freeMargin: string
  /** The amount that the wallet may withdraw: the free margin without unrealised profits. */
  readonly withdrawable: string
  /** The margin in use, as a percentage of the equity. */
  readonly marginUsedPct: string
  readonly unrealised: string
  /** Equity divided by maintenance margin; null if the account has no position. */
  readonly health: string | null
}

function positionStatus(position: Position, marks: Marks): PositionStatus[] {
  const market = marketOf(position.pairId)
  if (market === null) return []
  const mark = marks.mark(market)
  const notional = multiply(position.size, mark)
  return [
    {
      position,
      market,
      mark,
      notional,
      margin: position.ownMargin ?? divide(multiply(position.size, position.entryPrice), position.leverage.toString(), exact),
      maintenance: multiply(notional, maintenanceShare(market)),
      unrealised: resultOf(position, mark),
    },
  ]
}

export function accountStatus(book: Book, marks: Marks): AccountStatus {
  const each = book.positions.flatMap((position) => positionStatus(position, marks))
  const unrealised = sum(each.map((one) => one.unrealised))
  const equity = add(book.collateral, unrealised)
  const marginUsed = sum(each.map((one) => one.margin))
  const maintenance = sum(each.map((one) => one.maintenance))
  return {
    each,
    collateral: book.collateral,
    equity,
    marginUsed,
    freeMargin: maximum('0', subtract(equity, marginUsed)),
    withdrawable: maximum('0', subtract(minimum(equity, book.collateral), marginUsed)),
    marginUsedPct: (signOf(equity) > 0 ? percentOf(marginUsed, equity, 2) : null) ?? '0',
    unrealised,
    health: signOf(maintenance) > 0 ? divide(equity, maintenance, 4) : null,
  }
}

/**
 * The margin that backs a position. An isolated position is backed by its own margin, a cross position by the collateral that the wallet's other
 * positions do not need.
 */
function backingOf(standing: PositionStatus, standings: AccountStatus): string {
  if (standing.position.marginMode === 'isolated') return standing.margin
  const others = standings.each.filter((one) => one !== standing)
  return sum([
    standings.collateral,
    ...others.map((one) => (one.position.marginMode === 'isolated' ? negate(one.margin) : subtract(one.unrealised, one.maintenance))),
  ])
}

/** Returns the mark price at which the margin that backs the position falls to its maintenance margin; null if there is no such price. */
export function liquidationPriceOf(standing: PositionStatus, standings: AccountStatus): string | null {
  const { position, market } = standing
  const backing = backingOf(standing, standings)
  const share = maintenanceShare(market)
  const cost = multiply(position.entryPrice, position.size)
  const price =
    position.side === 'long'
      ? divide(subtract(cost, backing), multiply(position.size, subtract('1', share)), exact)
      : divide(add(cost, backing), multiply(position.size, add('1', share)), exact)
  return signOf(price) > 0 ? price : null
}

export const writtenHealth = (health: string | null): string | null => (health === null ? null : fixed(health, 2))

const liquidationStateOf = (health: string | null): string => {
  if (health === null || compare(health, '1.5') > 0) return 'safe'
  return compare(health, '1') > 0 ? 'at_risk' : 'liquidatable'
}

export function accountOf(wallet: string, standings: AccountStatus): Record<string, unknown> {
  return {
    wallet,
    equity_usdc: fixed(standings.equity, 2),
    collateral_usdc: fixed(standings.collateral, 2),
    free_margin_usdc: fixed(standings.freeMargin, 2),
    margin_used_pct: fixed(standings.marginUsedPct, 2),
    unrealised_pnl_usdc: fixed(standings.unrealised, 2),
    health_factor: writtenHealth(standings.health),
    liquidation_state: liquidationStateOf(standings.health),
  }
}

export function positionsOf(standings: AccountStatus): Record<string, unknown>[] {
  return standings.each.map((standing) => {
    const { position, market } = standing
    const liquidation = liquidationPriceOf(standing, standings)
    const price = (value: string) => fixed(value, market.priceDecimals)
    return {
      position_id: position.id,
      pair_id: market.id,
      symbol: market.symbol,
      side: position.side,
      size: roundTo(position.size, market.sizeDecimals, 'down'),
      notional_usdc: fixed(standing.notional, 2),
      entry_price: price(position.entryPrice),
      mark_price: price(standing.mark),
      liquidation_price: liquidation === null ? null : price(liquidation),
      leverage: position.leverage,
      margin_mode: position.marginMode,
      margin_usdc: fixed(standing.margin, 2),
      unrealised_pnl_usdc: fixed(standing.unrealised, 2),
      funding_usdc: fixed(position.fundingUsdc, 2),
      take_profit: position.takeProfit,
      stop_loss: position.stopLoss,
    }
  })
}
