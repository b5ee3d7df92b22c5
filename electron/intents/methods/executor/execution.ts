import { preparedActions } from '../../../../shared/api/actions.ts'
import { type DelegatedStatus, unknownOfDelegated } from '../../../../shared/api/schemas/intents.ts'
import type { Scope } from '../../../../shared/api/scopes.ts'
import { namedDelegated, type SentField, sentByExecute, sentName } from '../../../../shared/field-map/sent-names.ts'
import type { Failure } from '../../../../shared/ipc/failure.ts'
import type { DryRun, ExecutionMethods, ExecutorChoice } from '../../../../shared/ipc/intents/execution.ts'
import { leavesUnknown } from '../../../../shared/ipc/intents/intent-states.ts'
import type { Intent } from '../../../../shared/ipc/intents/orders.ts'
import { type IntentReason, type PlainReason, type StepNote, said } from '../../../../shared/ipc/intents/reasons.ts'
import type { DelegatedTicket, OrderTicket } from '../../../../shared/ipc/intents/tickets.ts'
import { fail, ok, type Result, valueOrNull } from '../../../../shared/result.ts'
import { actionOf } from '../../../../shared/ticket/actions/check-action.ts'
import { checkDelegated, delegate, type MarketNow } from '../../../../shared/ticket/delegated/check-delegated.ts'
import { factsOfDelegated } from '../../../../shared/ticket/delegated/delegated-facts.ts'
import { delegatedBody, scopesOfDelegated } from '../../../../shared/ticket/delegated/delegated-payload.ts'
import { hour, minute } from '../../../../shared/time.ts'
import type { Handlers } from '../../../kernel/handlers.ts'
import { outcomeOf, resent } from '../../../service/api/call-outcome.ts'
import type { Credentials, KeyFacts } from '../../../service/credentials/credentials.ts'
import { taught } from '../../../service/field-names/named-call.ts'
import type { KeyCredential } from '../../../service/transport/api-client.ts'
import { heldBack, type IntentRow, type Journal } from '../../../store/journal/journal.ts'
import type { ExecutionRecord } from '../../../store/records/intent-records.ts'
import { shownOwner } from '../../../wallet/connection/wallet.ts'
import type { PartsWith } from '../../engine/engine-parts.ts'
import { createFollowFinality, executionLivesMs } from '../../engine/finality.ts'
import type { IntentCalls } from '../../engine/intent-calls.ts'
import { clientOrderIdsOf, columnsOf, delegatedOf, endsRiskOf, endsRiskOnly, itemTitles, subjectsOfDelegated } from '../../engine/intent-facts.ts'
import { heldByUnknown, unresolvedIntent } from '../../engine/resolve-unknown.ts'
import type { OrderParts } from '../../prepare/prepare.ts'
import type { RiskLimitsService } from '../../risk-limits/risk-limits.ts'
import { everyMs } from '../signed/signed.ts'

const unread: Omit<ExecutionRecord, 'keyId'> = { keyLabel: null, executor: null, state: null, reason: null, items: [], unknownFields: null, readAtMs: null }

interface ExecutionDeps extends Omit<OrderParts, 'riskLimits'>, Pick<ExecutorMethodDeps, 'polled'> {
  readonly riskLimits: Pick<RiskLimitsService, 'checkDelegated'>
}

/**
 * Executes orders through a key’s executor, without the wallet, from the ticket to FINAL. The service does not prepare such orders (GEN-06,
 * ORD-13).
 */
