import { isHex, numberToHex } from 'viem'
import { z } from 'zod'
import type { ExecutionPayment } from '../../../../shared/api/schemas/prepared-action-resources.ts'
import { normalise, signOf } from '../../../../shared/decimal.ts'
import type { Failure } from '../../../../shared/ipc/failure.ts'
import { stateOfTransaction } from '../../../../shared/ipc/intents/intent-states.ts'
import { type Intent, TransactionState } from '../../../../shared/ipc/intents/orders.ts'
import { blockedBy, type IntentReason, signingRefused } from '../../../../shared/ipc/intents/reasons.ts'
import type { PreparedPayment } from '../../../../shared/ipc/keys/agents.ts'
import type { KeySummary } from '../../../../shared/ipc/keys/keys.ts'
import { Decimal } from '../../../../shared/ipc/reads/markets.ts'
import { isPhrase } from '../../../../shared/phrases.ts'
import { fail, ok, type Result } from '../../../../shared/result.ts'
import { explainPayment } from '../../../../shared/signing/transactions/payment.ts'
import { type RouterDecision, sameAddress } from '../../../../shared/signing/trust.ts'
import { minute } from '../../../../shared/time.ts'
import type { Handlers } from '../../../kernel/handlers.ts'
import { outcomeOf } from '../../../service/api/call-outcome.ts'
import type { ApiAnswer, ApiFailure, SessionCredential } from '../../../service/transport/api-client.ts'
import { heldBack, type IntentRow } from '../../../store/journal/journal.ts'
import type { PaymentRecord } from '../../../store/records/intent-records.ts'
import { readRecord } from '../../../store/records/record.ts'
import type { Records } from '../../../store/records/registry.ts'
import { costsOf, noCosts, shownCosts } from '../../../wallet/chain/transaction-costs.ts'
import { confirmContracts, shownRouter, type Typed } from '../../../wallet/trusted-contracts/agreement.ts'
import type { OrderParts } from '../../prepare/prepare.ts'
import { named } from '../../prepare/verification.ts'
import type { ToSend } from '../transactions/sending.ts'

/** The value of the journal’s column `action` for payments. */
export const paymentAction = 'execution_payment'

/** The ticket of a payment, which contains what the user asked for. */
export const PaymentTicket = z.object({ keyId: z.string(), label: z.string(), amountUsdc: Decimal })
export type PaymentTicket = z.infer<typeof PaymentTicket>

export const isPayment = ({ action }: { readonly action: string }): boolean => action === paymentAction

/** An intent’s payment ticket, with the payment that the service prepared (null if it prepared none). Returns null if the ticket is damaged. */
export function paymentOf({ profileId, ref, ticket: written }: IntentRow, { payments }: Records) {
  const ticket = readRecord(PaymentTicket, written)
  return ticket === null ? null : { ticket, record: payments.read({ profile: profileId, ref }) }
}

/** A key of the signed-in wallet, together with the sign-in session in which the service listed the key. */
export interface ListedKey {
  readonly session: SessionCredential
  readonly wallet: string
  readonly key: KeySummary
}

export interface Payer {
  /** Returns an active key of the signed-in wallet. Fails with `no_wallet`, `sign_in_required`, `not_found`, `wrong_wallet` or `wrong_state`. */
  activeKey(keyId: string): Promise<Result<ListedKey, Failure>>
  /** Asks the service to prepare a payment; `ref` is its idempotency key. */
  request(session: SessionCredential, keyId: string, amountUsdc: string, ref: string): Promise<Result<ApiAnswer<ExecutionPayment>, ApiFailure>>
}

export type Payments = ReturnType<typeof createPayments>

/** The deadline of a payment for which the service sends none, in ms. Equals the lifetime of prepared collateral actions. */
const ownLifetimeMs = 3 * minute
/** Maximum number of payments in a key’s list. Older ones appear under Activity. */
const listed = 50

/**
 * Payments for a key: the service prepares a transaction, and the wallet sends it (KEY-13, FLOW-03). A prepared payment is an intent, like an
 * order.
 */
