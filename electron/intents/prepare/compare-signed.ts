import type { PreparedAction } from '../../../shared/api/schemas/prepared-action-resources.ts'
import { OrderTicket } from '../../../shared/ipc/intents/tickets.ts'
import { askedOrder, sentPayload } from '../../../shared/signing/asked-order.ts'
import type { Compared } from '../../../shared/signing/comparison.ts'
import { closeFills, compareClose, compareInvert, type PositionExpectation } from '../../../shared/signing/grant/position-intent.ts'
import { compareIntent } from '../../../shared/signing/intent.ts'
import { comparePayload, type PayloadDifference } from '../../../shared/signing/message/payload.ts'
import type { TypedData } from '../../../shared/signing/message/typed-data.ts'
import { isOpening } from '../../../shared/ticket/actions/action-payload.ts'
import type { IntentRow } from '../../store/journal/journal.ts'

export const ticketOf = (row: IntentRow): OrderTicket => OrderTicket.parse(JSON.parse(row.ticket))

export type SignedFacts = Omit<PositionExpectation<never>, 'ticket' | 'clientOrderId'>

/** A signed intent held against what was asked for (FLOW-02). null: this app knows no signature for such an action. */
export function compareSigned(typedData: TypedData, row: IntentRow, ticket: OrderTicket, facts: SignedFacts): Compared | null {
  const clientOrderId = row.clientOrderId ?? ''
  if (isOpening(ticket)) return compareIntent(typedData, { ...facts, order: askedOrder(ticket, row.symbol, clientOrderId) })
  switch (ticket.action) {
    case 'close_position_market':
    case 'close_position_limit':
      return compareClose(typedData, { ...facts, ticket, clientOrderId })
    case 'invert_position':
      return compareInvert(typedData, { ...facts, ticket, clientOrderId })
    default:
      return null
  }
}

/** In what the normalised payload is not the one that was sent (ORD-17). */
export function payloadDifferences(
  row: IntentRow,
  ticket: OrderTicket,
  { payload }: PreparedAction,
  sizeDecimals: number | null,
): readonly PayloadDifference[] {
  const sent = sentPayload(row.body)
  if (sent === null || payload === null) return []
  const closes = !isOpening(ticket) && (ticket.action === 'close_position_market' || ticket.action === 'close_position_limit')
  return comparePayload(sent, payload, row.wallet, closes ? closeFills(ticket, sizeDecimals) : {})
}
