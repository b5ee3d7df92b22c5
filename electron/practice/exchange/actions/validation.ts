import { ok } from '../../../../shared/result.ts'
import { type Market, marketOf } from '../market/catalogue.ts'
import type { Book, Position } from '../state/book.ts'
import type { Instruction } from '../state/instructions.ts'
import { type Checked, idOf, type Moment, type Payload } from './payload-fields.ts'

/** The data with which a payload is validated: the wallet's orders and positions, the current prices and the time. */
export interface World extends Moment {
  readonly book: Book
}

/** A valid payload, with defaults filled in and numbers normalised, and the instruction that the exchange must carry out for it. */
export interface Valid {
  readonly payload: object
  readonly instruction: Instruction
  readonly clientOrderId: string | null
}

export type Validate = (payload: Payload, world: World) => Checked<Valid>

/** The position that a payload names by its id, with the position's market. */
export interface Held {
  readonly id: string
  /**
   * The position. null if it does not exist or has been closed. In that case, the exchange still accepts the payload, but skips the checks that need
   * the position.
   */
  readonly position: Position | null
  readonly market: Market | null
}

export function heldOf(payload: Payload, { book }: World): Checked<Held> {
  const id = idOf(payload, 'position_id')
  if (!id.ok) return id
  const position = book.positions.find((each) => each.id === id.value) ?? null
  return ok({ id: id.value, position, market: position === null ? null : marketOf(position.pairId) })
}
