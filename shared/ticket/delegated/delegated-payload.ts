import { type DelegatedActionName, delegatedScopes } from '../../api/actions.ts'
import type { Scope } from '../../api/scopes.ts'
import { absolute, formatDecimal, normalise, signOf } from '../../decimal.ts'
import type { DelegatedItem, DelegatedTicket, OpenTicket } from '../../ipc/intents/tickets.ts'
import { atMarket, orderName, orderOf, type Payload, positionOf, positionWords, replacementPayload } from '../actions/action-payload.ts'
import { buildPayload, ticketTitle } from '../check-ticket.ts'
import { priceText, usdc } from '../market-rules.ts'

/** The body of `POST /orders/execute`. */
export interface DelegatedBody {
  readonly action: DelegatedActionName
  readonly payload: Payload
  /** Validates without submitting. */
  readonly prepare_only?: true
}

/**
 * `key` is created once per intent, as the idempotency key that only the payload can carry (Idempotency rules 6). A dry run needs a separate key:
 * with a shared one, the service would repeat the answer of the dry run instead of placing the order. At most 90 characters, because orders without
 * an id derive theirs from it.
 */
export function delegatedBody(ticket: DelegatedTicket, key: string, prepareOnly: boolean): DelegatedBody {
  const payload =
    ticket.action === 'batch'
      ? { actions: ticket.items.map((item, index) => ({ action: item.action, payload: itemPayload(item, `${key}.${index + 1}`) })) }
      : itemPayload(ticket, key)
  return { action: ticket.action, payload: { ...payload, idempotency_key: key }, ...(prepareOnly ? { prepare_only: true } : {}) }
}

/** Omits the type, which the name of the action implies. */
function untyped(order: OpenTicket, key: string): Payload {
  const { order_type: _, ...payload } = buildPayload(order, key)
  return payload
}

/** Builds a payload with the names of `delegatedPayloads` in the assumptions. */
function itemPayload(item: DelegatedItem, key: string): Payload {
  switch (item.action) {
    case 'open_position':
      return { ...buildPayload(item.order, key) }
    case 'open_market':
    case 'create_limit':
    case 'create_stop':
      return untyped(item.order, key)
    case 'increase':
      return { ...positionOf(item.position), order_value_usdc: normalise(item.orderValueUsdc), ...atMarket(item) }
    case 'reduce':
      return { ...positionOf(item.position), size: normalise(item.size), ...atMarket(item) }
    case 'close':
    case 'invert':
      return { ...positionOf(item.position), ...atMarket(item) }
    case 'cancel':
      return orderOf(item.order)
    case 'replace':
      return { ...orderOf(item.order), ...replacementPayload(item) }
    case 'set_tp':
    case 'set_sl':
      return { ...positionOf(item.position), price: normalise(item.price) }
    case 'clear_tp':
    case 'clear_sl':
      return positionOf(item.position)
    case 'isolated_manage':
      return {
        ...positionOf(item.position),
        ...('leverage' in item.change ? { leverage: item.change.leverage } : { margin_delta_usdc: normalise(item.change.marginDeltaUsdc) }),
      }
  }
}

/** Returns the scopes that the call needs; a batch needs the scopes of all its items (Trading). */
export const scopesOfDelegated = (ticket: DelegatedTicket): readonly Scope[] =>
  delegatedScopes(ticket.action, ticket.action === 'batch' ? ticket.items.map(({ action }) => action) : [])

/** A title for lists, for example "Take 0.1 off the long on BTC-PERP", "Batch of 3 actions". */
export function delegatedTitle(ticket: DelegatedTicket, priceDecimals: number | null): string {
  switch (ticket.action) {
    case 'open_position':
    case 'open_market':
    case 'create_limit':
    case 'create_stop':
      return ticketTitle(ticket.order, priceDecimals)
    case 'increase':
      return `Add ${usdc(ticket.orderValueUsdc)} to ${positionWords(ticket.position)}`
    case 'reduce':
      return `Take ${formatDecimal(ticket.size)} off ${positionWords(ticket.position)}`
    case 'close':
      return `Close ${positionWords(ticket.position)} at market`
    case 'invert':
      return `Invert ${positionWords(ticket.position)} at market`
    case 'cancel':
      return `Cancel ${orderName(ticket.order)}`
    case 'replace':
      return `Change ${orderName(ticket.order)}`
    case 'set_tp':
      return `Set the take profit of ${positionWords(ticket.position)} to ${priceText(ticket.price, { priceDecimals })}`
    case 'set_sl':
      return `Set the stop loss of ${positionWords(ticket.position)} to ${priceText(ticket.price, { priceDecimals })}`
    case 'clear_tp':
      return `Clear the take profit of ${positionWords(ticket.position)}`
    case 'clear_sl':
      return `Clear the stop loss of ${positionWords(ticket.position)}`
    case 'isolated_manage': {
      const { change, position } = ticket
      if ('leverage' in change) return `Set ${positionWords(position)} to ${change.leverage}×`
      const amount = usdc(absolute(change.marginDeltaUsdc))
      return signOf(change.marginDeltaUsdc) < 0
        ? `Take ${amount} of margin from ${positionWords(position)}`
        : `Add ${amount} of margin to ${positionWords(position)}`
    }
    case 'batch':
      return ticket.items.length === 1 ? 'Batch of 1 action' : `Batch of ${ticket.items.length} actions`
  }
}