export function createExecution(deps: ExecutionDeps) {
  const { profile, journal, repository, calls, locks, credentials, wallet, markets, riskLimits, fieldMap, clock, newId } = deps
  const method = createExecutorMethod(deps)

  /** The wallet for which the executor acts: the connected wallet, or else the last used one. It need not be connected, because it signs nothing. */
  const owner = () => shownOwner(wallet)

  /** Checks a ticket against the rules of its markets. A ticket that ends risk is allowed even if a market’s rules cannot be read. */
  const check = async (ticket: DelegatedTicket): Promise<Result<void, Failure>> => {
    const known = new Map<number, MarketNow | null>()
    for (const { pairId } of factsOfDelegated(ticket)) {
      if (pairId === null || known.has(pairId)) continue
      const market = endsRiskOnly(ticket) ? ok(await markets.forExit(pairId)) : await markets.market(pairId)
      if (!market.ok) return market
      known.set(pairId, market.value === null ? null : { market: market.value, mark: null })
    }
    const [issue] = checkDelegated(ticket, (pairId) => known.get(pairId) ?? null)
    return issue === undefined ? ok(undefined) : fail({ kind: 'bad_input', field: issue.field, issue: issue.issue })
  }

  const keyFor = async (ticket: DelegatedTicket, keyId: string | null): Promise<Result<{ address: string; credential: KeyCredential }, Failure>> => {
    const address = owner()
    if (!address.ok) return address
    const checked = await check(ticket)
    if (!checked.ok) return checked
    const credential = await chooseKey(credentials, address.value, scopesOfDelegated(ticket), keyId)
    return credential.ok ? ok({ address: address.value, credential: credential.value }) : credential
  }

  const execute = async (ticket: DelegatedTicket, keyId: string | null): Promise<Result<Intent, Failure>> => {
    if (!journal.takesNewRisk() && !endsRiskOnly(ticket)) return fail(heldBack(journal))
    const able = await keyFor(ticket, keyId)
    if (!able.ok) return able
    const { address, credential } = able.value
    const rail = await riskLimits.checkDelegated(ticket, address)
    if (rail !== null) return fail(rail)
    // Make no `await` between this check and the journal entry. Otherwise, a double click could send the order twice.
    const held = unresolvedIntent(journal, profile.id, address, subjectsOfDelegated(ticket))
    if (held !== null) return fail(heldByUnknown(held, clock.now()))
    const idempotencyKey = `desk-${newId()}`
    const body = delegatedBody(ticket, idempotencyKey, false)
    const names = fieldMap.names()
    const row = journal.intents.plan({
      ref: newId(),
      profileId: profile.id,
      wallet: address,
      idempotencyKey,
      body: JSON.stringify(namedDelegated(body, names)),
      way: 'executor',
      ...columnsOf(ticket, markets.known),
    })
    // Write the journal before sending the request, because a repeated request must use the same idempotency key (Idempotency rules 2).
    journal.records.executions.write(
      { profile: profile.id, ref: row.ref },
      { ...unread, keyId: credential.keyId, keyLabel: credential.label, executor: credentials.facts(credential.keyId)?.executor ?? null },
    )
    return repository.shown(await locks.run(row.ref, () => method.send(row, credential, sentByExecute(body, names))))
  }

  const replayed = async (ref: string): Promise<Result<Intent, Failure>> => {
    const row = shown(ref)
    if (!row.ok) return row
    const { state, createdAtMs } = row.value
    if (state !== 'UNKNOWN') return fail({ kind: 'wrong_state', state, wanted: 'UNKNOWN' })
    if (clock.now() > createdAtMs + replayableMs) return fail({ kind: 'expired', what: 'request', atMs: createdAtMs + replayableMs })
    if (!journal.takesNewRisk() && !endsRiskOf(row.value)) return fail(heldBack(journal))
    // If the first request was lost, the repeated request executes the order for the first time. So check the risk limits again.
    const rail = await riskLimits.checkDelegated(delegatedOf(row.value), row.value.wallet)
    if (rail !== null) return fail(rail)
    const key = await method.keyOf(row.value)
    if (key === null) return fail({ kind: 'api_key_required', scope: 'trade:execute' })
    return ok(repository.view(await method.replay(row.value, key)))
  }

  /** Returns an execution of the wallet that the window shows. */
  const shown = (ref: string): Result<IntentRow, Failure> => {
    const address = owner()
    if (!address.ok) return address
    const row = repository.findOf(ref, address.value)
    return !row.ok || row.value.way === 'executor' ? row : fail({ kind: 'not_found', what: 'intent' })
  }

  /**
   * Asks the service to validate a ticket without executing it. Uses its own idempotency key. With the order’s key, the service would answer the
   * later order with the response to this dry run.
   */
  const dryRun = async (ticket: DelegatedTicket, credential: KeyCredential): Promise<Result<DryRun, Failure>> => {
    const names = fieldMap.names()
    const body = delegatedBody(ticket, `desk-dry-${newId()}`, true)
    const answer = await calls.dryRun(namedDelegated(body, names), credential)
    const titles = itemTitles(ticket, markets.known)
    if (answer.ok) {
      const { delegated, unknownFields } = answer.value.value
      const items = titles.map((title) => ({ ...title, verdict: 'valid' as const, issue: null }))
      return ok({ valid: true, failure: null, items, submittedCommandId: delegated?.commandId ?? null, unknownFields })
    }
    const failure = taught(answer.failure, sentByExecute(body, names))
    if (!judges(failure)) return fail(unlost(failure))
    const at = refusedAt(failure, ticket, sentName('batch', 'actions', names))
    const refused = { verdict: 'refused', issue: failure.kind === 'refused' ? (failure.message ?? failure.code) : null } as const
    const untold = { verdict: 'untold', issue: null } as const
    const items = titles.map((title) => ({ ...title, ...(title.index === at ? refused : untold) }))
    return ok({ valid: false, failure, items, submittedCommandId: null, unknownFields: null })
  }

  /** Lists the execution methods for a ticket. If a method is unusable now, adds the reason. Makes no calls to the service. */
  const methodsOf = (ticket: OrderTicket, address: string | null): ExecutionMethods => {
    const keys = address === null ? [] : credentials.usable(address)
    const isConnected = wallet.current() !== null
    const byWallet = { why: walletIssue(ticket, keys, isConnected) }
    const delegated = delegate(ticket)
    if (!delegated.ok) return { wallet: byWallet, executors: [], why: { code: 'not_delegated', issue: delegated.failure }, preferred: { by: 'wallet' } }
    const scopes = scopesOfDelegated(delegated.value)
    const executors = keys.map((key): ExecutorChoice => {
      const { keyId, label, executor } = key
      const scope = lackedScope(key, scopes)
      const why: ExecutorChoice['why'] = scope !== null ? { code: 'lacks_scope', label, scope } : executor === null ? { code: 'no_executor', label } : null
      return { keyId, label, executor, why }
    })
    const best = isConnected ? undefined : executors.find(({ why }) => why === null)
    const preferred: ExecutionMethods['preferred'] = best === undefined ? { by: 'wallet' } : { by: 'executor', keyId: best.keyId }
    return { wallet: byWallet, executors, why: executors.length === 0 ? { code: 'no_key' } : null, preferred }
  }

  const handlers: Handlers<'intents.execute' | 'intents.dryRun' | 'intents.execution' | 'intents.replay' | 'intents.methods'> = {
    'intents.execute': ({ ticket, keyId }) => execute(ticket, keyId),
    'intents.dryRun': async ({ ticket, keyId }) => {
      const able = await keyFor(ticket, keyId)
      return able.ok ? dryRun(ticket, able.value.credential) : able
    },
    'intents.execution': async ({ ref }) => {
      const row = shown(ref)
      if (!row.ok) return row
      const { commandId, txHash, createdAtMs } = row.value
      const record = recordOf(journal, row.value) ?? unread
      const blank = { state: null, reason: null, orderId: null, positionId: null }
      const untilMs = createdAtMs + replayableMs
      return ok({
        ...record,
        ...{ commandId, txHash },
        items: itemTitles(delegatedOf(row.value), markets.known).map((item) => ({
          ...blank,
          ...record.items.find(({ index }) => index === item.index),
          ...item,
        })),
        replayUntilMs: row.value.state === 'UNKNOWN' && clock.now() < untilMs ? untilMs : null,
      })
    },
    'intents.replay': ({ ref }) => locks.run(ref, () => replayed(ref)),
    'intents.methods': async ({ ticket }) => {
      const whose = wallet.shown()
      return whose.ok ? ok(methodsOf(ticket, whose.value)) : whose
    },
  }
  return { method, handlers }
}

