import type { SeenPosition } from '../../../../shared/ipc/intents/tickets.ts'
import type { AccountSummary, Position } from '../../../../shared/ipc/reads/account.ts'
import type { Market } from '../../../../shared/ipc/reads/markets.ts'
import type { ExitsState } from '../../../../shared/ticket/actions/exits-ticket.ts'
import type { OrderFlow } from '../use-order-flow.ts'

/** What every form over a position is given. */
export interface PositionForm {
  readonly position: Position
  readonly seen: SeenPosition
  readonly market: Market
  /** The newest mark; null: none has come. */
  readonly mark: string | null
  /** The mark is young enough to refer to. */
  readonly fresh: boolean
  /** What a close refers to; null: nothing tells a price. */
  readonly exitPrice: string | null
  readonly account: AccountSummary | undefined
  /** What the form of the exits begins with in place of what is. */
  readonly start: Partial<ExitsState>
  readonly order: OrderFlow
  readonly onClose: () => void
}

export const oldPrice = 'Waits for a fresh price.'
export const symbolOf = ({ position, market }: Pick<PositionForm, 'position' | 'market'>): string => position.symbol ?? market.symbol
