import { ok } from '../../../../shared/result.ts'
import { type Market, marketOf } from '../market/catalogue.ts'
import type { Book, Position } from '../state/book.ts'
import type { Instruction } from '../state/instructions.ts'
import { type Checked, idOf, type Moment, type Payload } from './payload-fields.ts'

/** The wallet's orders and positions, with current prices and time: what a payload is validated against. */
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

/** The position whose id a payload contains, with its market. */
export interface Held {
  readonly id: string
  /**
   * The position. null if it does not exist or has been closed: the exchange then still accepts the payload, but skips the checks that need the
   * position.
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
