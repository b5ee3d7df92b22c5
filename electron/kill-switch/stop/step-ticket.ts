import type { SweepStep } from '../../../shared/ipc/intents/sweeps.ts'
import { exitPrice } from '../../../shared/positions.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import { sameId } from '../../../shared/same-id.ts'
import type { Markets } from '../../reads/markets/markets.ts'
import { type CancelTicket, type CloseTicket, cancelTicket, cancelTicketOf, closeTicket, type OpenAccount } from './open-account.ts'

/** The ticket of a step as the account stands, at the newest mark. Fails with a sentence that is the step's own. */
export function createStepTicket(markets: Pick<Markets, 'pricesForExit'>) {
  return async (step: SweepStep, account: OpenAccount): Promise<Result<CancelTicket | CloseTicket, string>> => {
    if (step.kind === 'cancel') {
      const order = account.orders.find(({ id }) => sameId(id, step.subject))
      if (order !== undefined) return ok(cancelTicket(order))
      // Not among what could be listed, which was not all: its id is enough.
      return account.ordersCut === null || step.subject === '' ? fail('It was not there any more.') : ok(cancelTicketOf(step.subject))
    }
    const position = account.positions.find(({ id }) => sameId(id, step.subject))
    if (position === undefined)
      return fail(account.positionsUnread ? 'The service lists positions that the app cannot read. It may be one of them.' : 'It was not there any more.')
    const price = exitPrice(position, await markets.pricesForExit(position.pairId))
    return price === null ? fail('There is no price for this market.') : ok(closeTicket(position, step.subject, price))
  }
}