/** Whether the service refused the order itself. False if the call failed for another reason. */
function judges(failure: Failure): boolean {
  if (failure.kind === 'refused') return failure.status !== 401 && failure.status !== 403 && failure.status < 500
  return failure.kind === 'price_deviation' || failure.kind === 'market_data_stale'
}

/** Converts a lost or unreadable answer to an ordinary failure. The outcome of a dry run is never unknown, because a dry run executes nothing. */
function unlost(failure: Failure): Failure {
  if (!leavesUnknown(failure)) return failure
  const { requestId, route } = failure
  return failure.kind === 'unreadable'
    ? { kind: 'unreachable', reason: 'malformed', status: failure.status, requestId, route }
    : { kind: 'unreachable', reason: 'timeout', status: null, requestId, route }
}

/** The index of the action that a refusal names, such as 1 for `payload.actions.1.payload.leverage`; null if the refusal names no action. */
function refusedAt(failure: Failure, ticket: DelegatedTicket, list: string): number | null {
  if (ticket.action !== 'batch') return 0
  if (failure.kind !== 'refused') return null
  // `list` is safe in a regular expression: it contains only letters, digits and underscores.
  const named = new RegExp(`\\b${list}[.[](\\d{1,2})`).exec(`${failure.message ?? ''} ${failure.raw ?? ''}`)?.[1]
  return named === undefined ? null : Number(named)
}

