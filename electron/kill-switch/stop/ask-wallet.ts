import type { Output } from '../../../shared/ipc/contract.ts'
import type { Failure } from '../../../shared/ipc/failure.ts'
import type { PreparedOrder } from '../../../shared/ipc/intents/orders.ts'
import type { OrderTicket } from '../../../shared/ipc/intents/tickets.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import { sameId } from '../../../shared/same-id.ts'
import { isWithWallet, ticketOf } from '../../intents/engine/intent-facts.ts'
import { mostLearnt, offerIn } from '../../service/field-names/named-call.ts'
import { detailOf } from '../revoke-all/revoker.ts'
import { asKnown, type ReadOpen } from './open-account.ts'
import { createStepTicket } from './step-ticket.ts'
import type { SweepsDeps } from './sweep-parts.ts'
import type { SweepPlan } from './sweep-plan.ts'

/** Failures of the moment, after which the same step may be prepared; any other is the step's own, and the next one is taken. */
const ofTheMoment: ReadonlySet<Failure['kind']> = new Set<Failure['kind']>([
  'no_wallet',
  'wrong_wallet',
  'wrong_chain',
  'api_key_required',
  'scope_missing',
  'ip_not_allowed',
  'unreachable',
  // Preparing executes nothing, so it may be asked for again.
  'outcome_unknown',
  'unreadable',
  'rate_limited',
  'keychain',
])

const isOfTheMoment = (failure: Failure): boolean => ofTheMoment.has(failure.kind) || (failure.kind === 'refused' && failure.status >= 500)

/** The wallet's way: the next step, prepared when its turn comes. */
export function createAskWallet(
  { wallet, markets, intents, journal, fieldMap }: Pick<SweepsDeps, 'wallet' | 'markets' | 'intents' | 'journal' | 'fieldMap'>,
  plan: SweepPlan,
  readOpen: ReadOpen,
) {
  const ticketFor = createStepTicket(markets)

  /** One that was prepared and not signed is shown again; its deadline may have passed. */
  const inHand = async (): Promise<Output<'sweeps.next'>['order']> => {
    for (const { id, ref } of plan.open()?.steps.filter(({ state }) => state === 'asking') ?? []) {
      const row = ref === null ? null : journal.intents.get(ref)
      if (row === null || !isWithWallet(row)) continue
      const prepared = await intents['intents.prepared']({ ref: row.ref })
      if (prepared.ok && prepared.value.comparison !== null) return { stepId: id, ticket: ticketOf(row), prepared: prepared.value }
      plan.change(id, { state: 'failed', detail: { code: 'preparation_unusable' } })
    }
    return null
  }

  /** An exit waits for nobody where the service only spells a name otherwise. Nothing was prepared by a refusal. */
  const prepare = async (ticket: OrderTicket): Promise<Result<PreparedOrder, Failure>> => {
    let prepared = await intents['intents.prepare'](ticket)
    for (let learnt = 0; learnt < mostLearnt && !prepared.ok && fieldMap.learn(offerIn(prepared.failure)); learnt += 1)
      prepared = await intents['intents.prepare'](ticket)
    return prepared
  }

  return async (): Promise<Result<Output<'sweeps.next'>, Failure>> => {
    const record = plan.open()
    if (record === null) return fail({ kind: 'not_found', what: 'sweep' })
    if (record.by.way !== 'wallet') return fail({ kind: 'wrong_state', state: 'executor', wanted: 'wallet' })
    const connected = wallet.connected()
    if (!connected.ok) return connected
    if (connected.value.address !== record.wallet) return fail({ kind: 'wrong_wallet', wallet: connected.value.address, expected: record.wallet })
    const read = await readOpen.pressed(record.wallet)
    plan.settle(read.ok ? read.value : null)
    const account = read.ok ? read.value : asKnown(readOpen.last(record.wallet))
    const held = await inHand()
    if (held !== null) return ok({ order: held })

    for (let [step] = plan.turn(1); step !== undefined; [step] = plan.turn(1)) {
      const { kind, subject } = step
      // Of a position one must know more than its id to close it.
      if (!read.ok && kind === 'close' && !account.positions.some(({ id }) => sameId(id, subject))) return read
      const ticket = await ticketFor(step, account)
      if (!ticket.ok) {
        plan.change(step.id, { state: 'failed', detail: { code: ticket.failure } })
        continue
      }
      const prepared = await prepare(ticket.value)
      if (!prepared.ok) {
        if (isOfTheMoment(prepared.failure)) return prepared
        plan.change(step.id, { state: 'failed', detail: detailOf(prepared.failure), offer: offerIn(prepared.failure) })
        continue
      }
      const { intent, reason } = prepared.value
      if (intent.state === 'PREPARED') {
        plan.change(step.id, { state: 'asking', ref: intent.ref, detail: null })
        return ok({ order: { stepId: step.id, ticket: ticket.value, prepared: prepared.value } })
      }
      const why = reason?.why ?? intent.reason
      plan.change(step.id, { state: 'failed', ref: intent.ref, detail: why === null ? { code: 'nothing_to_sign' } : { code: 'intent', reason: why } })
    }
    return ok({ order: null })
  }
}
