import { preparedActions } from '../../../shared/api/actions.ts'
import { findField, isRecord } from '../../../shared/api/loose.ts'
import { redactText } from '../../../shared/api/redact.ts'
import { type PreparedAction, unknownOfPrepared } from '../../../shared/api/schemas/prepared-action-resources.ts'
import { namedPrepared, type SentField, sentByPrepare } from '../../../shared/field-map/sent-names.ts'
import { parseJson } from '../../../shared/foreign/parse-json.ts'
import type { Failure } from '../../../shared/ipc/failure.ts'
import { leavesUnknown } from '../../../shared/ipc/intents/intent-states.ts'
import type { PreparedOrder, PreparedTransaction } from '../../../shared/ipc/intents/orders.ts'
import { type IntentReason, type StepNote, said } from '../../../shared/ipc/intents/reasons.ts'
import type { OrderTicket } from '../../../shared/ipc/intents/tickets.ts'
import type { Market } from '../../../shared/ipc/reads/markets.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import { sentPayload } from '../../../shared/signing/asked-order.ts'
import type { ExplainedTransaction } from '../../../shared/signing/transactions/transactions.ts'
import { preparedBody } from '../../../shared/ticket/actions/action-payload.ts'
import { actionOf, checkAction, endsRisk, pairOf, sideOf, subjectOf, takesOrderId, titleOf } from '../../../shared/ticket/actions/check-action.ts'
import type { Markets } from '../../reads/markets/markets.ts'
import { resent } from '../../service/api/call-outcome.ts'
import type { FieldMapService } from '../../service/field-names/field-map.ts'
import { taught } from '../../service/field-names/named-call.ts'
import { type ApiAnswer, type ApiFailure, inAMoment, type KeyCredential } from '../../service/transport/api-client.ts'
import { heldBack, type IntentRow, type PlannedTransaction, type TransactionRow } from '../../store/journal/journal.ts'
import { costsOf, noCosts, shownCosts } from '../../wallet/chain/transaction-costs.ts'
import { shownRouter } from '../../wallet/trusted-contracts/agreement.ts'
import type { Trust, TrustedTokens } from '../../wallet/trusted-contracts/trust.ts'
import type { EngineParts } from '../engine/engine-parts.ts'
import { isDead } from '../engine/finality.ts'
import { endsRiskOf } from '../engine/intent-facts.ts'
import { isOnChain } from '../engine/intent-repository.ts'
import { heldByUnknown, unresolvedIntent } from '../engine/resolve-unknown.ts'
import type { RiskLimitsService } from '../risk-limits/risk-limits.ts'
import type { Verification, Verify } from './verification.ts'

type Arrival = Pick<ApiAnswer<PreparedAction>, 'receivedAtMs' | 'requestId'> & { readonly replayed: boolean }

/**
 * Journals an intent with a reference, an idempotency key and the request body, and asks the service to prepare it (ORD-06). After a lost answer,
 * sends the same bytes again. If no answer arrives, this is harmless, because preparing executes nothing. `look` looks up an intent once.
 */
