import type { Failure } from '../../../shared/ipc/failure.ts'
import type { KeySummary } from '../../../shared/ipc/keys/keys.ts'
import type { Result } from '../../../shared/result.ts'
import { createIntentBook } from '../../intents/engine/intent-book.ts'
import { createNamedLocks } from '../../intents/engine/intent-lock.ts'
import { createPaymentCheck } from '../../intents/payments/payment-check.ts'
import { createPaymentFollow } from '../../intents/payments/payment-follow.ts'
import type { PaymentParts } from '../../intents/payments/payment-parts.ts'
import { createPaymentRecords } from '../../intents/payments/payment-record.ts'
import { createPaymentTracker } from '../../intents/payments/payment-tracker.ts'
import { createPayments, type Payments } from '../../intents/payments/payments.ts'
import { createOrderCalls } from '../../intents/prepare/order-calls.ts'
import type { Broadcasts } from '../../intents/transactions/broadcasts.ts'
import type { Emit, Every } from '../../kernel/events.ts'
import type { Handlers } from '../../kernel/handlers.ts'
import type { ProfileFacts } from '../../kernel/profile-facts.ts'
import type { ServiceClock } from '../../service/api/service-clock.ts'
import type { Credentials } from '../../service/credentials/credentials.ts'
import type { FieldMapBook } from '../../service/field-names/field-map.ts'
import type { ApiClient, SessionCredential } from '../../service/transport/api-client.ts'
import type { Journal, Vault } from '../../store/journal/journal.ts'
import type { Chain } from '../../wallet/chain/chain.ts'
import type { ChainTransactions } from '../../wallet/chain/transactions.ts'
import type { WalletReport } from '../../wallet/connection/wallet.ts'
import type { ContractPin } from '../../wallet/trusted-contracts/contract-pin.ts'
import type { Pins } from '../../wallet/trusted-contracts/pins.ts'
import type { KeyList } from '../calls/key-list.ts'
import { createGrantCheck } from '../issuance/grant-check.ts'
import type { GrantEnds } from '../issuance/grant-ends.ts'
import { createAgentCalls } from './agent-calls.ts'
import { type AgentParts, activeKey, listedKey } from './agent-parts.ts'
import { createExecutorBinding } from './executor.ts'
import { createGrantDrafts } from './grant-drafts.ts'
import { type AgentGrants, createAgentGrants } from './grants.ts'

export interface AgentsDeps {
  readonly profile: ProfileFacts
  readonly api: ApiClient
  readonly fieldMap: Pick<FieldMapBook, 'names'>
  readonly journal: Journal
  readonly vault: Vault
  readonly credentials: Credentials
  readonly list: KeyList
  readonly wallet: WalletReport
  readonly signIn: () => Promise<Result<{ readonly session: SessionCredential; readonly wallet: string }, Failure>>
  readonly pins: Pins
  /** The collateral token, pinned like the router. */
  readonly token: ContractPin
  readonly chain: Chain
  readonly transactions: ChainTransactions
  readonly broadcasts: Broadcasts
  readonly ends: GrantEnds
  readonly clock: ServiceClock
  readonly emit: Emit
  readonly every: Every
  readonly newId: () => string
}

export interface Agents {
  /** For whoever makes a key and wants its agent granted. */
  readonly grants: Pick<AgentGrants, 'open' | 'draft' | 'ask' | 'store' | 'leave'>
  readonly payments: Pick<Payments, 'list'>
  /** Gives what the last run left half done its true state, and follows what is open. Once, before the handlers are used. */
  start(): Promise<void>
  stop(): void
  /** Resolves when nothing is being done to any payment or grant. */
  settled(): Promise<void>
  readonly handlers: Handlers<
    | 'agents.open'
    | 'agents.draft'
    | 'agents.ask'
    | 'agents.store'
    | 'agents.leave'
    | 'agents.checkExecutor'
    | 'agents.bindExecutor'
    | 'agents.preparePayment'
    | 'agents.askPayment'
    | 'agents.paymentAsked'
    | 'agents.paymentSent'
    | 'agents.paymentDeclined'
    | 'agents.lookUpPayment'
    | 'agents.payment'
    | 'agents.payments'
  >
}

