import { PreparedAction, unknownOfPrepared } from '../../shared/api/schemas/prepared-action-resources.ts'
import { formatDecimal } from '../../shared/decimal.ts'
import type { Failure } from '../../shared/ipc/failure.ts'
import { placesOrder } from '../../shared/ipc/intents/intent-states.ts'
import type { Fill, PreparedOrder } from '../../shared/ipc/intents/orders.ts'
import { fail, ok, type Result } from '../../shared/result.ts'
import { repriced } from '../../shared/ticket/actions/replace-ticket.ts'
import { second } from '../../shared/time.ts'
import type { Every } from '../kernel/events.ts'
import type { HandlersOf } from '../kernel/handlers.ts'
import type { AccountPages } from '../reads/account/account-pages.ts'
import { polling } from '../service/polling/polling-rate.ts'
import type { ApiClient } from '../service/transport/api-client.ts'
import type { IntentRow, Vault } from '../store/journal/journal.ts'
import { agreeTo, type Typed } from '../wallet/trusted-contracts/agreement.ts'
import { createConversation } from './engine/conversation.ts'
import { createNamedLocks } from './engine/engine-parts.ts'
import { createIntentCalls } from './engine/intent-calls.ts'
import { isTradingIntent, ticketOf, underwayOf } from './engine/intent-facts.ts'
import { createIntentRepository } from './engine/intent-repository.ts'
import { createResolveUnknown } from './engine/resolve-unknown.ts'
import { createTracker, type IntentMethod } from './engine/tracker.ts'
import { createExecution } from './methods/executor/execution.ts'
import { createPayments, isPayment, type Payments } from './methods/payment/payments.ts'
import { createSignedMethod, createSigning } from './methods/signed/signed.ts'
import { createBroadcastList, createReceipts } from './methods/transactions/receipts.ts'
import { createSending, createSendingFollow } from './methods/transactions/sending.ts'
import { createPrepare, type OrderParts } from './prepare/prepare.ts'
import { createVerify, type VerifyDeps } from './prepare/verification.ts'
import type { RiskLimitsService } from './risk-limits/risk-limits.ts'

export interface IntentsDeps extends Omit<OrderParts, 'repository' | 'calls' | 'locks' | 'verify' | 'riskLimits'>, Pick<VerifyDeps, 'balances'> {
  readonly api: ApiClient
  readonly vault: Vault
  readonly every: Every
  readonly riskLimits: RiskLimitsService
  readonly fillOf: AccountPages['fillOf']
}

export type Intents = ReturnType<typeof createIntents>

/** How long a notice reads the trades again for the fill of its order, and how long it waits between two reads. The user waits for this notice. */
const fillReads = { forMs: 3 * second, everyMs: second } as const

/**
 * Handles everything that needs a wallet’s consent, from the ticket to FINAL, by all four execution methods. Each intent has its own lock, so a
 * phone that does not answer delays only one intent.
 */
