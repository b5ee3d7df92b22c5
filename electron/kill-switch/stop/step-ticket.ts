import type { PlainDetail, SweepStep } from '../../../shared/ipc/intents/kill-switch.ts'
import { exitPrice } from '../../../shared/positions.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import { sameId } from '../../../shared/same-id.ts'
import type { Markets } from '../../reads/markets/markets.ts'
import { type CancelTicket, type CloseTicket, cancelTicket, cancelTicketOf, closeTicket, type OpenAccount } from './open-account.ts'

/** The ticket of a step as the account stands, at the newest mark. Fails with what the step says then. */
export function createStepTicket(markets: Pick<Markets, 'pricesForExit'>) {
  return async (step: SweepStep, account: OpenAccount): Promise<Result<CancelTicket | CloseTicket, PlainDetail>> => {
    if (step.kind === 'cancel') {
      const order = account.orders.find(({ id }) => sameId(id, step.subject))
      if (order !== undefined) return ok(cancelTicket(order))
      // Not among what could be listed, which was not all: its id is enough.
      return account.ordersCut === null || step.subject === '' ? fail('not_there') : ok(cancelTicketOf(step.subject))
    }
    const position = account.positions.find(({ id }) => sameId(id, step.subject))
    if (position === undefined) return fail(account.positionsUnread ? 'maybe_unread' : 'not_there')
    const price = exitPrice(position, await markets.pricesForExit(position.pairId))
    return price === null ? fail('no_price') : ok(closeTicket(position, step.subject, price))
  }
}
