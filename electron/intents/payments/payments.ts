import { formatDecimal, normalise, signOf } from '../../../shared/decimal.ts'
import type { Failure } from '../../../shared/ipc/failure.ts'
import type { Intent } from '../../../shared/ipc/intents/orders.ts'
import type { SignRequest } from '../../../shared/ipc/intents/signing.ts'
import type { PreparedPayment } from '../../../shared/ipc/keys/agents.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import { minute } from '../../../shared/time.ts'
import { baseChainId } from '../../kernel/profile-facts.ts'
import { outcomeOf } from '../../service/api/call-outcome.ts'
import { heldBack } from '../../store/journal/held-back.ts'
import type { IntentRow } from '../../store/journal/journal.ts'
import { costsOf, hindranceOf, noCosts, shownGas, shownSimulation, type TransactionCosts } from '../../wallet/chain/transaction-costs.ts'
import type { NamedLocks } from '../engine/intent-lock.ts'
import type { CheckedPayment } from './payment-check.ts'
import type { PaymentFollow } from './payment-follow.ts'
import { isPayment, type Payment, type PaymentParts, paymentOf } from './payment-parts.ts'
import { type PaymentRecord, type PaymentTicket, paymentAction } from './payment-record.ts'

export interface Payments {
  prepare(keyId: string, amountUsdc: string): Promise<Result<PreparedPayment, Failure>>
  ask(ref: string, typedPhrase: string | null, typedRouter: string | null): Promise<Result<SignRequest, Failure>>
  asked(ref: string, topic: string, requestId: string): Result<Record<never, never>, Failure>
  sent(ref: string, txHash: string): Promise<Result<Intent, Failure>>
  declined(ref: string, why: 'rejected' | 'expired' | 'cancelled' | 'unreachable' | 'failed', detail: string | null): Promise<Result<Intent, Failure>>
  lookUp(ref: string): Promise<Result<Intent, Failure>>
  read(ref: string): Promise<Result<PreparedPayment, Failure>>
  list(keyId: string): Result<Intent[], Failure>
}

/** Where the service names no deadline, the app's own: as long as collateral actions live. */
const ownLifetimeMs = 3 * minute
const txHashForm = /^0x[0-9a-fA-F]{64}$/
/** Payments of a key shown; older ones are in the activity. */
const listed = 50

