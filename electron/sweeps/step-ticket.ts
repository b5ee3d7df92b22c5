import type { Failure } from '../../shared/ipc/failure.ts'
import type { SweepStep } from '../../shared/ipc/sweeps.ts'
import { fail, ok, type Result } from '../../shared/result.ts'
import { sameId } from '../../shared/same-id.ts'
import type { Markets } from '../markets/markets.ts'
import { type CancelTicket, type CloseTicket, cancelTicket, cancelTicketOf, closeTicket, type OpenAccount } from './open-account.ts'

/** The ticket of a step as the account stands, at the newest mark. A sentence: why there is none now, which is the step's own. */
export function createStepTicket(markets: Pick<Markets, 'handlers'>) {
  return async (step: SweepStep, account: OpenAccount): Promise<Result<CancelTicket | CloseTicket, Failure | string>> => {
    if (step.kind === 'cancel') {
      const order = account.orders.find(({ id }) => sameId(id, step.subject))
      if (order !== undefined) return ok(cancelTicket(order))
      // Not among what could be listed, which was not all: its id is enough.
      return account.ordersCut === null || step.subject === '' ? fail('It was not there any more.') : ok(cancelTicketOf(step.subject))
    }
    const position = account.positions.find(({ id }) => sameId(id, step.subject))
    if (position === undefined)
      return fail(account.positionsUnread ? 'The service lists positions that the app cannot read. It may be one of them.' : 'It was not there any more.')
    const answer = await markets.handlers['markets.summary']({ pairId: position.pairId })
    // The service decides by its own price; the position's own mark is better than none.
    const mark = (answer.ok ? answer.value.summary.mark : null) ?? position.markPrice
    if (mark !== null) return ok(closeTicket(position, step.subject, mark))
    return answer.ok ? fail('There is no price for this market.') : answer
  }
}
