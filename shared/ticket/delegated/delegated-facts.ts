import type { DelegatedItem, DelegatedTicket, Side } from '../../ipc/intents/tickets.ts'
import { canonicalId } from '../../same-id.ts'

/** What one executor action changes, and the risk that it adds. */
export interface DelegatedFacts {
  readonly item: DelegatedItem
  /** Id of the market; null: the order does not state its market. */
  readonly pairId: number | null
  readonly symbol: string | null
  readonly side: Side | null
  /**
   * Notional in USDC: of the opened position, of the addition to a position, or of the order after the action. null if there is none, or if it is
   * not stated.
   */
  readonly orderValueUsdc: string | null
  /** The leverage of the opened position, or the new leverage; null if the action does not change the leverage. */
  readonly leverage: number | null
  /** true: the executor action only ends risk. */
  readonly endsRisk: boolean
  /**
   * Text that identifies what the action changes, such as a position (see `subjectOf`). While an action's outcome is unknown, the app starts no
   * other action with the same text, by any execution method. null: the action never has to wait.
   */
  readonly subject: string | null
}

/** Returns the facts of every action of an executor ticket, in order. */
export const factsOfDelegated = (ticket: DelegatedTicket): readonly DelegatedFacts[] =>
  ticket.action === 'batch' ? ticket.items.map(factsOf) : [factsOf(ticket)]

function factsOf(item: DelegatedItem): DelegatedFacts {
  switch (item.action) {
    case 'open_position':
    case 'open_market':
    case 'create_limit':
    case 'create_stop': {
      const { pairId, side, orderValueUsdc, leverage } = item.order
      return { item, pairId, symbol: null, side, orderValueUsdc, leverage, endsRisk: false, subject: `open ${pairId} ${side}` }
    }
    case 'cancel':
    case 'replace': {
      const { orderId, pairId, symbol, side } = item.order
      const about = { item, pairId, symbol, side, leverage: null }
      return item.action === 'cancel'
        ? { ...about, orderValueUsdc: null, endsRisk: true, subject: null }
        : { ...about, orderValueUsdc: item.orderValueUsdc ?? null, endsRisk: false, subject: `replace ${canonicalId(orderId)}` }
    }
    default: {
      const { positionId, pairId, symbol, side } = item.position
      const about = { item, pairId, symbol, side, orderValueUsdc: null, leverage: null, endsRisk: false }
      switch (item.action) {
        case 'increase':
          return { ...about, orderValueUsdc: item.orderValueUsdc, subject: `open ${pairId} ${side}` }
        case 'reduce':
        case 'close':
          return { ...about, endsRisk: true, subject: null }
        case 'invert':
          return { ...about, subject: `invert ${canonicalId(positionId)}` }
        case 'isolated_manage':
          return { ...about, leverage: 'leverage' in item.change ? item.change.leverage : null, subject: `margin ${canonicalId(positionId)}` }
        default:
          return { ...about, subject: null }
      }
    }
  }
}
