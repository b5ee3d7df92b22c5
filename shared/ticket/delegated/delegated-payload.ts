import { type DelegatedActionName, delegatedScopes } from '../../api/actions.ts'
import type { Scope } from '../../api/scopes.ts'
import { absolute, normalise, signOf } from '../../decimal.ts'
import type { DelegatedItem, DelegatedTicket, OpenTicket } from '../../ipc/intents/tickets.ts'
import type { Title } from '../../ipc/intents/titles.ts'
import { atMarket, namedOf, orderOf, type Payload, positionOf, replacementPayload } from '../actions/action-payload.ts'
import { buildPayload, ticketTitle } from '../check-ticket.ts'
import { priceText } from '../market-rules.ts'

/** The body of `POST /orders/execute`. */
export interface DelegatedBody {
  readonly action: DelegatedActionName
  readonly payload: Payload
  /** true: the service validates the order without submitting it. */
  readonly prepare_only?: true
}

/**
 * Builds the request body for an executor ticket. `key`: the idempotency key, which can be sent only in the payload (Idempotency rules 6). A dry run
 * needs a separate key: otherwise the service would answer the real order with the dry run's response. The key has at most 90 characters, because
 * orders without an id get an id that is derived from the key.
 */
export function delegatedBody(ticket: DelegatedTicket, key: string, prepareOnly: boolean): DelegatedBody {
  const payload =
    ticket.action === 'batch'
      ? { actions: ticket.items.map((item, index) => ({ action: item.action, payload: itemPayload(item, `${key}.${index + 1}`) })) }
      : itemPayload(ticket, key)
  return { action: ticket.action, payload: { ...payload, idempotency_key: key }, ...(prepareOnly ? { prepare_only: true } : {}) }
}

/** Builds an order's payload without `order_type`, because the action's name already states the type. */
function untyped(order: OpenTicket, key: string): Payload {
  const { order_type: _, ...payload } = buildPayload(order, key)
  return payload
}

/** Builds the payload of one executor action, with the field names that the app assumes in `delegatedPayloads`. */
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

export function delegatedTitle(ticket: DelegatedTicket, priceDecimals: number | null): Title {
  switch (ticket.action) {
    case 'open_position':
    case 'open_market':
    case 'create_limit':
    case 'create_stop':
      return ticketTitle(ticket.order, priceDecimals)
    case 'increase':
      return { code: 'increase', of: namedOf(ticket.position), orderValueUsdc: ticket.orderValueUsdc }
    case 'reduce':
      return { code: 'reduce', of: namedOf(ticket.position), size: ticket.size }
    case 'close':
      return { code: 'close', of: namedOf(ticket.position), size: null, limitPrice: null }
    case 'invert':
      return { code: 'invert', of: namedOf(ticket.position) }
    case 'cancel':
      return { code: 'cancel', of: namedOf(ticket.order) }
    case 'replace':
      return { code: 'replace', of: namedOf(ticket.order) }
    case 'set_tp':
      return { code: 'tpsl', of: namedOf(ticket.position), takeProfit: priceText(ticket.price, { priceDecimals }) }
    case 'set_sl':
      return { code: 'tpsl', of: namedOf(ticket.position), stopLoss: priceText(ticket.price, { priceDecimals }) }
    case 'clear_tp':
      return { code: 'tpsl', of: namedOf(ticket.position), takeProfit: null }
    case 'clear_sl':
      return { code: 'tpsl', of: namedOf(ticket.position), stopLoss: null }
    case 'isolated_manage': {
      const { change, position } = ticket
      if ('leverage' in change) return { code: 'leverage', of: namedOf(position), leverage: change.leverage }
      const code = signOf(change.marginDeltaUsdc) < 0 ? 'take_margin' : 'add_margin'
      return { code, of: namedOf(position), amountUsdc: absolute(change.marginDeltaUsdc) }
    }
    case 'batch':
      return { code: 'batch', actions: ticket.items.length }
  }
}
