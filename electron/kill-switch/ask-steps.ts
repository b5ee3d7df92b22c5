import { limits } from '../../shared/api/limits.ts'
import type { Output } from '../../shared/ipc/contract.ts'
import type { Failure } from '../../shared/ipc/failure.ts'
import { leavesUnknown } from '../../shared/ipc/intents/intent-states.ts'
import type { BulkActionStep } from '../../shared/ipc/intents/kill-switch.ts'
import type { DelegatedItem } from '../../shared/ipc/intents/tickets.ts'
import { fail, ok, type Result } from '../../shared/result.ts'
import { isWithWallet, ticketOf } from '../intents/engine/intent-facts.ts'
import type { Intents } from '../intents/intents.ts'
import type { Markets } from '../reads/markets/markets.ts'
import type { FieldMapService } from '../service/field-names/field-map.ts'
import { mostLearnt, offerIn } from '../service/field-names/named-call.ts'
import type { Journal } from '../store/journal/journal.ts'
import type { BulkActionRecord } from '../store/records/intent-records.ts'
import type { WalletReport } from '../wallet/connection/wallet.ts'
import type { Ask, By } from './bulk-run.ts'
import { detailOf } from './revoke-all.ts'
import { type CancelTicket, type CloseTicket, type See, type Seen, stillOpen, ticketFor, turnOf } from './stop-steps.ts'

export interface AskDeps {
  readonly wallet: WalletReport
  readonly markets: Pick<Markets, 'pricesForExit'>
  readonly intents: Pick<Intents['handlers'], 'intents.prepare' | 'intents.prepared' | 'intents.execute'>
  readonly journal: Pick<Journal, 'intents'>
  readonly fieldMap: Pick<FieldMapService, 'learn'>
}

/** Access to the steps of the running bulk action. Every change is saved at once. */
export interface OpenSteps {
  open(): BulkActionRecord | null
  change(stepId: string, change: Partial<BulkActionStep>): void
  /**
   * Updates the running steps from the states of their orders in the journal. If the account was read, marks a step as done once its order or
   * position is gone. Also adds steps for new orders and positions.
   */
  settle(seen: Seen | null): void
}

/**
 * Temporary failures, after which the app may prepare the same step again. After any other failure, the step counts as failed and the run continues
 * with the next step.
 */
const ofTheMoment: ReadonlySet<Failure['kind']> = new Set<Failure['kind']>([
  ...(['no_wallet', 'wrong_wallet', 'wrong_chain', 'api_key_required', 'scope_missing', 'ip_not_allowed', 'unreachable', 'rate_limited', 'keychain'] as const),
  // Preparing an order executes nothing, so the app may repeat it even after a lost response.
  ...(['outcome_unknown', 'unreadable'] as const),
])
const isOfTheMoment = (failure: Failure): boolean => ofTheMoment.has(failure.kind) || (failure.kind === 'refused' && failure.status >= 500)

interface Taken {
  readonly id: string
  readonly ticket: CancelTicket | CloseTicket
}

const itemOf = ({ ticket }: Taken): DelegatedItem =>
  ticket.action === 'cancel_order'
    ? { action: 'cancel', order: ticket.order }
    : { action: 'close', position: ticket.position, referencePrice: ticket.referencePrice, maxSlippageBps: ticket.maxSlippageBps }

