import { PreparedAction, unknownOfPrepared } from '../../../shared/api/schemas/prepared-action.ts'
import type { Failure } from '../../../shared/ipc/failure.ts'
import type { Intent, PreparedOrder } from '../../../shared/ipc/intents/orders.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import { endsRisk, subjectOf } from '../../../shared/ticket/actions/check-action.ts'
import { repriced } from '../../../shared/ticket/repriced.ts'
import type { Every } from '../../kernel/events.ts'
import type { HandlersOf } from '../../kernel/handlers.ts'
import { polling } from '../../service/api/polling.ts'
import type { ApiClient } from '../../service/transport/api-client.ts'
import type { IntentRow, Vault } from '../../store/journal/journal.ts'
import { createFollowTransaction } from '../../wallet/chain/follow-transaction.ts'
import { agreeTo, type Typed } from '../../wallet/trusted-contracts/agreement.ts'
import { isPayment } from '../payments/payment-record.ts'
import { createPayments, type Payments } from '../payments/payments.ts'
import { type AssessDeps, createAssess } from '../prepare/assessment.ts'
import { ticketOf } from '../prepare/compare-signed.ts'
import { createOrderCalls } from '../prepare/order-calls.ts'
import { createPrepare, type HeldBy } from '../prepare/prepare.ts'
import { createPreparedView } from '../prepare/prepared-view.ts'
import { underwayOf } from '../prepare/underway.ts'
import { unresolvedIntent } from '../prepare/unresolved.ts'
import { createRelay } from '../signed/relay.ts'
import { createSigning } from '../signed/sign.ts'
import { createBroadcastList } from '../transactions/broadcast-list.ts'
import { createReceipts } from '../transactions/receipts.ts'
import { createSending } from '../transactions/send.ts'
import { createSendingBook } from '../transactions/sending-book.ts'
import { createSendingFollow } from '../transactions/sending-follow.ts'
import { createFollowFinality } from './finality.ts'
import { createIntentBook } from './intent-book.ts'
import { createNamedLocks } from './intent-lock.ts'
import { createLookUp, isDead } from './look-up.ts'
import type { OrderParts } from './order-parts.ts'
import { isTradingIntent, withWalletOnly } from './own-intents.ts'
import { createRecovery } from './recovery.ts'
import { createSettle } from './settle.ts'
import { createTracker, type Tracker } from './tracker.ts'
import { createWayOut } from './way-out.ts'

export interface OrdersDeps extends Omit<OrderParts, 'book' | 'calls' | 'locks' | 'assess'>, Pick<AssessDeps, 'balances'> {
  readonly api: ApiClient
  readonly vault: Vault
  readonly every: Every
}

export interface Orders {
  /** Gives what the last run left half done its true state. Once, before the handlers are used. */
  recover(): Promise<void>
  readonly tracker: Tracker
  /** Resolves when nothing is being done to any intent. */
  settled(): Promise<void>
  readonly handlers: HandlersOf<'orders' | 'receipts'> & Payments['handlers']
  readonly payments: Pick<Payments, 'prepare' | 'list'>
}

