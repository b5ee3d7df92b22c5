import type { PreparedActionName } from '../../api/actions.ts'
import { signOf } from '../../decimal.ts'
import type { FormIssue } from '../../ipc/form-issue.ts'
import type { ActionTicket, CloseTicket, OpenTicket, OrderTicket, SignedTicket, TokenSymbol } from '../../ipc/intents/tickets.ts'
import type { Title } from '../../ipc/intents/titles.ts'
import type { Market } from '../../ipc/reads/markets.ts'
import { tokenRole } from '../../positions.ts'
import { canonicalId } from '../../same-id.ts'
import { checkTicket, ticketTitle } from '../check-ticket.ts'
import { amountIssue, leverageIssue, slippageIssue } from '../market-rules.ts'
import { type FieldIssue, Issues } from '../typed-number.ts'
import { actionTitle, isOpening } from './action-payload.ts'
import { checkClose, checkTpSl } from './close-ticket.ts'
import { permitIssue } from './margin-ticket.ts'
import { checkReplace } from './replace-ticket.ts'

export const actionOf = (ticket: OrderTicket): PreparedActionName => (isOpening(ticket) ? 'open_position' : ticket.action)

/** Returns the id of a ticket's market; null if the action has no market, or if the order does not state its market. */
export function pairOf(ticket: OrderTicket): number | null {
  if (isOpening(ticket)) return ticket.pairId
  if ('position' in ticket) return ticket.position.pairId
  return 'order' in ticket ? ticket.order.pairId : null
}

export function sideOf(ticket: OrderTicket): 'long' | 'short' | null {
  if (isOpening(ticket)) return ticket.side
  if ('position' in ticket) return ticket.position.side
  return 'order' in ticket ? ticket.order.side : null
}

/** Returns the title of a ticket. `priceDecimals`: decimals of a price in its market; null: unknown. */
export const titleOf = (ticket: OrderTicket, priceDecimals: number | null): Title =>
  isOpening(ticket) ? ticketTitle(ticket, priceDecimals) : actionTitle(ticket, priceDecimals)

/**
 * Returns a text that identifies what an action changes, such as a position. While an action's outcome is unknown, the app starts no other action
 * with the same text, because that could double the risk. null: the action never has to wait (a cancel, a close, or a change of TP and SL).
 */
export function subjectOf(ticket: OrderTicket): string | null {
  if (isOpening(ticket)) return `open ${ticket.pairId} ${ticket.side}`
  switch (ticket.action) {
    case 'cancel_order':
    case 'close_position_market':
    case 'close_position_limit':
    case 'update_tpsl':
      return null
    case 'invert_position':
      return `invert ${canonicalId(ticket.position.positionId)}`
    case 'add_isolated_margin':
    case 'reduce_isolated_margin':
    case 'change_isolated_leverage':
      return `margin ${canonicalId(ticket.position.positionId)}`
    case 'replace_order':
      return `replace ${canonicalId(ticket.order.orderId)}`
    case 'add_collateral':
    case 'withdraw_collateral':
      return `${ticket.action} ${ticket.token}`
  }
}

/** Whether a ticket closes a position, at market or at a limit. */
export const isClosing = (ticket: OrderTicket): ticket is CloseTicket =>
  !isOpening(ticket) && (ticket.action === 'close_position_market' || ticket.action === 'close_position_limit')

/** Whether the action of a ticket accepts a client order id. */
export const takesOrderId = (ticket: OrderTicket): ticket is OpenTicket | SignedTicket =>
  isOpening(ticket) || isClosing(ticket) || ticket.action === 'invert_position'

/**
 * Whether a ticket only ends risk: a cancel or a close. Such a ticket is never blocked by a full disk, a damaged journal or an unknown signing
 * format. All other tickets may add risk. Changing an order places a new order. Inverting a position opens the other side. Removing TP or SL keeps a
 * position open longer. Withdrawing collateral or margin brings the liquidation closer.
 */
export const endsRisk = (ticket: OrderTicket): boolean => isClosing(ticket) || (!isOpening(ticket) && ticket.action === 'cancel_order')

export interface ActionFacts {
  /** The action's market; null if the action has none, or if the exchange no longer lists the market. */
  readonly market: Market | null
  /** The newest mark price; null: none has arrived. */
  readonly mark: string | null
  /** Whether the service accepts deposits by permit signature; null if not read yet. In that case, only the service checks this. */
  readonly permitOffered: boolean | null
}

/**
 * Checks a ticket against the rules for its action before anything is sent to the service. If the market does not state a limit, only the service
 * checks that limit.
 */
export function checkAction(ticket: OrderTicket, { market, mark, permitOffered }: ActionFacts): readonly FieldIssue<string>[] {
  if (isOpening(ticket)) return market === null ? unknownMarket : checkTicket(ticket, market)
  switch (ticket.action) {
    case 'cancel_order':
      return []
    case 'close_position_market':
    case 'close_position_limit':
      return market === null ? [] : checkClose(ticket, market)
    case 'update_tpsl':
      return market === null ? unknownMarket : checkTpSl(ticket, market, mark)
    case 'replace_order':
      return market === null ? unknownMarket : checkReplace(ticket, market)
    default:
      return checkAmounts(ticket, market, permitOffered)
  }
}

type AmountTicket = Exclude<
  ActionTicket,
  { readonly action: 'cancel_order' | 'close_position_market' | 'close_position_limit' | 'update_tpsl' | 'replace_order' }
>

function checkAmounts(ticket: AmountTicket, market: Market | null, permitOffered: boolean | null): readonly FieldIssue<string>[] {
  const issues = new Issues<string>()
  switch (ticket.action) {
    case 'invert_position':
      issues.take('slippage', slippageIssue(ticket.maxSlippageBps))
      break
    case 'add_isolated_margin':
    case 'reduce_isolated_margin':
      issues.take('amount', amountIssue(ticket.amountUsdc))
      break
    case 'change_isolated_leverage':
      if (market !== null) issues.take('leverage', leverageIssue(ticket.leverage, market))
      break
    case 'add_collateral':
      issues.take('amount', tokenIssue(ticket))
      issues.take('permit', permitIssue(ticket, permitOffered ?? true))
      break
    case 'withdraw_collateral':
      issues.take('amount', tokenIssue(ticket))
      break
  }
  return issues.list
}

/**
 * Checks an amount of collateral. Does not check the number of decimals for the protocol's own token, because only the token's contract defines it;
 * the service checks it.
 */
const tokenIssue = ({ token, amount }: { readonly token: TokenSymbol; readonly amount: string }): FormIssue | null =>
  tokenRole(token) === 'USDC' ? amountIssue(amount) : signOf(amount) <= 0 ? ['aboveZero'] : null

const unknownMarket: readonly FieldIssue<string>[] = [{ field: 'market', issue: ['marketNotListed'], untouched: false }]