function walletIssue(ticket: OrderTicket, keys: ReturnType<Credentials['usable']>, isConnected: boolean): ExecutionMethods['wallet']['why'] {
  const scope = preparedActions[actionOf(ticket)]
  const [first] = keys
  if (!isConnected) return { code: 'no_wallet' }
  if (first === undefined) return { code: 'no_key' }
  return keys.every((key) => lackedScope(key, [scope]) !== null) ? { code: 'lacks_scope', label: first.label, scope } : null
}

/**
 * Returns the first of these scopes that the key lacks; null if it lacks none. Also null if the key’s scopes are unknown, because the service then
 * decides.
 */
const lackedScope = (key: KeyFacts, scopes: readonly Scope[]): Scope | null => scopes.find((scope) => key.scopes?.includes(scope) === false) ?? null

/**
 * Chooses the key for an executor’s order: the requested key, or else a key with all scopes, preferably one with a known executor. Fails with
 * `api_key_required`, `scope_missing` or `keychain`. The service checks whether the key has an executor, because the app’s list may be old.
 */
export async function chooseKey(
  credentials: Pick<Credentials, 'usable' | 'forKey'>,
  wallet: string,
  scopes: readonly Scope[],
  keyId: string | null,
): Promise<Result<KeyCredential, Failure>> {
  const keys = credentials.usable(wallet).filter((key) => keyId === null || key.keyId === keyId)
  const [first] = keys
  if (first === undefined) return fail({ kind: 'api_key_required', scope: scopes[0] ?? null })
  // Keys that certainly have the scopes come first, then keys whose scopes are unknown.
  const able = keys.filter((key) => lackedScope(key, scopes) === null).sort((a, b) => Number(a.scopes === null) - Number(b.scopes === null))
  const best = able.find(({ executor }) => executor !== null) ?? able[0]
  if (best === undefined) return fail({ kind: 'scope_missing', scope: lackedScope(first, scopes) ?? 'trade:execute', keyLabel: first.label })
  return credentials.forKey(wallet, best.keyId)
}

/**
 * How long (ms) after its creation the app may resend an order whose answer was lost. Resending may execute the order, so later only the user may
 * resend it.
 */
const promptMs = minute
/**
 * How long (ms) after its creation the user may resend an order. The service remembers idempotency keys for 24 hours (Idempotency rules 2). An hour
 * is left because clocks may differ.
 */
const replayableMs = 23 * hour

interface ExecutorMethodDeps extends PartsWith<'repository' | 'clock' | 'sleep', 'execute'> {
  readonly journal: Pick<Journal, 'state' | 'trouble' | 'records'>
  /**
   * Background calls at the polling rate, which read an order’s progress. To resend an order, the app uses `calls` instead, because the user waits.
   */
  readonly polled: Pick<IntentCalls, 'commandStatus' | 'listsOrder' | 'finality'>
  readonly credentials: Pick<Credentials, 'forKey'>
}

const recordOf = ({ records }: Pick<Journal, 'records'>, { profileId, ref }: IntentRow): ExecutionRecord | null =>
  records.executions.read({ profile: profileId, ref })