export function createPayments(parts: OrderParts) {
  const { profile, journal, clock, newId, repository, transactions, trust } = parts
  const token = parts.tokens.USDC
  const { records } = journal

  const isPublished = ({ publishedByConfig, publishedByMeta, candidate }: RouterDecision): boolean =>
    sameAddress(publishedByConfig, candidate) || sameAddress(publishedByMeta, candidate)
  /**
   * Whether the contract is trusted, or the user may confirm it. The user may confirm only a contract whose address the service publishes and which
   * passes the app’s checks.
   */
  const mayBe = (decision: RouterDecision | null): decision is RouterDecision =>
    decision !== null && (decision.state === 'pinned' || (decision.confirmable && isPublished(decision)))

  /** Parses the payment that the service prepared and compares it with the ticket. */
  const check = async (wallet: string, ticket: PaymentTicket, record: PaymentRecord) => {
    const [asRouter, asToken] = await Promise.all([trust.contracts.decide(record.to), token.decide(record.to)])
    const decision = [asRouter, asToken].find(mayBe) ?? null
    const role: PreparedPayment['target']['role'] = decision === null ? 'unknown' : decision === asRouter ? 'router' : 'collateral_token'
    const expectation = { wallet, amountUsdc: ticket.amountUsdc, role, nowMs: clock.now() }
    const transaction = { ...record, valueWei: weiOf(record.value) }
    const first = explainPayment(transaction, { ...expectation, router: trust.router() })
    // The contract that gets the allowance may be a published router that the user has not trusted yet. The user then confirms it together with
    // the payment.
    const spender = role === 'collateral_token' && first.spending !== null ? await trust.contracts.decide(first.spending.spender) : null
    const trusted = mayBe(spender) ? spender.candidate : trust.router()
    const explained = explainPayment(transaction, { ...expectation, router: trusted })
    return {
      explained,
      target: { role, address: record.to, check: shownRouter(decision) },
      spender: mayBe(spender) ? shownRouter(spender) : null,
      /** Contracts that the user may have to confirm: the contract that the payment calls, and the contract that gets the allowance. */
      contracts: [
        ...named(decision, role === 'router' ? trust.contracts.confirm : token.confirm),
        ...named(mayBe(spender) ? spender : null, trust.contracts.confirm),
      ],
      /** The transaction for the wallet, built from checked values only. */
      transaction: { from: wallet, to: record.to, data: record.data, value: numberToHex(transaction.valueWei ?? 0n) },
      /** Why the app never sends the payment; `null` if nothing is wrong. */
      blocked: explained.verdict === 'block' ? blockedBy(explained.blocked) : null,
    }
  }

  const prepared = (row: IntentRow): { readonly ticket: PaymentTicket; readonly record: PaymentRecord } | null => {
    const payment = isPayment(row) ? paymentOf(row, records) : null
    return payment === null || payment.record === null ? null : { ...payment, record: payment.record }
  }

  const view = async (row: IntentRow, ticket: PaymentTicket, record: PaymentRecord): Promise<PreparedPayment> => {
    const { blocked, transaction, target, spender, explained } = await check(row.wallet, ticket, record)
    const costs = blocked === null ? await costsOf(transactions, transaction) : noCosts
    return {
      intent: repository.view(row),
      ...ticket,
      ...{ transaction, target, spender },
      ...explained,
      ...shownCosts(costs),
      deadlineMs: row.deadlineMs,
      preparedAtMs: record.preparedAtMs,
      requestId: record.requestId,
      raw: JSON.stringify({ kind: record.kind, from: record.from, to: record.to, data: record.data, value: record.value, chain_id: record.chainId }, null, 2),
    }
  }

  const list = (keyId: string): Result<Intent[], Failure> =>
    repository.ofShown([], (wallet) => {
      const { intents } = journal.intents.list(profile.id, { wallet, beforeMs: null, limit: 1_000, action: paymentAction })
      const ofKey = intents.filter((row) => paymentOf(row, records)?.ticket.keyId === keyId)
      return ofKey.slice(0, listed).map(repository.view)
    })

  const handlers: Handlers<'agents.payment' | 'agents.payments'> = {
    'agents.payment': async ({ ref }) => {
      const row = repository.findShown(ref, 'payment')
      if (!row.ok) return row
      const payment = isPayment(row.value) ? paymentOf(row.value, records) : null
      if (payment === null) return fail({ kind: 'not_found', what: 'payment' })
      if (payment.record === null) return fail({ kind: 'wrong_state', state: row.value.state, wanted: 'PREPARED' })
      return ok(await view(row.value, payment.ticket, payment.record))
    },
    'agents.payments': ({ keyId }) => list(keyId),
  }

  return {
    list,
    handlers,
    prepare: async (payer: Payer, keyId: string, amount: string): Promise<Result<PreparedPayment, Failure>> => {
      const amountUsdc = normalise(amount)
      if (signOf(amountUsdc) <= 0) return fail({ kind: 'bad_input', field: 'amountUsdc', issue: 'above_zero' })
      if ((amountUsdc.split('.')[1] ?? '').length > 6) return fail({ kind: 'bad_input', field: 'amountUsdc', issue: 'most_decimals 6' })
      const active = await payer.activeKey(keyId)
      if (!active.ok) return active
      const { session, wallet: address, key } = active.value
      if (!journal.takesNewRisk()) return fail(heldBack(journal))
      const ref = newId()
      const ticket: PaymentTicket = { keyId, label: key.label, amountUsdc }
      journal.intents.plan({
        ref,
        profileId: profile.id,
        wallet: address,
        action: paymentAction,
        title: { code: 'payment', amountUsdc, label: key.label },
        idempotencyKey: ref,
        body: JSON.stringify({ amount_usdc: amountUsdc }),
        ticket: JSON.stringify(ticket),
      })
      const answer = await payer.request(session, keyId, amountUsdc, ref)
      if (!answer.ok) {
        if (outcomeOf(answer.failure) === 'refused') await repository.move(ref, 'REFUSED', { reason: { code: 'prepare_refused', earlier: false } })
        else await repository.move(ref, 'CANCELLED', { reason: { code: 'payment_not_answered' } })
        return fail(answer.failure.failure)
      }
      const { value, requestId } = answer.value
      const [transaction, ...more] = value.transactions
      if (transaction === undefined || transaction.to === null || transaction.data === null || more.length > 0) {
        const reason: IntentReason = { code: more.length > 0 ? 'several_prepared' : 'none_prepared' }
        await repository.move(ref, 'REFUSED', { reason })
        return fail(signingRefused(reason))
      }
      const now = clock.now()
      const record: PaymentRecord = {
        ...transaction,
        ...{ to: transaction.to, data: transaction.data, chainId: value.chainId, amountUsdc: value.amountUsdc },
        ...{ preparedAtMs: now, requestId, nonce: null, askedAtMs: null },
      }
      records.payments.write({ profile: profile.id, ref }, record)
      const { transaction: checked, blocked } = await check(address, ticket, record)
      const deadlineMs = Math.min(transaction.deadlineMs ?? Number.POSITIVE_INFINITY, now + ownLifetimeMs)
      const row = await repository.move(ref, 'PREPARED', { deadlineMs, way: 'transactions' }, undefined, () => {
        if (blocked === null) journal.transactions.plan(ref, [{ ...checked, kind: record.kind, deadlineMs }])
      })
      return ok(await view(blocked === null ? row : await repository.move(ref, 'REFUSED', { reason: blocked }), ticket, record))
    },
    /** The payment’s transaction, parsed again from the journal and compared with the ticket; null if the service prepared none. */
    toSend: async (row: IntentRow): Promise<ToSend | null> => {
      const payment = prepared(row)
      if (payment === null) return null
      const { blocked, contracts, transaction, explained } = await check(row.wallet, payment.ticket, payment.record)
      const { expectedPhrase } = explained
      // The user types the phrase, and the address of each contract that is not trusted yet. Those contracts then become trusted.
      const agree = ({ phrase, router }: Typed): Result<void, Failure> => {
        if (blocked !== null) return fail(signingRefused(blocked))
        return expectedPhrase === null || isPhrase(phrase, expectedPhrase)
          ? confirmContracts(contracts, router)
          : fail({ kind: 'confirmation_required', what: 'transaction', expected: expectedPhrase })
      }
      return { blocked, steps: [{ transaction, agree }] }
    },
    /** Converts a payment of an older app version, which stored the progress only in the intent. Copies the progress to the table of transactions. */
    adopt: (row: IntentRow): void => {
      const payment = prepared(row)
      const state = TransactionState.options.find((each) => stateOfTransaction[each] === row.state)
      if (payment === null || state === undefined || journal.transactions.of(row.ref).length > 0) return
      const { to, data, value, kind, nonce, askedAtMs } = payment.record
      const { txHash, confirmations, blockNumber, topic, walletRequestId, reason, deadlineMs } = row
      journal.together(() => {
        journal.transactions.plan(row.ref, [{ from: row.wallet, to, data, value: value ?? '0x0', kind, deadlineMs }])
        journal.transactions.change(row.ref, 0, { state, txHash, confirmations, blockNumber, topic, walletRequestId, reason, nonce, askedAtMs })
      })
    },
  }
}

/** A transaction’s value in wei: 0 if the value is missing, and null if it is not a number. */
function weiOf(written: string | null): bigint | null {
  if (written === null || written === '0x') return 0n
  return isHex(written) || /^\d{1,78}$/.test(written) ? BigInt(written) : null
}
