import { limits } from '../../shared/api/limits.ts'
import { type Failure, leavesUnknown } from '../../shared/ipc/failure.ts'
import type { SweepStep } from '../../shared/ipc/sweeps.ts'
import type { DelegatedItem, DelegatedTicket } from '../../shared/ipc/tickets.ts'
import { createReadOpen, type OpenAccount } from './open-account.ts'
import { createStepTicket } from './step-ticket.ts'
import type { SweepsDeps } from './sweep-parts.ts'
import type { SweepPlan } from './sweep-plan.ts'

/** Batches in one go: a bot that opens faster than this closes is not raced for ever. */
const mostBatches = 100

/** The executor's way: batches of at most 32, cancels before closes. Resolves with why it stopped; null: everything was asked for. */
export function createAskExecutor(
  { api, credentials, markets, execute }: Pick<SweepsDeps, 'api' | 'credentials' | 'markets' | 'execute'>,
  plan: SweepPlan,
  stopping: () => boolean,
) {
  const readOpen = createReadOpen({ api, credentials })
  const ticketFor = createStepTicket(markets)

  const itemsOf = async (steps: readonly SweepStep[], account: OpenAccount): Promise<{ steps: SweepStep[]; items: DelegatedItem[] } | Failure> => {
    const taken: { steps: SweepStep[]; items: DelegatedItem[] } = { steps: [], items: [] }
    for (const step of steps) {
      const ticket = await ticketFor(step, account)
      if (!ticket.ok) {
        if (typeof ticket.failure !== 'string') return ticket.failure
        plan.change(step.id, { state: 'failed', detail: ticket.failure })
        continue
      }
      const { value } = ticket
      taken.steps.push(step)
      taken.items.push(
        value.action === 'cancel_order'
          ? { action: 'cancel', order: value.order }
          : { action: 'close', position: value.position, referencePrice: value.referencePrice, maxSlippageBps: value.maxSlippageBps },
      )
    }
    return taken
  }

  return async (wallet: string, keyId: string | null): Promise<Failure | null> => {
    for (let batches = 0; batches < mostBatches && !stopping(); batches += 1) {
      const account = await readOpen(wallet)
      if (!account.ok) return account.failure
      plan.settle(account.value)
      const turn = plan.turn(limits.batchActions.max)
      if (turn.length === 0) return null
      const taken = await itemsOf(turn, account.value)
      if ('kind' in taken) return taken
      const [first] = taken.items
      if (first === undefined) continue
      for (const { id } of taken.steps) plan.change(id, { state: 'asking', ref: null, detail: null })
      const ticket: DelegatedTicket = taken.items.length === 1 ? first : { action: 'batch', items: taken.items }
      const answer = await execute({ ticket, keyId })
      const ref = answer.ok ? answer.value.ref : leavesUnknown(answer.failure) ? answer.failure.intentRef : null
      // Nothing was carried out: they wait, and asking again is the user's word.
      for (const { id } of taken.steps) plan.change(id, ref === null ? { state: 'waiting', ref } : { state: answer.ok ? 'sent' : 'unknown', ref })
      if (!answer.ok && ref === null) return answer.failure
      plan.settle(null)
    }
    return null
  }
}
