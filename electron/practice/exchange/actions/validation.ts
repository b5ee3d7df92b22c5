import { ok } from '../../../../shared/result.ts'
import { type Market, marketOf } from '../market/catalogue.ts'
import type { Book, Position } from '../state/book.ts'
import type { Instruction } from '../state/instructions.ts'
import { type Checked, idOf, type Moment, type Payload } from './payload-fields.ts'

/** The wallet's account state, with current prices and time. */
export interface World extends Moment {
  readonly book: Book
}

/** A payload in its normal form, and the instruction that it contains. */
export interface Valid {
  readonly payload: object
  readonly instruction: Instruction
  readonly clientOrderId: string | null
}

export type Validate = (payload: Payload, world: World) => Checked<Valid>

/** The position that a payload names, with its market. */
export interface Held {
  readonly id: string
  /**
   * null if the position does not exist, or no longer does. The payload may still be valid, but checks that need the position are skipped.
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
