import { limits } from '../../../shared/api/limits.ts'
import type { Failure } from '../../../shared/ipc/failure.ts'
import type { SweepStep } from '../../../shared/ipc/intents/kill-switch.ts'
import { leavesUnknown } from '../../../shared/ipc/intents/leaves-unknown.ts'
import type { DelegatedItem, DelegatedTicket } from '../../../shared/ipc/intents/tickets.ts'
import { sameId } from '../../../shared/same-id.ts'
import { mostLearnt, offerIn } from '../../service/field-names/named-call.ts'
import { asKnown, type OpenAccount, type ReadOpen } from './open-account.ts'
import { createStepTicket } from './step-ticket.ts'
import type { SweepsDeps } from './sweep-parts.ts'
import type { SweepPlan } from './sweep-plan.ts'

/** Batches in one go: a bot that opens faster than this closes is not raced for ever. */
const mostBatches = 100

/** The executor's way: batches of at most 32, cancels before closes. Resolves with why it stopped; null: everything was asked for. */
export function createAskExecutor(
  { markets, intents, fieldMap }: Pick<SweepsDeps, 'markets' | 'intents' | 'fieldMap'>,
  plan: SweepPlan,
  readOpen: ReadOpen,
  stopping: () => boolean,
) {
  const ticketFor = createStepTicket(markets)

  const itemsOf = async (steps: readonly SweepStep[], account: OpenAccount): Promise<{ steps: SweepStep[]; items: DelegatedItem[] }> => {
    const taken: { steps: SweepStep[]; items: DelegatedItem[] } = { steps: [], items: [] }
    for (const step of steps) {
      const ticket = await ticketFor(step, account)
      if (!ticket.ok) {
        plan.change(step.id, { state: 'failed', detail: { code: ticket.failure } })
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

  return async (wallet: string, keyId: string | null, by: 'user' | 'app'): Promise<Failure | null> => {
    let learnt = 0
    for (let batches = 0; batches < mostBatches && !stopping(); batches += 1) {
      // Only the first reading is what the user pressed.
      const read = await (by === 'user' && batches === 0 ? readOpen.pressed(wallet) : readOpen.followed(wallet))
      plan.settle(read.ok ? read.value : null)
      const account = read.ok ? read.value : asKnown(readOpen.last(wallet))
      const turn = plan.turn(limits.batchActions.max)
      if (turn.length === 0) return null
      // Of a position one must know more than its id to close it.
      const isKnown = ({ kind, subject }: SweepStep) => kind === 'cancel' || account.positions.some(({ id }) => sameId(id, subject))
      if (!read.ok && !turn.every(isKnown)) return read.failure
      const taken = await itemsOf(turn, account)
      const [first] = taken.items
      if (first === undefined) continue
      for (const { id } of taken.steps) plan.change(id, { state: 'asking', ref: null, detail: null })
      const ticket: DelegatedTicket = taken.items.length === 1 ? first : { action: 'batch', items: taken.items }
      const answer = await intents['intents.execute']({ ticket, keyId })
      const ref = answer.ok ? answer.value.ref : leavesUnknown(answer.failure) ? answer.failure.intentRef : null
      // Nothing was carried out: they wait, and asking again is the user's word.
      for (const { id } of taken.steps) plan.change(id, ref === null ? { state: 'waiting', ref } : { state: answer.ok ? 'sent' : 'unknown', ref })
      if (!answer.ok && ref === null) {
        // An exit waits for nobody where the service only spells a name otherwise.
        if (learnt >= mostLearnt || !fieldMap.learn(offerIn(answer.failure))) return answer.failure
        learnt += 1
        continue
      }
      plan.settle(null)
    }
    return null
  }
}