/** Trading intents of a profile, from the ticket to FINAL. One lock per intent, so a silent phone never keeps another order waiting. */
export function createOrders({ api, vault, every, ...given }: OrdersDeps): Orders {
  const { profile, journal: whole, credentials, wallet, clock, emit } = given
  const journal = withWalletOnly(whole)
  const isShown = (address: string): boolean => {
    const whose = wallet.shown()
    return whose.ok && whose.value === address
  }
  const book = createIntentBook({ profile, journal, vault, emit, isShown })
  const all = createIntentBook({ profile, journal: whole, vault, emit, isShown })
  const calls = createOrderCalls({ api, credentials })
  const locks = createNamedLocks()
  const parts: OrderParts = {
    ...given,
    journal,
    book,
    calls,
    locks,
    assess: createAssess({ ...given, records: journal.records }),
  }
  const sendings = createSendingBook({ journal, book, emit })
  const payments = createPayments({ ...parts, sendings })
  const followOrder = createFollowTransaction({
    ...given,
    tokens: () => [given.tokens.USDC.pinned(), given.tokens.own.pinned()].flatMap((token) => token ?? []),
    reverted: { code: 'reverted' },
  })
  const followPayment = createFollowTransaction({
    ...given,
    // What is paid calls the token itself.
    tokens: () => [],
    reverted: { code: 'payment_reverted' },
  })
  const sendingParts = { book, sendings, followTransaction: (row: IntentRow) => (isPayment(row) ? followPayment : followOrder), clock }
  const following = createSendingFollow({ ...sendingParts, calls })
  const settle = createSettle({ book, sendings, following })
  const wayOut = createWayOut({
    journal: whole,
    book: all,
    sendings,
    calls,
    look: ({ ref }) => look(ref),
    clock,
  })
  const receipts = createReceipts({ journal, calls, locks, clock })
  const lookUp = createLookUp({ book, calls, clock })
  const followFinality = createFollowFinality({ book, calls, clock })
  /** Looks once at any order, which may settle it. The executor's tracker looks at its own. */
  const look = async (ref: string): Promise<IntentRow> => {
    const row = whole.intents.get(ref)
    if (row === null) throw new Error(`No such intent: ${ref}`)
    if (row.way === 'executor') return row
    if (row.way === 'transactions') return following.follow(row)
    return row.state === 'UNKNOWN' ? lookUp(row) : followFinality(row)
  }
  const signing = createSigning(parts, createRelay({ journal, book, calls, lookUp: look }))
  const sending = createSending(parts, {
    ...{ sendings, following, receipts },
    endsRisk: (row) => !isPayment(row) && endsRisk(ticketOf(row)),
    toSend: async (row) => {
      if (isPayment(row)) return payments.toSend(row)
      const assessed = await parts.assess.again(row)
      if (assessed === null) return null
      const { contracts, expired, blocked, steps } = assessed
      return {
        // One that is late ends as such.
        blocked: expired ? null : blocked,
        steps: steps.map(({ compared, transaction }) => ({
          transaction,
          agree: (typed: Typed) => agreeTo(given.pins, row.action, { compared, contracts }, typed),
        })),
      }
    },
  })
  /** What the wallet is asked for: a signature, or to send. */
  const stepsOf = (ref: string) => {
    const row = journal.intents.get(ref)
    return row !== null && (row.way === 'transactions' || isPayment(row)) ? sending : signing
  }

  const heldBy: HeldBy = async (ticket, address) => {
    const subject = subjectOf(ticket)
    if (subject === null) return null
    const unresolved = () => unresolvedIntent(whole, profile.id, address, [subject])
    const held = unresolved()
    // Beyond its last deadline one look may settle it, and lets the new order through.
    if (held?.state === 'UNKNOWN' && isDead(held, clock)) {
      await locks.run(held.ref, () => look(held.ref))
      return unresolved()
    }
    return held
  }
  const view = createPreparedView({ book, sendings, transactions: given.transactions, chain: given.chain })
  const prepare = createPrepare(parts, { heldBy, view })

  const polled = createOrderCalls({ api: polling(api), credentials })
  const tracker = createTracker({
    ...{ profile, journal, book, locks, clock, every, receipts },
    followFinality: createFollowFinality({ book, calls: polled, clock }),
    lookUp: createLookUp({ book, calls: polled, clock }),
    lookAtSending: createSendingFollow({ ...sendingParts, calls: polled }).look,
  })

  /** An intent of the wallet whose data is shown; with `all` also one that the executor carries out. */
  const shown = (ref: string, from = book): Result<IntentRow, Failure> => {
    const whose = wallet.shown()
    if (!whose.ok) return whose
    return whose.value === null ? fail({ kind: 'not_found', what: 'intent' }) : from.findOf(ref, whose.value)
  }
  /** As `shown`, and an order. */
  const shownOrder = (ref: string, from = book): Result<IntentRow, Failure> => {
    const row = shown(ref, from)
    return !row.ok || isTradingIntent(row.value) ? row : fail({ kind: 'not_found', what: 'order' })
  }

  const reprice = async (ref: string, referencePrice: string): Promise<Result<PreparedOrder, Failure>> => {
    const earlier = shownOrder(ref)
    if (!earlier.ok) return earlier
    const closed = await locks.run<Result<Intent, Failure>>(ref, async () => {
      const row = book.find(ref)
      if (!row.ok) return row
      switch (row.value.state) {
        case 'PLANNED':
        case 'PREPARED':
        case 'ASKED':
          if (row.value.way === 'transactions') return fail({ kind: 'wrong_state', state: row.value.state, wanted: 'PREPARED' })
          return ok(book.view(await book.move(ref, 'CANCELLED', { reason: { code: 'replaced' } })))
        case 'REFUSED':
        case 'EXPIRED':
        case 'CANCELLED':
          return ok(book.view(row.value))
        default:
          // It may be executed, or was: a second one would double it.
          return fail({ kind: 'wrong_state', state: row.value.state, wanted: 'PREPARED' })
      }
    })
    return closed.ok ? prepare(repriced(ticketOf(earlier.value), referencePrice)) : closed
  }

  return {
    recover: createRecovery({
      ...{ profile, journal, book },
      recoverSending: following.recover,
      adopt: payments.adopt,
    }),
    payments,
    tracker,
    settled: async () => {
      await tracker.settled()
      await locks.idle()
    },
    handlers: {
      ...payments.handlers,
      ...createBroadcastList({ profile, journal, wallet, receipts, shown: (ref) => shown(ref, all) }),
      'orders.prepare': (ticket) => prepare(ticket),
      'orders.prepared': async ({ ref }) => {
        const row = shownOrder(ref)
        if (!row.ok) return row
        const { prepared, createdAtMs, state } = row.value
        const assessed = await parts.assess.again(row.value)
        if (prepared === null || assessed === null) return fail({ kind: 'wrong_state', state, wanted: 'PREPARED' })
        const arrival = { replayed: false, receivedAtMs: createdAtMs, requestId: journal.requests.ofIntent(ref).at(-1)?.requestId ?? null }
        return ok(await view(row.value, assessed, PreparedAction.parse(JSON.parse(prepared)), arrival))
      },
      'orders.reprice': ({ ref, referencePrice }) => reprice(ref, referencePrice),
      'orders.ask': ({ ref, typedPhrase, typedRouter }) => stepsOf(ref).ask(ref, typedPhrase, typedRouter),
      'orders.asked': ({ ref, topic, requestId }) => stepsOf(ref).asked(ref, topic, requestId),
      'orders.signed': ({ ref, signature }) => signing.signed(ref, signature),
      'orders.sent': ({ ref, txHash }) => sending.sent(ref, txHash),
      'orders.declined': ({ ref, why, detail }) => stepsOf(ref).declined(ref, why, detail),
      'orders.resume': async ({ ref, action }) => {
        const row = shown(ref)
        return row.ok ? signing.resume(ref, action) : row
      },
      'orders.lookUp': async ({ ref }) => {
        const row = shown(ref)
        if (!row.ok) return row
        return ok(book.view(await locks.run(ref, () => look(ref))))
      },
      'orders.evidence': async ({ ref }) => {
        const row = shown(ref)
        return row.ok ? ok({ evidence: await settle.evidence(row.value) }) : row
      },
      'orders.notSent': async ({ ref, typed }) => {
        const row = shown(ref)
        return row.ok ? locks.run(ref, () => settle.notSent(journal.intents.get(ref) ?? row.value, typed)) : row
      },
      'orders.unknown': async ({ ref }) => {
        const row = shownOrder(ref, all)
        return row.ok ? ok(await wayOut.evidence(row.value)) : row
      },
      'orders.settle': async ({ ref, outcome }) => {
        const row = shownOrder(ref, all)
        return row.ok ? locks.run(ref, () => wayOut.settle(whole.intents.get(ref) ?? row.value, outcome)) : row
      },
      'orders.list': async ({ beforeMs, limit }) => {
        const whose = wallet.shown()
        if (!whose.ok) return whose
        if (whose.value === null) return ok({ intents: [], total: 0 })
        const { intents, total } = whole.intents.list(profile.id, { wallet: whose.value, beforeMs, limit })
        return ok({ intents: intents.map(book.view), total })
      },
      'orders.underway': async () => {
        const whose = wallet.shown()
        if (!whose.ok) return whose
        const rows = whose.value === null ? [] : whole.intents.open(profile.id).filter((row) => row.wallet === whose.value && isTradingIntent(row))
        return ok({ underway: rows.flatMap(underwayOf).toReversed() })
      },
      'orders.get': async ({ ref }) => {
        const row = shown(ref, all)
        if (!row.ok) return row
        const { body, typedData, prepared } = row.value
        return ok({
          intent: book.view(row.value),
          timeline: [...journal.intents.timeline(ref)],
          requests: [...journal.requests.ofIntent(ref)],
          payload: JSON.stringify(JSON.parse(body), null, 2),
          typedData,
          unknownFields: prepared === null ? null : unknownOfPrepared(PreparedAction.parse(JSON.parse(prepared))),
        })
      },
    },
  }
}