/** Sends executor orders, follows their progress, and finds the outcome of orders whose answer was lost. */
export function createExecutorMethod({ journal, repository, calls, polled, credentials, clock, sleep }: ExecutorMethodDeps) {
  const { executions } = journal.records
  const followFinality = createFollowFinality({ repository, calls: polled, clock })

  /** Stores the service’s results for each action. Returns whether anything has changed except the time of reading. */
  const learn = (row: IntentRow, status: DelegatedStatus, readAtMs: number): boolean => {
    const before = recordOf(journal, row)
    if (before === null) return false
    const next: ExecutionRecord = {
      ...before,
      state: status.state,
      reason: status.reason,
      // If the service does not number the results, use their position in the list.
      items: (status.results ?? []).map(({ index, state, reason, orderId, positionId }, place) => ({
        ...{ index: index ?? place, state, reason, orderId, positionId },
      })),
      unknownFields: unknownOfDelegated(status),
    }
    if (JSON.stringify(next) === JSON.stringify(before) && before.readAtMs !== null) return false
    executions.write({ profile: row.profileId, ref: row.ref }, { ...next, readAtMs })
    return true
  }

  const accepted = (ref: string, { delegated }: { readonly delegated: { readonly commandId: string | null; readonly txHash: string | null } | null }) => {
    const { commandId, txHash } = delegated ?? { commandId: null, txHash: null }
    if (commandId === null && txHash === null) return repository.move(ref, 'UNKNOWN', { reason: { code: 'execution_untraceable' } })
    const note: StepNote = commandId === null ? { code: 'taken_without_command' } : { code: 'command', id: commandId }
    return repository.move(ref, 'SUBMITTED', { commandId, txHash, reason: null }, note)
  }

  /**
   * Sends the same bytes again for an UNKNOWN intent (Idempotency rules 6). A refusal of this second request proves nothing about the first one
   * (Idempotency rules 5).
   */
  const replay = async (row: IntentRow, credential: KeyCredential): Promise<IntentRow> => {
    const answer = await calls.execute(row, credential, 'user')
    if (!answer.ok) return repository.note(row, { code: 'execution_asked_again' })
    const { delegated } = answer.value.value
    return delegated?.commandId == null && delegated?.txHash == null ? row : accepted(row.ref, answer.value.value)
  }

  /** The key that sent the execution; null if it is no longer usable on this computer. */
  const keyOf = async (row: IntentRow): Promise<KeyCredential | null> => {
    const record = recordOf(journal, row)
    return record === null ? null : valueOrNull(await credentials.forKey(row.wallet, record.keyId))
  }

  /**
   * Reads a command’s status, stores the result of each action, and follows the transaction to FINAL (Flow rules 6, FLOW-06). The window shows an
   * unknown state unchanged. Neither an unknown state nor a failed call changes the intent’s state.
   */
  const follow = async (row: IntentRow): Promise<IntentRow> => {
    if (row.commandId === null) return followFinality(row)
    const answer = await polled.commandStatus(row, row.commandId)
    if (!answer.ok) {
      const { kind } = answer.failure.failure
      if (row.state === 'SUBMITTED' && (kind === 'api_key_required' || kind === 'scope_missing')) return repository.note(row, { code: 'no_key_to_read' })
      return followFinality(row)
    }
    const status = answer.value.value
    const isNew = learn(row, status, answer.value.receivedAtMs)
    const hash = status.txHash ?? row.txHash
    const known = isNew || hash !== row.txHash ? repository.change(row.ref, { txHash: hash }) : row
    const { state } = status
    if (state?.toLowerCase() !== 'failed') {
      const partly = partialReason(status)
      const followed = await followFinality(known, partly)
      return partly !== null && (followed.state === 'CONFIRMING' || followed.state === 'FINAL') ? repository.note(followed, partly) : followed
    }
    const raw = status.reason ?? status.results?.find(({ reason }) => reason !== null)?.reason ?? null
    const reason: IntentReason = { code: 'nothing_executed', raw }
    // An execution without a transaction hash never reached the chain, so a reorganisation cannot affect it.
    if (known.txHash === null) return known.state === 'SUBMITTED' ? repository.move(row.ref, 'REFUSED', { reason }, said(state)) : known
    return known.state === 'REVERTED' ? known : repository.move(row.ref, 'REVERTED', { reason }, said(state))
  }

  /**
   * Finds the outcome of an UNKNOWN execution. In the first minute, the app sends the same bytes again. The exchange then repeats its first answer,
   * or executes a request that never arrived. Later, the app sends nothing automatically, because an order must not be executed hours later.
   * Instead, it searches the wallet’s orders, and the user may resend the request. The lists contain no transaction, so an order that has been
   * listed for a minute counts as final. The execution expires once the service has forgotten its idempotency key.
   */
  const lookUp = async (row: IntentRow): Promise<IntentRow> => {
    const age = clock.now() - row.createdAtMs
    const answered = row.reason?.code === 'execution_unreadable' || row.reason?.code === 'execution_listed'
    // Never resend an order that came from a backup (`restored`). The computer that made the backup may still resend it.
    if (age < promptMs && !answered && row.reason?.code !== 'restored') {
      const key = await keyOf(row)
      if (key !== null) return replay(row, key)
    }
    const ids = clientOrderIdsOf(row)
    const listed = ids.length === 0 ? null : await polled.listsOrder(row, ids)
    if (listed?.ok === true && listed.value) {
      // The list contains no block number. An order that is still listed after a minute counts as final, because the list would drop an order that
      // a reorganisation removed.
      const isLasting = row.reason?.code === 'execution_listed' && clock.now() - row.updatedAtMs > minute
      if (!isLasting) return repository.note(row, { code: 'execution_listed' })
      return repository.move(row.ref, 'FINAL', { reason: { code: 'execution_listed_final' } }, { code: 'found_in_orders' })
    }
    if (age > executionLivesMs && clock.known()) return repository.move(row.ref, 'EXPIRED', { reason: { code: 'execution_over' } })
    return row.reason?.code === 'execution_unreadable' || row.reason?.code === 'restored' ? row : repository.note(row, { code: 'execution_awaited' })
  }

  return {
    everyMs,
    lookUp: (row: IntentRow) => (row.state === 'UNKNOWN' ? lookUp(row) : follow(row)),
    // An execution has no deadline of its own. It stays open until the service forgets its idempotency key, after a day.
    recover: async (row: IntentRow) => {
      if (row.state === 'PLANNED') return repository.found(row, 'CANCELLED', 'stopped_before_execution')
      return row.state === 'SENT' ? repository.found(row, 'UNKNOWN', 'stopped_before_execution_answer') : row
    },
    keyOf,
    replay,
    /** Sends a PLANNED intent for the first time. `sent`: the fields of the request whose names the API document does not show. */
    send: async (row: IntentRow, credential: KeyCredential, sent: readonly SentField[]): Promise<Result<IntentRow, Failure>> => {
      const { ref } = row
      // Write the journal before sending the request, because from then on the executor may have the order.
      await repository.move(ref, 'SENT', { reason: null }, { code: 'to_executor' })
      if (journal.state() === 'memory_only' && !endsRiskOf(row)) {
        await repository.move(ref, 'CANCELLED', { reason: { code: 'execution_disk_full' } })
        return fail(heldBack(journal))
      }
      const pressed = endsRiskOf(row) ? 'exit' : 'user'
      const { answer, lost } = await resent(pressed, (urgency) => calls.execute(row, credential, urgency), sleep)
      if (answer.ok) return ok(await accepted(ref, answer.value.value))
      const { failure } = answer.failure
      const outcome = outcomeOf(answer.failure)
      // The service validates the body before it checks the idempotency key. So if it refuses a retry, the lost first request may still have
      // succeeded.
      if (lost || outcome === 'unknown') {
        // After an unreadable answer, the app does not resend the request, because it would get the same answer. It only looks for the outcome.
        const code = failure.kind === 'unreadable' ? 'execution_unreadable' : 'execution_lost'
        return ok(await repository.move(ref, 'UNKNOWN', { reason: { code } }, said(failure.kind)))
      }
      if (outcome === 'not_sent') {
        await repository.move(ref, 'CANCELLED', { reason: { code: 'execution_not_reached' } }, said(failure.kind))
        return fail(failure)
      }
      await repository.move(ref, 'REFUSED', { reason: refusedFor(failure) }, said(failure.kind))
      return fail(taught(answer.failure, sent))
    },
  }
}

function partialReason({ state, results }: DelegatedStatus): IntentReason | null {
  if (state?.toLowerCase() !== 'partially_executed') return null
  const all = results ?? []
  if (all.length === 0) return { code: 'execution_unnamed_part' }
  const failed = all.filter((result) => result.state?.toLowerCase() === 'failed')
  return { code: 'partly_executed', actions: all.length, failed: failed.length, raw: failed[0]?.reason ?? null }
}

/** The reasons for refusals that the app can explain. */
const refusals: Partial<Readonly<Record<Failure['kind'], PlainReason>>> = {
  executor_required: 'no_executor',
  idempotency_conflict: 'execution_key_conflict',
  rate_limited: 'execution_rate_limited',
}

function refusedFor(failure: Failure): IntentReason {
  const code = refusals[failure.kind]
  return code === undefined ? { code: 'execution_refused', by: failure.kind === 'refused' ? failure.code : null } : { code }
}
