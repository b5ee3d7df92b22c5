import { negate } from '../../decimal.ts'
import type { ActionTicket, ActionTicketOf, DelegatedItem, DelegatedTicket, OpenTicket } from '../../ipc/intents/tickets.ts'
import { fail, ok, type Result } from '../../result.ts'
import { isOpening } from '../actions/action-payload.ts'

/**
 * The same ticket for the executor of a key, in place of the wallet's signature. Both exits at once become a batch. Fails with a sentence where
 * `/orders/execute` has no such action.
 */
export function delegate(ticket: OpenTicket | ActionTicket): Result<DelegatedTicket, string> {
  // Of the four ways to open a position only this one has a documented payload.
  if (isOpening(ticket)) return ok({ action: 'open_position', order: ticket })
  switch (ticket.action) {
    case 'close_position_market': {
      const { position, size, referencePrice, maxSlippageBps } = ticket
      const order = { position, referencePrice, maxSlippageBps }
      return ok(size === null ? { action: 'close', ...order } : { action: 'reduce', ...order, size })
    }
    case 'invert_position': {
      const { position, referencePrice, maxSlippageBps } = ticket
      return ok({ action: 'invert', position, referencePrice, maxSlippageBps })
    }
    case 'update_tpsl':
      return delegateExits(ticket)
    case 'add_isolated_margin':
      return ok({ action: 'isolated_manage', position: ticket.position, change: { marginDeltaUsdc: ticket.amountUsdc } })
    case 'reduce_isolated_margin':
      return ok({ action: 'isolated_manage', position: ticket.position, change: { marginDeltaUsdc: negate(ticket.amountUsdc) } })
    case 'change_isolated_leverage':
      return ok({ action: 'isolated_manage', position: ticket.position, change: { leverage: ticket.leverage } })
    case 'cancel_order':
      return ok({ action: 'cancel', order: ticket.order })
    case 'replace_order':
      return ok({ ...ticket, action: 'replace' })
    case 'close_position_limit':
      return fail('An executor closes at market only: sign a limit close with your wallet.')
    case 'add_collateral':
    case 'withdraw_collateral':
      return fail('An executor never moves collateral: sign it with your wallet.')
  }
}

function delegateExits({ position, takeProfit, stopLoss }: ActionTicketOf<'update_tpsl'>): Result<DelegatedTicket, string> {
  const items: DelegatedItem[] = []
  if (takeProfit !== undefined) items.push(takeProfit === null ? { action: 'clear_tp', position } : { action: 'set_tp', position, price: takeProfit })
  if (stopLoss !== undefined) items.push(stopLoss === null ? { action: 'clear_sl', position } : { action: 'set_sl', position, price: stopLoss })
  const [first, second] = items
  if (first === undefined) return fail('Nothing changes.')
  return ok(second === undefined ? first : { action: 'batch', items })
}