export function createIntents({ api, vault, every, ...given }: IntentsDeps) {
  const { profile, journal, credentials, wallet, clock, emit } = given
  let stopped = false
  const fillOf = async (row: IntentRow): Promise<Fill | null | undefined> => {
    const places = placesOrder(row.title)
    const untilMs = clock.now() + fillReads.forMs
    for (;;) {
      const filled = await given.fillOf(row)
      if (filled !== null && filled !== 'not_yet') {
        const market = row.pairId === null ? null : given.markets.known(row.pairId)
        const { price, size, feeUsdc, realisedPnlUsdc, closes } = filled
        const stated = price === null ? null : formatDecimal(price, market?.priceDecimals == null ? {} : { minDecimals: market.priceDecimals })
        return { price: stated, size, base: market?.base ?? null, feeUsdc, ...(closes ? { realisedPnlUsdc } : {}) }
      }
      // An order that may rest at the exchange usually has no fill yet, so don’t wait for one.
      if (places) return undefined
      if (filled === null || stopped || clock.now() >= untilMs) return null
      await given.sleep(fillReads.everyMs)
    }
  }
  const repository = createIntentRepository({ profile, journal, vault, emit, wallet, fillOf })
  const calls = createIntentCalls({ api, credentials })
  const polled = createIntentCalls({ api: polling(api), credentials })
  const locks = createNamedLocks()
  const parts: OrderParts = { ...given, repository, calls, locks, verify: createVerify({ ...given, records: journal.records }) }
  const payments = createPayments(parts)
  const sendingParts = { ...parts, adopt: payments.adopt }
  const following = createSendingFollow(sendingParts)
  const execution = createExecution({ ...parts, riskLimits: given.riskLimits, polled })
  const receipts = createReceipts(parts)
  const isSent = (row: IntentRow): boolean => row.way === 'transactions' || isPayment(row)
  const wayBy =
    (sent: IntentMethod, signed: IntentMethod) =>
    (row: IntentRow): IntentMethod =>
      row.way === 'executor' ? execution.method : isSent(row) ? sent : signed
  const methodOf = wayBy(following, createSignedMethod(parts))
  const look = (row: IntentRow): Promise<IntentRow> => methodOf(row).lookUp(row)
  const unknownOrders = createResolveUnknown(parts, look)
  const signing = createSigning(parts, look)
  const sending = createSending(parts, {
    ...{ following, receipts },
    toSend: async (row) => {
      if (isPayment(row)) return payments.toSend(row)
      const checked = await parts.verify.again(row)
      if (checked === null) return null
      const { contracts, expired, blocked, steps } = checked
      return {
        // A passed deadline takes precedence: an expired intent ends as EXPIRED even if a check also blocked it.
        blocked: expired ? null : blocked,
        steps: steps.map(({ compared, transaction }) => ({
          transaction,
          agree: (typed: Typed) => agreeTo(given.trust, row.action, { compared, contracts }, typed),
        })),
      }
    },
  })
  const conversation = createConversation(parts, (row) => (row.way === 'executor' ? null : isSent(row) ? sending : signing))

  const { prepare, view } = createPrepare(parts, look)

  const tracker = createTracker({
    ...{ ...parts, every },
    methodOf: wayBy(createSendingFollow({ ...sendingParts, calls: polled }), createSignedMethod({ ...parts, calls: polled })),
    looked: (row) => {
      if (isSent(row)) receipts.report(row)
    },
  })

  /** Returns an order of the wallet that the window shows, by any execution method. */
  const shownOrder = (ref: string): Result<IntentRow, Failure> => {
    const row = repository.findShown(ref)
    return !row.ok || isTradingIntent(row.value) ? row : fail({ kind: 'not_found', what: 'order' })
  }
  /**
   * Returns a prepared order of the wallet that the window shows. Fails with `not_found` for an executor’s order, because such orders are not
   * prepared.
   */
  const shownPrepared = (ref: string): Result<IntentRow, Failure> => {
    const row = shownOrder(ref)
    return row.ok && row.value.way === 'executor' ? fail({ kind: 'not_found', what: 'intent' }) : row
  }
  type Found = Result<IntentRow, Failure>
  /** Runs `work` on a found intent. */
  const on = async <T>(row: Found, work: (row: IntentRow) => Promise<Result<T, Failure>>): Promise<Result<T, Failure>> => (row.ok ? work(row.value) : row)
  /** Runs `work` on the intent’s current row, after all earlier work on this intent. */
  const inTurn = <T>(found: Found, work: (row: IntentRow) => Promise<Result<T, Failure>>): Promise<Result<T, Failure>> =>
    on(found, (row) => locks.run(row.ref, () => work(journal.intents.get(row.ref) ?? row)))

  const reprice = async (ref: string, referencePrice: string): Promise<Result<PreparedOrder, Failure>> => {
    const earlier = shownPrepared(ref)
    if (!earlier.ok) return earlier
    const closed = await inTurn(earlier, async ({ state, way }) => {
      if (state === 'REFUSED' || state === 'EXPIRED' || state === 'CANCELLED') return ok(null)
      // Otherwise, the order may have been executed, or may still be executed. Preparing it again could execute it twice.
      const isUnsent = state === 'PLANNED' || state === 'PREPARED' || state === 'ASKED'
      if (!isUnsent || way === 'transactions') return fail({ kind: 'wrong_state', state, wanted: 'PREPARED' })
      await repository.move(ref, 'CANCELLED', { reason: { code: 'replaced' } })
      return ok(null)
    })
    return closed.ok ? prepare(repriced(ticketOf(earlier.value), referencePrice)) : closed
  }

  const handlers: HandlersOf<'intents' | 'receipts'> & Payments['handlers'] = {
    ...payments.handlers,
    ...execution.handlers,
    ...createBroadcastList(parts, receipts),
    'intents.prepare': (ticket) => prepare(ticket),
    'intents.prepared': ({ ref }) =>
      on(shownPrepared(ref), async (row) => {
        const checked = await parts.verify.again(row)
        if (checked === null) return fail({ kind: 'wrong_state', state: row.state, wanted: 'PREPARED' })
        const arrival = { replayed: false, receivedAtMs: row.createdAtMs, requestId: journal.requests.ofIntent(ref).at(-1)?.requestId ?? null }
        return ok(await view(row, checked, arrival))
      }),
    'intents.reprice': ({ ref, referencePrice }) => reprice(ref, referencePrice),
    'intents.ask': ({ ref, typedPhrase, typedRouter }) => conversation.ask(ref, { phrase: typedPhrase, router: typedRouter }),
    'intents.asked': ({ ref, topic, requestId }) => conversation.asked(ref, topic, requestId),
    'intents.answered': ({ ref, answer }) => conversation.answered(ref, answer),
    'intents.declined': ({ ref, why, detail }) => conversation.declined(ref, why, detail),
    'intents.resume': ({ ref, action }) => inTurn(repository.findShown(ref), async (row) => repository.shown(await signing.resume(row, action))),
    'intents.lookUp': ({ ref }) => inTurn(repository.findShown(ref), async (row) => ok(repository.view(await look(row)))),
    'intents.evidence': ({ ref }) => on(repository.findShown(ref), async (row) => ok({ evidence: await following.evidence(row) })),
    'intents.notSent': ({ ref, typed }) => inTurn(repository.findShown(ref), async (row) => repository.shown(await following.notSent(row, typed))),
    'intents.unknown': ({ ref }) => on(shownOrder(ref), async (row) => ok(await unknownOrders.evidence(row))),
    'intents.resolve': ({ ref, outcome }) => inTurn(shownOrder(ref), (row) => unknownOrders.resolve(row, outcome)),
    'intents.list': ({ beforeMs, limit }) =>
      repository.ofShown({ intents: [], total: 0 }, (whose) => {
        const { intents, total } = journal.intents.list(profile.id, { wallet: whose, beforeMs, limit })
        return { intents: intents.map(repository.view), total }
      }),
    'intents.underway': () =>
      repository.ofShown({ underway: [] }, (whose) => {
        const rows = journal.intents.open(profile.id).filter((row) => row.wallet === whose && isTradingIntent(row))
        return { underway: rows.flatMap(underwayOf).toReversed() }
      }),
    'intents.get': ({ ref }) =>
      on(repository.findShown(ref), async (row) =>
        ok({
          intent: repository.view(row),
          timeline: journal.intents.timeline(ref),
          requests: journal.requests.ofIntent(ref),
          payload: JSON.stringify(JSON.parse(row.body), null, 2),
          typedData: row.typedData,
          unknownFields: row.prepared === null ? null : unknownOfPrepared(PreparedAction.parse(JSON.parse(row.prepared))),
        }),
      ),
  }

  return {
    /** Corrects the states of intents after a crash, then starts to follow all open intents. Must be called once, before the handlers are used. */
    start: async (): Promise<void> => {
      await tracker.recover()
      await repository.dropEnded()
      tracker.start()
    },
    stop: (): void => {
      stopped = true
      tracker.stop()
    },
    /** Looks up an intent’s current state, even if the intent ended long ago. */
    lookAgain: tracker.lookAgain,
    /** Resolves when no work runs on any intent. */
    settled: async (): Promise<void> => {
      await tracker.settled()
      await locks.idle()
      await repository.settled()
    },
    payments,
    handlers,
  }
}