/** A transaction that the service prepares for a key and the wallet broadcasts itself (KEY-13, FLOW-03). */
export function createPayments(parts: PaymentParts, { follow, move }: PaymentFollow, locks: NamedLocks): Payments {
  const { profile, journal, activeKey, request, book, records, checks, chain, transactions, broadcasts, wallet, clock, newId } = parts

  /** A payment of the wallet whose data is shown. */
  const find = (ref: string): Result<Payment, Failure> => {
    const whose = wallet.shown()
    if (!whose.ok) return whose
    const row = whose.value === null ? fail<Failure>({ kind: 'not_found', what: 'payment' }) : book.findOf(ref, whose.value)
    if (!row.ok) return row
    const payment = isPayment(row.value) ? paymentOf(row.value, records) : null
    return payment === null ? fail({ kind: 'not_found', what: 'payment' }) : ok(payment)
  }

  /** A payment of any wallet: what a phone answers belongs to it, whichever is connected by now. */
  const findAny = (ref: string): Result<Payment, Failure> => {
    const row = book.find(ref)
    if (!row.ok) return row
    const payment = isPayment(row.value) ? paymentOf(row.value, records) : null
    return payment === null ? fail({ kind: 'not_found', what: 'payment' }) : ok(payment)
  }

  /** With what the service prepared. */
  const withRecord = (payment: Result<Payment, Failure>): Result<Payment & { readonly record: PaymentRecord }, Failure> => {
    if (!payment.ok) return payment
    const { row, ticket, record } = payment.value
    return record === null ? fail({ kind: 'wrong_state', state: row.state, wanted: 'PREPARED' }) : ok({ row, ticket, record })
  }

  const costs = ({ blocked, transaction }: CheckedPayment): Promise<TransactionCosts> =>
    blocked === null ? costsOf(transactions, transaction) : Promise.resolve(noCosts)

  const view = async (row: IntentRow, ticket: PaymentTicket, record: PaymentRecord): Promise<PreparedPayment> => {
    const checked = await checks.check(row.wallet, ticket, record)
    const { simulation, gas } = await costs(checked)
    return {
      intent: book.view(row),
      ...ticket,
      transaction: checked.transaction,
      target: checked.target,
      spender: checked.spender,
      ...checked.explained,
      simulation: shownSimulation(simulation),
      gas: gas === null ? null : { units: gas.units.toString(), ...shownGas(gas) },
      deadlineMs: row.deadlineMs,
      preparedAtMs: record.preparedAtMs,
      requestId: record.requestId,
      raw: JSON.stringify({ kind: record.kind, from: record.from, to: record.to, data: record.data, value: record.value, chain_id: record.chainId }, null, 2),
    }
  }

  const ask = async (ref: string, typedPhrase: string | null, typedRouter: string | null): Promise<Result<SignRequest, Failure>> => {
    const found = withRecord(find(ref))
    if (!found.ok) return found
    const { row, ticket, record } = found.value
    const signer = wallet.signer(row.wallet)
    if (!signer.ok) return signer
    if (!journal.takesNewRisk()) return fail(heldBack(journal))
    if (row.state === 'EXPIRED') return fail({ kind: 'expired', what: 'request', atMs: row.deadlineMs ?? row.updatedAtMs })
    if (row.state !== 'PREPARED') return fail({ kind: 'wrong_state', state: row.state, wanted: 'PREPARED' })
    const { deadlineMs } = row
    if (deadlineMs === null || clock.now() >= deadlineMs) {
      await move(row, 'EXPIRED', { reason: 'It was not sent before its deadline.' })
      return fail({ kind: 'expired', what: 'request', atMs: deadlineMs ?? clock.now() })
    }
    const other = broadcasts.inTheWay(row)
    if (other !== null) return fail({ kind: 'held_back', why: 'unknown_intent', intentRef: other.ref })
    const checked = await checks.check(row.wallet, ticket, record)
    const agreed = checks.agree(checked, typedPhrase, typedRouter)
    if (!agreed.ok) return agreed
    const hindrance = hindranceOf(await costs(checked))
    if (hindrance !== null) return fail({ kind: 'not_executable', ...hindrance, intentRef: ref })

    // Without both, a transaction sent while the app is dead could not be found again: then nothing is asked for.
    const [blockNumber, nonce] = await Promise.all([chain.blockNumber(), transactions.nonce(row.wallet)])
    if (blockNumber === null || nonce === null) return fail({ kind: 'unreachable', reason: 'connect', status: null, requestId: null, route: 'rpc' })
    // The wallet may have moved to another chain or account while the RPC was asked.
    const still = wallet.signer(row.wallet)
    if (!still.ok) return still
    records.save(ref, { ...record, nonce: record.nonce ?? nonce, askedAtMs: clock.now() })
    // On disk before the phone is asked: it may broadcast while this app is dead. A first asking's block stays, what it brought may come late.
    await move(row, 'ASKED', { blockNumber: row.blockNumber ?? blockNumber, reason: null, topic: null, walletRequestId: null })
    return ok({ method: 'eth_sendTransaction', wallet: row.wallet, chainId: baseChainId, transaction: checked.transaction, expiresAtMs: deadlineMs })
  }

  const sent = async (ref: string, txHash: string): Promise<Result<Intent, Failure>> => {
    const found = withRecord(findAny(ref))
    if (!found.ok) return found
    const { row } = found.value
    if (!txHashForm.test(txHash)) return fail({ kind: 'bad_input', field: 'txHash', issue: 'not a transaction hash' })
    if (row.txHash?.toLowerCase() === txHash.toLowerCase()) return ok(book.view(row))
    // Whatever its state, a broadcast that was asked for happened: it is followed, never refused.
    const late = row.state === 'PREPARED' && row.blockNumber !== null
    if (row.state !== 'ASKED' && row.state !== 'UNKNOWN' && !late) return fail({ kind: 'wrong_state', state: row.state, wanted: 'ASKED' })
    const asked = late ? await move(row, 'ASKED', {}, 'a late answer of the wallet') : row
    return ok(book.view(await follow(await move(asked, 'SUBMITTED', { txHash, reason: null }, 'the wallet sent it'))))
  }

  const declined: Payments['declined'] = async (ref, why, detail) => {
    const found = withRecord(findAny(ref))
    if (!found.ok) return found
    const { row } = found.value
    if (row.state !== 'ASKED') return ok(book.view(row))
    if (why === 'rejected') return ok(book.view(await move(row, 'CANCELLED', { reason: 'Rejected on the phone.' }, detail ?? why)))
    // Without the ids of a request none has left: the phone was not asked.
    if (row.topic === null)
      return ok(book.view(await move(row, 'PREPARED', { reason: 'The wallet could not be asked. It can be asked again until the deadline.' }, detail ?? why)))
    // The phone may still show the request, and broadcast: only the chain can tell.
    const unknown = await move(row, 'UNKNOWN', { reason: 'The wallet was asked and did not answer. It is looked for on the chain.' }, detail ?? why)
    return ok(book.view(await follow(unknown)))
  }

  return {
    prepare: async (keyId, amount) => {
      const amountUsdc = normalise(amount)
      if (signOf(amountUsdc) <= 0) return fail({ kind: 'bad_input', field: 'amountUsdc', issue: 'must be above zero' })
      if ((amountUsdc.split('.')[1] ?? '').length > 6) return fail({ kind: 'bad_input', field: 'amountUsdc', issue: 'at most 6 decimals' })
      const active = await activeKey(keyId)
      if (!active.ok) return active
      const { session, wallet: address, key } = active.value
      if (!journal.takesNewRisk()) return fail(heldBack(journal))
      const ref = newId()
      const ticket: PaymentTicket = { keyId, label: key.label, amountUsdc }
      const planned = journal.intents.plan({
        ref,
        profileId: profile.id,
        wallet: address,
        action: paymentAction,
        title: `Execution payment of ${formatDecimal(amountUsdc, { minDecimals: 2 })} USDC for ${key.label}`,
        pairId: null,
        symbol: null,
        side: null,
        idempotencyKey: ref,
        clientOrderId: null,
        body: JSON.stringify({ amount_usdc: amountUsdc }),
        ticket: JSON.stringify(ticket),
      })
      const answer = await request(session, keyId, amountUsdc, ref)
      if (!answer.ok) {
        const refused = outcomeOf(answer.failure) === 'refused'
        await move(planned, refused ? 'REFUSED' : 'CANCELLED', {
          reason: refused ? 'The service refused to prepare it.' : 'The service did not answer. Nothing was sent.',
        })
        return fail(answer.failure.failure)
      }
      const [transaction, ...more] = answer.value.value.transactions
      if (transaction === undefined || transaction.to === null || transaction.data === null || more.length > 0) {
        const sentence =
          more.length > 0 ? 'The service prepared several transactions where one was asked for.' : 'The service prepared no transaction that can be read.'
        await move(planned, 'REFUSED', { reason: sentence })
        return fail({ kind: 'signing_refused', sentence })
      }
      const now = clock.now()
      const record = records.save(ref, {
        kind: transaction.kind,
        from: transaction.from,
        to: transaction.to,
        data: transaction.data,
        value: transaction.value,
        chainId: answer.value.value.chainId,
        deadlineMs: transaction.deadlineMs,
        amountUsdc: answer.value.value.amountUsdc,
        preparedAtMs: now,
        requestId: answer.value.requestId,
        nonce: null,
        askedAtMs: null,
      })
      const deadlineMs = Math.min(transaction.deadlineMs ?? Number.POSITIVE_INFINITY, now + ownLifetimeMs)
      const row = await move(planned, 'PREPARED', { deadlineMs, way: 'transactions' })
      const { blocked } = await checks.check(address, ticket, record)
      return ok(await view(blocked === null ? row : await move(row, 'REFUSED', { reason: blocked }), ticket, record))
    },
    ask: (ref, ...typed) => {
      const found = find(ref)
      return found.ok ? broadcasts.oneAtATime(found.value.row.wallet, () => locks.run(ref, () => ask(ref, ...typed))) : Promise.resolve(found)
    },
    asked: (ref, topic, requestId) => {
      const found = findAny(ref)
      if (!found.ok) return found
      book.change(ref, { topic, walletRequestId: requestId })
      return ok({})
    },
    sent: (ref, txHash) => locks.run(ref, () => sent(ref, txHash)),
    declined: (ref, ...given) => locks.run(ref, () => declined(ref, ...given)),
    lookUp: async (ref) => {
      const found = find(ref)
      if (!found.ok) return found
      return locks.run(ref, async () => {
        const row = journal.intents.get(ref) ?? found.value.row
        return ok(book.view(await follow(row)))
      })
    },
    read: async (ref) => {
      const found = withRecord(find(ref))
      if (!found.ok) return found
      const { row, ticket, record } = found.value
      return ok(await view(row, ticket, record))
    },
    list: (keyId) => {
      const whose = wallet.shown()
      if (!whose.ok) return whose
      if (whose.value === null) return ok([])
      const { intents } = journal.intents.list(profile.id, { wallet: whose.value, beforeMs: null, limit: 1_000, action: paymentAction })
      return ok(
        intents
          .filter((row) => paymentOf(row, records)?.ticket.keyId === keyId)
          .slice(0, listed)
          .map(book.view),
      )
    },
  }
}
