import { add, compare, multiply, negate, signOf } from '../../../../shared/decimal.ts'
import { fail, ok } from '../../../../shared/result.ts'
import { isStale } from '../actions/payload-fields.ts'
import type { World } from '../actions/validation.ts'
import { marketOf } from '../market/catalogue.ts'
import { type Book, isOpen, type Order, type Position } from '../state/book.ts'
import type { Change } from '../state/changes.ts'
import type { Instruction, Replacement } from '../state/instructions.ts'
import { sizeFor } from './fills.ts'
import { type AccountStatus, accountStatus, maintenanceShare } from './margin.ts'
import { addTo, closeAtLimit, closeAtMarket, type Meeting, type Ordered, openOrder, type Placing, turn } from './order-placement.ts'

/** The account state and prices with which an instruction is executed. */
export interface Acting extends World {
  readonly placing: Placing
  /** Only for simulations. If true, an order that would stay in the order book counts as filled at its own price. */
  readonly asIfFilled: boolean
  /** Only for simulations. If true, skips the margin check, so that the result can be computed even if the margin is too low. */
  readonly uncovered?: boolean
  after(changes: readonly Change[]): Book
}

/** Returns the changes that an instruction causes, or the reason why it cannot be executed now. Saves nothing. */
export function carryOut(instruction: Instruction, acting: Acting): Ordered {
  const { book, marks } = acting
  const position = (id: string) => book.positions.find((each) => each.id === id) ?? null
  switch (instruction.kind) {
    case 'open': {
      const meeting = meetingOf(instruction.payload.pair_id, acting)
      return meeting === null
        ? fail('market_contract_pending')
        : withMargin(openOrder(instruction.payload, acting.placing, meeting), acting, 'open_margin_insufficient')
    }
    case 'increase':
      return onPosition(position(instruction.payload.position_id), acting, (held, meeting) =>
        withMargin(addTo(held, instruction.payload, acting.placing, meeting), acting, 'open_margin_insufficient'),
      )
    case 'close_market':
      return onPosition(position(instruction.payload.position_id), acting, (held, meeting) =>
        fits(held, instruction.payload.size) ? closeAtMarket(held, instruction.payload, acting.placing, meeting) : fail('close_size_exceeds_position'),
      )
    case 'close_limit':
      return onPosition(position(instruction.payload.position_id), acting, (held, meeting) =>
        fits(held, instruction.payload.size) ? closeAtLimit(held, instruction.payload, acting.placing, meeting) : fail('close_size_exceeds_position'),
      )
    case 'invert':
      return onPosition(position(instruction.payload.position_id), acting, (held, meeting) =>
        withMargin(turn(held, instruction.payload, acting.placing, meeting), acting, 'invert_margin_insufficient'),
      )
    case 'exits':
      return position(instruction.positionId) === null ? fail('position_not_found') : ok([instruction])
    case 'margin':
      return changeMargin(position(instruction.positionId), instruction, acting)
    case 'leverage':
      return changeLeverage(position(instruction.positionId), instruction, acting)
    case 'cancel':
      return onOrder(book, instruction.orderId, ({ id }) => ok([{ kind: 'ended', orderId: id, reason: 'cancelled_by_trader' }]))
    case 'replace':
      return onOrder(book, instruction.orderId, (order) => replace(order, instruction.terms))
    case 'collateral':
      return changeCollateral(instruction, acting, accountStatus(book, marks))
  }
}

function meetingOf(pairId: number, { marks, asIfFilled }: Acting): Meeting | null {
  const market = marketOf(pairId)
  return market === null || market.status === 'pending' ? null : { market, mark: marks.mark(market), asIfFilled }
}

function onPosition(held: Position | null, acting: Acting, act: (held: Position, meeting: Meeting) => Ordered): Ordered {
  if (held === null) return fail('position_not_found')
  const meeting = meetingOf(held.pairId, acting)
  return meeting === null ? fail('market_contract_pending') : act(held, meeting)
}

const fits = (held: Position, size: string | undefined): boolean => size === undefined || compare(size, held.size) <= 0