/** What a key may do without its wallet being asked each time: its agent, its executor, and what pays for it (KEY-11 to KEY-13). */
export function createAgents(deps: AgentsDeps): Agents {
  const { profile, api, fieldMap, journal, vault, credentials, wallet, pins, token, chain, ends, clock, emit, every } = deps
  const parts: AgentParts = { ...deps, calls: createAgentCalls({ api, fieldMap }) }
  const locks = createNamedLocks()
  const grants = createAgentGrants({
    parts,
    drafts: createGrantDrafts({ profile, journal, vault, clock }),
    ends,
    grants: createGrantCheck({ pins, clock }),
    chain,
  })
  const executors = createExecutorBinding(parts)

  const book = createIntentBook({
    profile,
    journal,
    vault,
    emit,
    isShown: (address) => {
      const whose = wallet.shown()
      return whose.ok && whose.value === address
    },
  })
  const records = createPaymentRecords({ profile, values: journal.values })
  const paymentParts: PaymentParts = {
    ...deps,
    activeKey: async (keyId) => {
      const found = await listedKey(parts, keyId)
      return found.ok ? activeKey(found.value) : found
    },
    request: parts.calls.payment,
    book,
    records,
    checks: createPaymentCheck({ pins, token, clock }),
  }
  const orderCalls = createOrderCalls({ api, credentials })
  const following = createPaymentFollow({
    ...paymentParts,
    clock,
    finality: async (row, txHash) => {
      const answer = await orderCalls.finality(row, txHash)
      return answer.ok ? answer.value : null
    },
  })
  const payments = createPayments(paymentParts, following, locks)
  const tracker = createPaymentTracker({ profile, journal, locks, clock, every, ...following })

  const grantLock = (keyId: string) => `grant:${keyId}`
  const oneAtATime: Pick<AgentGrants, 'open' | 'draft' | 'ask' | 'store' | 'leave'> = {
    open: (keyId) => locks.run(grantLock(keyId), () => grants.open(keyId)),
    draft: (keyId) => locks.run(grantLock(keyId), () => grants.draft(keyId)),
    ask: (keyId, ...typed) => locks.run(grantLock(keyId), () => grants.ask(keyId, ...typed)),
    store: (keyId, signature) => locks.run<Result<KeySummary, Failure>>(grantLock(keyId), () => grants.store(keyId, signature)),
    leave: (keyId) => locks.run(grantLock(keyId), () => grants.leave(keyId)),
  }

  return {
    grants: oneAtATime,
    payments,
    start: async () => {
      await tracker.recover()
      tracker.start()
    },
    stop: tracker.stop,
    settled: async () => {
      await tracker.settled()
      await locks.idle()
    },
    handlers: {
      'agents.open': ({ keyId }) => oneAtATime.open(keyId),
      'agents.draft': ({ keyId }) => oneAtATime.draft(keyId),
      'agents.ask': ({ keyId, typedPhrase, typedRouter }) => oneAtATime.ask(keyId, typedPhrase, typedRouter),
      'agents.store': ({ keyId, signature }) => oneAtATime.store(keyId, signature),
      'agents.leave': ({ keyId }) => oneAtATime.leave(keyId),
      'agents.checkExecutor': ({ keyId, executor }) => executors.check(keyId, executor),
      'agents.bindExecutor': ({ keyId, executor, before, confirmLabel }) =>
        locks.run(`executor:${keyId}`, () => executors.bind(keyId, executor, before, confirmLabel)),
      'agents.preparePayment': ({ keyId, amountUsdc }) => payments.prepare(keyId, amountUsdc),
      'agents.askPayment': ({ ref, typedPhrase, typedRouter }) => payments.ask(ref, typedPhrase, typedRouter),
      'agents.paymentAsked': ({ ref, topic, requestId }) => payments.asked(ref, topic, requestId),
      'agents.paymentSent': ({ ref, txHash }) => payments.sent(ref, txHash),
      'agents.paymentDeclined': ({ ref, why, detail }) => payments.declined(ref, why, detail),
      'agents.lookUpPayment': ({ ref }) => payments.lookUp(ref),
      'agents.payment': ({ ref }) => payments.read(ref),
      'agents.payments': ({ keyId }) => payments.list(keyId),
    },
  }
}