/** Creates the functions that request the steps of a bulk action: from the executor in batches, or from the wallet one at a time. */
export function createAskSteps({ wallet, markets, intents, journal, fieldMap }: AskDeps, { open, change, settle }: OpenSteps, see: See) {
  /** Takes the next steps and builds an order ticket for each. If a ticket cannot be built, only the step of that ticket fails. */
  const take = async ({ account, failure }: Seen, most: number): Promise<Result<readonly Taken[], Failure>> => {
    for (let turn = turnOf(open(), most); turn.length > 0; turn = turnOf(open(), most)) {
      // Closing a position needs current data of the account. A cancel needs only the order’s id, so cancels are possible without current data.
      if (failure !== null && !turn.every((step) => step.kind === 'cancel' || stillOpen(account, step))) return fail(failure)
      const taken: Taken[] = []
      for (const step of turn) {
        const ticket = await ticketFor(step, account, markets)
        if (ticket.ok) taken.push({ id: step.id, ticket: ticket.value })
        else change(step.id, { state: 'failed', detail: ticket.failure })
      }
      if (taken.length > 0) return ok(taken)
    }
    return ok([])
  }

  /**
   * If the service refuses a request because of a field name, learns the new name and repeats the request. So a renamed field does not make a
   * cancel or close wait for the user. The refused request executed nothing.
   */
  const learning = async <T>(ask: () => Promise<Result<T, Failure>> | Result<T, Failure>): Promise<Result<T, Failure>> => {
    let answer = await ask()
    for (let learnt = 0; learnt < mostLearnt && !answer.ok && fieldMap.learn(offerIn(answer.failure)); learnt += 1) answer = await ask()
    return answer
  }

  const execute = async (taken: readonly Taken[], keyId: string | null): Promise<Failure | null> => {
    for (const { id } of taken) change(id, { state: 'asking', ref: null, detail: null })
    const items = taken.map(itemOf)
    const [first] = items
    const ticket = first !== undefined && items.length === 1 ? first : ({ action: 'batch', items } as const)
    const answer = await learning(() => intents['intents.execute']({ ticket, keyId }))
    const ref = answer.ok ? answer.value.ref : leavesUnknown(answer.failure) ? answer.failure.intentRef : null
    // If the request was not saved (`ref` is null), nothing was executed. The steps then wait until the user requests them again.
    for (const { id } of taken) change(id, ref === null ? { state: 'waiting', ref } : { state: answer.ok ? 'sent' : 'unknown', ref })
    if (!answer.ok && ref === null) return answer.failure
    settle(null)
    return null
  }

  /**
   * Returns the order that is prepared but not yet signed, so that the window can show it again. If the order has become unusable, its step fails.
   */
  const inHand = async (): Promise<Output<'bulkActions.next'>['order']> => {
    for (const { id, ref } of open()?.steps.filter(({ state }) => state === 'asking') ?? []) {
      const row = ref === null ? null : journal.intents.get(ref)
      if (row === null || !isWithWallet(row)) continue
      const prepared = await intents['intents.prepared']({ ref: row.ref })
      if (prepared.ok && prepared.value.comparison !== null) return { stepId: id, ticket: ticketOf(row), prepared: prepared.value }
      change(id, { state: 'failed', detail: { code: 'preparation_unusable' } })
    }
    return null
  }

  return {
    /** Returns the requests for the executor's next batch of steps. Cancels come before closes. */
    round: async (_: number, by: By): Promise<Result<readonly Ask<Failure>[], Failure>> => {
      const run = open()
      if (run?.by.way !== 'executor') return ok([])
      const { keyId } = run.by
      const seen = await see(run.wallet, by)
      settle(seen)
      const taken = await take(seen, limits.batchActions.max)
      if (!taken.ok) return taken
      return ok(taken.value.length === 0 ? [] : [() => execute(taken.value, keyId)])
    },
    /** Returns the next step for the wallet. The order of a step is prepared only when it is the step's turn, so that its price is current. */
    next: async (): Promise<Result<Output<'bulkActions.next'>, Failure>> => {
      const run = open()
      if (run === null) return fail({ kind: 'not_found', what: 'bulk action' })
      if (run.by.way !== 'wallet') return fail({ kind: 'wrong_state', state: 'executor', wanted: 'wallet' })
      const connected = wallet.connected()
      if (!connected.ok) return connected
      if (connected.value.address !== run.wallet) return fail({ kind: 'wrong_wallet', wallet: connected.value.address, expected: run.wallet })
      const seen = await see(run.wallet, 'user')
      settle(seen)
      const held = await inHand()
      if (held !== null) return ok({ order: held })
      for (;;) {
        const taken = await take(seen, 1)
        if (!taken.ok) return taken
        const [step] = taken.value
        if (step === undefined) return ok({ order: null })
        const { id, ticket } = step
        const prepared = await learning(() => intents['intents.prepare'](ticket))
        if (!prepared.ok) {
          if (isOfTheMoment(prepared.failure)) return prepared
          change(id, { state: 'failed', detail: detailOf(prepared.failure), offer: offerIn(prepared.failure) })
          continue
        }
        const { intent, reason } = prepared.value
        if (intent.state === 'PREPARED') {
          change(id, { state: 'asking', ref: intent.ref, detail: null })
          return ok({ order: { stepId: id, ticket, prepared: prepared.value } })
        }
        const why = reason?.why ?? intent.reason
        change(id, { state: 'failed', ref: intent.ref, detail: why === null ? { code: 'nothing_to_sign' } : { code: 'intent', reason: why } })
      }
    },
  }
}