function onOrder(book: Book, id: string, act: (order: Order) => Ordered): Ordered {
  const order = book.orders.find((each) => each.id === id)
  if (order === undefined) return fail('order_not_found')
  return isOpen(order) ? act(order) : fail('order_not_open')
}

export const isCovered = ({ equity, marginUsed }: AccountStatus): boolean => compare(equity, marginUsed) >= 0 && signOf(equity) > 0

/**
 * Fails if these changes would make the equity lower than the margin in use. For an order that rests in the order book, the same check is made again
 * when the order fills.
 */
function withMargin(ordered: Ordered, acting: Acting, reason: string): Ordered {
  if (!ordered.ok || acting.uncovered === true) return ordered
  return isCovered(accountStatus(acting.after(ordered.value), acting.marks)) ? ordered : fail(reason)
}

function changeMargin(held: Position | null, change: Extract<Instruction, { kind: 'margin' }>, acting: Acting): Ordered {
  if (held === null) return fail('position_not_found')
  if (held.ownMargin === null) return fail('position_not_isolated')
  if (signOf(change.amount) > 0) {
    const { freeMargin } = accountStatus(acting.book, acting.marks)
    return compare(change.amount, freeMargin) <= 0 ? ok([change]) : fail('add_margin_insufficient')
  }
  if (isStale(acting)) return fail('oracle_unavailable')
  return isSafe(held.id, [change], acting) ? ok([change]) : fail('reduce_margin_insufficient')
}

function changeLeverage(held: Position | null, change: Extract<Instruction, { kind: 'leverage' }>, acting: Acting): Ordered {
  if (held === null) return fail('position_not_found')
  if (held.ownMargin === null) return fail('position_not_isolated')
  if (isStale(acting)) return fail('oracle_unavailable')
  const covered = isCovered(accountStatus(acting.after([change]), acting.marks))
  return covered && isSafe(held.id, [change], acting) ? ok([change]) : fail('leverage_margin_insufficient')
}

/**
 * True if an isolated position would keep enough margin: together with its unrealised profit or loss, at least the initial margin at the market's
 * highest leverage.
 */
function isSafe(positionId: string, changes: readonly Change[], acting: Acting): boolean {
  const standing = accountStatus(acting.after(changes), acting.marks).each.find(({ position }) => position.id === positionId)
  if (standing === undefined) return false
  const needed = multiply(standing.notional, multiply('2', maintenanceShare(standing.market)))
  return compare(standing.margin, '0') > 0 && compare(add(standing.margin, standing.unrealised), needed) >= 0
}

function changeCollateral(change: Extract<Instruction, { kind: 'collateral' }>, acting: Acting, { withdrawable }: AccountStatus): Ordered {
  const { token, amount } = change
  if (signOf(amount) > 0) return ok([change])
  const wanted = negate(amount)
  if (token === 'SVC') return compare(wanted, acting.book.ownTokens) <= 0 ? ok([change]) : fail('withdraw_balance_insufficient')
  if (acting.book.positions.length > 0 && isStale(acting)) return fail('oracle_unavailable')
  return compare(wanted, withdrawable) <= 0 ? ok([change]) : fail('withdraw_margin_insufficient')
}

/** Changes the terms of an open order. If the order's value changes, the order's size is computed again. The filled part stays filled. */
function replace(order: Order, terms: Replacement): Ordered {
  const market = marketOf(order.pairId)
  const price = terms.limit_price ?? terms.trigger_price ?? order.price
  if (market === null || price === null) return fail('order_not_open')
  // An order that was placed by value keeps its value, so a new price changes its size. An order that closes part of a position has no value and
  // keeps its size.
  const value = terms.order_value_usdc ?? order.valueUsdc
  const size = value === null ? order.size : sizeFor(market, value, price)
  if (compare(size, order.filled) <= 0) return fail('order_value_below_filled')
  const exit = (given: string | null | undefined, before: string | null) => (given === undefined ? before : given)
  const next = { price, size, valueUsdc: value, takeProfit: exit(terms.take_profit, order.takeProfit), stopLoss: exit(terms.stop_loss, order.stopLoss) }
  return ok([{ kind: 'replaced', orderId: order.id, terms: next }])
}