export function createPrepare(parts: OrderParts, look: (row: IntentRow) => Promise<IntentRow>) {
  const { profile, journal, repository, calls, locks, chain, transactions, credentials } = parts
  const { wallet, markets, riskLimits, verify, fieldMap, clock, newId, sleep } = parts

  /**
   * What the window shows of a preparation. `replayed`: whether the service repeated an earlier answer. `receivedAtMs`: the time of arrival in Unix ms,
   * by the service’s clock.
   */
  const view = async (row: IntentRow, checked: Verification, { replayed, receivedAtMs, requestId }: Arrival): Promise<PreparedOrder> => {
    const rows = journal.transactions.of(row.ref)
    const { steps } = checked
    /** Waits only a short time for additional facts from the chain if the intent ends risk, so that they do not delay it. Then returns `instead`. */
    const soon = <T>(read: Promise<T>, instead: T): Promise<T> => (endsRiskOf(row) ? inAMoment(read, instead) : read)
    const next = nextOf(row, rows)
    const blocked = steps.find(({ compared }) => compared.comparison.verdict === 'block')
    const step = blocked ?? steps[next ?? steps.length - 1]
    const kinds = checked.prepared.execution.transactions ?? []
    const shownTransaction = async (explained: ExplainedTransaction, index: number): Promise<PreparedTransaction> => {
      const { contract, signature, compared, spending, transaction } = explained
      const { state, txHash, confirmations, reason } = rows[index] ?? unsent
      // Simulate the transaction only if all previous ones are on the chain, because it depends on their effects.
      const isTellable = checked.blocked === null && transaction !== null && state === 'waiting' && rows.slice(0, index).every(isOnChain)
      const costs = isTellable ? await soon(costsOf(transactions, transaction), noCosts) : noCosts
      return {
        ...{ index, kind: kinds[index]?.kind ?? null, contract, signature, comparison: compared.comparison, spending },
        expectedPhrase: besidesFormat(explained),
        ...shownCosts(costs),
        ...{ state, txHash, confirmations, reason },
      }
    }
    const { ready, status, mode, costs, liquidation, deadlineMs } = checked
    return {
      ...{ intent: repository.view(row), ready, status, mode, costs, liquidation, deadlineMs, next, requestId },
      reason: checked.reason ?? (steps.length > 0 && checked.blocked !== null ? { why: checked.blocked, raw: checked.status } : null),
      idempotentReplay: replayed,
      comparison: (checked.compared ?? step?.compared)?.comparison ?? null,
      contractWallet: await soon(chain.hasCode(row.wallet), null),
      spending: checked.spending ?? step?.spending ?? null,
      expectedPhrase: step === undefined ? null : besidesFormat(step),
      transactions: await Promise.all(steps.map(shownTransaction)),
      router: shownRouter(checked.router),
      token: shownRouter(checked.token),
      preparedAtMs: receivedAtMs,
      unknownFields: unknownOfPrepared(checked.prepared),
    }
  }

  /**
   * Returns the market of a ticket. If the market cannot be read, returns null for a ticket that closes a position or cancels an order, so that
   * such a ticket stays possible.
   */
  const marketOf = async (ticket: OrderTicket): Promise<Result<Market | null, Failure>> => {
    const pairId = pairOf(ticket)
    if (pairId === null) return ok(null)
    return endsRisk(ticket) ? ok(await markets.forExit(pairId)) : markets.market(pairId)
  }

  /** Returns the UNKNOWN intent that blocks a new order, because both change the same market, position or order; null if no intent blocks it. */
  const heldBy = async (ticket: OrderTicket, address: string): Promise<IntentRow | null> => {
    const subject = subjectOf(ticket)
    const unresolved = () => unresolvedIntent(journal, profile.id, address, subject === null ? [] : [subject])
    const held = unresolved()
    if (held?.state !== 'UNKNOWN' || !isDead(held, clock)) return held
    // After the UNKNOWN order’s last deadline, one lookup may show its outcome, so that the new order becomes possible.
    await locks.run(held.ref, () => look(journal.intents.get(held.ref) ?? held))
    return unresolved()
  }

  const prepare = async (ticket: OrderTicket): Promise<Result<PreparedOrder, Failure>> => {
    const connected = wallet.connected()
    if (!connected.ok) return connected
    const { address } = connected.value
    if (!journal.takesNewRisk() && !endsRisk(ticket)) return fail(heldBack(journal))
    const held = await heldBy(ticket, address)
    if (held !== null) return fail(heldByUnknown(held, clock.now()))
    const market = await marketOf(ticket)
    if (!market.ok) return market
    const permitOffered = 'permit' in ticket && ticket.permit ? await calls.permitOffered() : null
    const [issue] = checkAction(ticket, { market: market.value, mark: null, permitOffered })
    if (issue !== undefined) return fail({ kind: 'bad_input', field: issue.field, issue: issue.issue })
    const rail = await riskLimits.check(ticket, address)
    if (rail !== null) return fail(rail)
    const action = actionOf(ticket)
    const credential = await credentials.forScope(address, preparedActions[action])
    if (!credential.ok) return credential

    const clientOrderId = takesOrderId(ticket) ? (ticket.clientOrderId ?? `desk-${newId().slice(0, 20)}`) : null
    const body = preparedBody(ticket, clientOrderId ?? '')
    const names = fieldMap.names()
    const row = journal.intents.plan({
      ref: newId(),
      profileId: profile.id,
      wallet: address,
      action,
      clientOrderId,
      title: titleOf(ticket, market.value?.priceDecimals ?? null),
      pairId: pairOf(ticket),
      symbol: market.value?.symbol ?? null,
      side: sideOf(ticket),
      idempotencyKey: `desk-${newId()}`,
      body: JSON.stringify(namedPrepared(body, names)),
      ticket: JSON.stringify(ticket),
    })
    return send(row, credential.value, sentByPrepare(body, names))
  }

  const send = async (row: IntentRow, credential: KeyCredential, sent: readonly SentField[]): Promise<Result<PreparedOrder, Failure>> => {
    const pressed = endsRiskOf(row) ? 'exit' : 'user'
    const { answer, lost } = await resent(pressed, (urgency) => calls.prepare(row, credential, urgency), sleep)
    if (!answer.ok) return refused(row, { ...answer.failure, failure: taught(answer.failure, sent) }, lost || answer.failure.sent === 'maybe')

    const { value, raw, requestId, receivedAtMs } = answer.value
    const checked = await verify({ ...row, intentId: value.intentId }, value)
    const replayed = value.idempotentReplay === true
    const { way, typedData, deadlineMs } = checked
    const prepared = keptPreparation(raw, value, { payload: sentPayload(row.body), typedData })
    const change = { intentId: value.intentId, prepared, way, typedData, deadlineMs }
    const note: StepNote | undefined = replayed ? { code: 'already_prepared' } : undefined
    const toSend = checked.blocked === null ? plannedOf(checked) : []
    let moved = await repository.move(row.ref, 'PREPARED', change, note, () => journal.transactions.plan(row.ref, toSend))
    // End the intent if there is nothing to sign, or if the preparation differs from the user’s order (Flow rules 1).
    const reason: IntentReason = checked.blocked ?? checked.reason?.why ?? { code: 'service_answered', status: checked.status }
    if (checked.expired) moved = await repository.move(row.ref, 'EXPIRED', { reason })
    else if (!checked.ready || checked.blocked !== null)
      moved = await repository.move(row.ref, 'REFUSED', { reason }, said(checked.reason?.raw ?? checked.status))
    return ok(await view(moved, checked, { replayed, receivedAtMs, requestId }))
  }

  const refused = async (row: IntentRow, { failure, sent }: ApiFailure, lost: boolean): Promise<Result<PreparedOrder, Failure>> => {
    if (failure.kind === 'idempotency_conflict') {
      await repository.move(row.ref, 'REFUSED', { reason: { code: 'prepare_key_conflict' } }, said(failure.code))
      // The service already has an intent with this id, so do not retry the request. The user can open the earlier intent.
      const earlierId = await calls.earlier(row)
      const earlier = earlierId === null ? null : journal.intents.byIntentId(profile.id, earlierId)
      return fail({ ...failure, intentRef: earlier?.ref ?? row.ref })
    }
    // The service validates the body before it checks the idempotency key (Idempotency rules 5). So the refusal of a retry proves nothing about the
    // lost first request. The app can end the intent safely, because it has never asked the wallet to sign.
    const code = failure.kind === 'unreadable' ? 'prepare_unreadable' : sent === 'answered' ? 'prepare_refused' : 'prepare_not_answered'
    await repository.move(row.ref, code === 'prepare_refused' ? 'REFUSED' : 'CANCELLED', { reason: { code, earlier: lost } }, said(failure.kind))
    return fail(leavesUnknown(failure) ? { ...failure, intentRef: row.ref } : failure)
  }
  return { prepare, view }
}

/** The transactions to journal, with exactly the data that the app compared with the ticket. */
const plannedOf = ({ steps, prepared: { execution } }: Verification): PlannedTransaction[] =>
  steps.flatMap(({ transaction }, index) => {
    const { kind = null, deadlineMs = null } = execution.transactions?.[index] ?? {}
    return transaction === null ? [] : [{ ...transaction, kind, deadlineMs }]
  })

const calldata = /^0x(?:[0-9a-fA-F]{2})*$/
/** Maximum length of a token name that the app stores unchanged. Secrets are longer, so a text of this length is no secret. */
const longestTokenName = 16

const recordIn = (source: unknown, name: string): Record<string, unknown> | null => {
  const found = isRecord(source) ? findField(source, [name])?.value : undefined
  // The cast is safe: this module created the object itself by parsing text.
  return isRecord(found) ? (found as Record<string, unknown>) : null
}

const restore = (target: unknown, name: string, value: unknown): void => {
  const found = isRecord(target) ? findField(target, [name]) : null
  if (found !== null) Object.assign(target as object, { [found.name]: value })
}

/**
 * The text of a preparation for the journal: `raw`, in which secrets were already removed, with all values restored that the app compares again
 * before it signs or sends anything: the message that it has checked, the calldata, which looks like a signature, the payload's values that the app
 * itself sent, and the token name of a deposit. Otherwise the app could never sign a message with a field named `token`, or close a position whose id
 * looks like a key.
 */
export function keptPreparation(
  raw: string,
  { payload, execution }: PreparedAction,
  sent: { readonly payload: Readonly<Record<string, unknown>> | null; readonly typedData: string | null } = { payload: null, typedData: null },
): string {
  const kept = parseJson(raw) ?? JSON.parse(raw)
  const token = payload === null ? undefined : findField(payload, ['token'])?.value
  if (typeof token === 'string' && token.length <= longestTokenName && redactText(token) === token) restore(recordIn(kept, 'payload'), 'token', token)
  const own = new Set(Object.values(sent.payload ?? {}))
  for (const [name, value] of Object.entries(payload ?? {})) if (typeof value === 'string' && own.has(value)) restore(recordIn(kept, 'payload'), name, value)
  const within = recordIn(kept, 'execution')
  if (sent.typedData !== null) restore(within, 'typed_data', JSON.parse(sent.typedData))
  const listed = within === null ? null : findField(within, ['transactions'])?.value
  const read = execution.transactions ?? []
  if (!Array.isArray(listed) || listed.length !== read.length) return JSON.stringify(kept)
  for (const [index, { data }] of read.entries()) if (data !== null && calldata.test(data)) restore(listed[index], 'data', data)
  return JSON.stringify(kept)
}

/** The services that all parts of the order flow use. */
export interface OrderParts extends EngineParts {
  readonly trust: Trust
  readonly tokens: TrustedTokens
  readonly markets: Pick<Markets, 'market' | 'known' | 'forExit'>
  readonly riskLimits: Pick<RiskLimitsService, 'check'>
  readonly verify: Verify
  readonly fieldMap: Pick<FieldMapService, 'names'>
}

/** The status of a transaction that is not in the journal because the app never sends it. */
const unsent = { state: 'waiting', txHash: null, confirmations: null, reason: null } as const

/** Index of the first transaction that the wallet has not sent yet; null if there is none or the intent has ended. */
function nextOf({ state }: IntentRow, rows: readonly TransactionRow[]): number | null {
  if (state !== 'PREPARED' && state !== 'ASKED') return null
  return rows.find((row) => row.state === 'waiting' || row.state === 'asked')?.position ?? null
}

/** The phrase that the user must type for a transaction. null if the user already types another phrase, to accept the signing format. */
const besidesFormat = ({ compared, expectedPhrase }: Pick<ExplainedTransaction, 'compared' | 'expectedPhrase'>): string | null =>
  compared.comparison.asks?.kind === 'format' ? null : expectedPhrase
