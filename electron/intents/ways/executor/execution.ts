import { namedDelegated, sentByExecute } from '../../../../shared/field-map/sent-names.ts'
import type { Failure } from '../../../../shared/ipc/failure.ts'
import type { Intent } from '../../../../shared/ipc/intents/orders.ts'
import type { PlainReason } from '../../../../shared/ipc/intents/reasons.ts'
import type { DelegatedTicket } from '../../../../shared/ipc/intents/tickets.ts'
import { fail, ok, type Result } from '../../../../shared/result.ts'
import { checkDelegated, factsOfDelegated, type MarketNow } from '../../../../shared/ticket/delegated/delegated-facts.ts'
import { delegatedBody, scopesOfDelegated } from '../../../../shared/ticket/delegated/delegated-payload.ts'
import type { Handlers } from '../../../kernel/handlers.ts'
import type { ProfileFacts } from '../../../kernel/profile-facts.ts'
import type { Markets } from '../../../reads/markets/markets.ts'
import type { ServiceClock } from '../../../service/api/vital-signs.ts'
import type { Credentials } from '../../../service/credentials/credentials.ts'
import type { FieldMapBook } from '../../../service/field-names/field-map.ts'
import type { KeyCredential } from '../../../service/transport/api-client.ts'
import { heldBack, type IntentRow, type Journal } from '../../../store/journal/journal.ts'
import type { WalletReport } from '../../../wallet/connection/wallet.ts'
import { createFollowFinality } from '../../engine/finality.ts'
import type { IntentBook } from '../../engine/intent-book.ts'
import type { IntentCalls } from '../../engine/intent-calls.ts'
import { columnsOf, delegatedOf, endsRiskOnly, itemTitles, subjectsOfDelegated } from '../../engine/intent-facts.ts'
import type { NamedLocks } from '../../engine/intent-locks.ts'
import type { Way } from '../../engine/tracker.ts'
import { heldByUnknown, unresolvedIntent } from '../../engine/way-out.ts'
import type { Guards } from '../../risk-limits/guards.ts'
import { everyMs } from '../signed/signed.ts'
import { createExecutionRecords, createFollowCommand, createLookUpExecution, keyOf } from './follow-execution.ts'
import { createDryRun, createSending, replayableMs } from './send-execution.ts'
import { chooseKey, createWays } from './ways.ts'

export interface ExecutionDeps {
  readonly profile: ProfileFacts
  readonly calls: IntentCalls
  /** What is followed is read by itself; sending it again is what somebody waits for. */
  readonly polled: IntentCalls
  readonly journal: Journal
  readonly book: IntentBook
  readonly locks: NamedLocks
  readonly credentials: Credentials
  readonly wallet: WalletReport
  readonly markets: Pick<Markets, 'market' | 'known' | 'forExit'>
  readonly guards: Pick<Guards, 'checkDelegated'>
  readonly fieldMap: Pick<FieldMapBook, 'names'>
  /** The service's time. */
  readonly clock: ServiceClock
  readonly newId: () => string
  readonly sleep: (ms: number) => Promise<void>
}

export interface ExecutionService {
  readonly way: Way
  readonly handlers: Handlers<'intents.execute' | 'intents.dryRun' | 'intents.execution' | 'intents.replay' | 'intents.ways'>
}

/** Orders that the executor of a key carries out, without the wallet: from the ticket to FINAL. Prepared by nobody (GEN-06, ORD-13). */
export function createExecution({ calls, polled, sleep, ...given }: ExecutionDeps): ExecutionService {
  const { profile, journal, book, locks, credentials, wallet, markets, guards, clock, newId } = given
  const records = createExecutionRecords({ records: journal.records, profileId: profile.id })
  const { send, replay } = createSending({ journal, book, calls, sleep })
  const follow = createFollowCommand({
    book,
    calls: polled,
    records,
    followFinality: createFollowFinality({ book, calls: polled, clock }),
  })
  const lookUp = createLookUpExecution({ book, calls: polled, records, credentials, replay, clock })
  const dryRun = createDryRun({ calls, fieldMap: given.fieldMap, newId })
  const ways = createWays({ credentials, wallet })

  /** The wallet that an execution is for: it need not be connected, since it signs nothing. */
  const owner = (): Result<string, Failure> => {
    const whose = wallet.shown()
    if (!whose.ok) return whose
    return whose.value === null ? fail({ kind: 'no_wallet' }) : ok(whose.value)
  }

  /** Held against the rules of its markets. Nothing keeps what ends risk back where they cannot be read. */
  const check = async (ticket: DelegatedTicket): Promise<Result<void, Failure>> => {
    const known = new Map<number, MarketNow | null>()
    for (const { pairId } of factsOfDelegated(ticket)) {
      if (pairId === null || known.has(pairId)) continue
      const market = endsRiskOnly(ticket) ? ok(await markets.forExit(pairId)) : await markets.market(pairId)
      if (!market.ok) return market
      known.set(pairId, market.value === null ? null : { market: market.value, mark: null })
    }
    const [issue] = checkDelegated(ticket, (pairId) => known.get(pairId) ?? null)
    return issue === undefined ? ok(undefined) : fail({ kind: 'bad_input', field: issue.field, issue: `form ${issue.text}` })
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
    const rail = await guards.checkDelegated(ticket, address)
    if (rail !== null) return fail(rail)
    // Without waiting between the look and the journalling, so that of two presses the second finds the first.
    const held = unresolvedIntent(journal, profile.id, address, subjectsOfDelegated(ticket))
    if (held !== null) return fail(heldByUnknown(held, clock.now()))
    const idempotencyKey = `desk-${newId()}`
    const body = delegatedBody(ticket, idempotencyKey, false)
    const names = given.fieldMap.names()
    const row = journal.intents.plan({
      ref: newId(),
      profileId: profile.id,
      wallet: address,
      idempotencyKey,
      body: JSON.stringify(namedDelegated(body, names)),
      way: 'executor',
      ...columnsOf(ticket, markets.known),
    })
    records.begin(row.ref, { keyId: credential.keyId, keyLabel: credential.label, executor: credentials.facts(credential.keyId)?.executor ?? null })
    return locks.run(row.ref, () => send(row, credential, sentByExecute(body, names)))
  }

  const replayed = async (ref: string): Promise<Result<Intent, Failure>> => {
    const row = shown(ref)
    if (!row.ok) return row
    const { state, createdAtMs } = row.value
    if (state !== 'UNKNOWN') return fail({ kind: 'wrong_state', state, wanted: 'UNKNOWN' })
    if (clock.now() > createdAtMs + replayableMs) return fail({ kind: 'expired', what: 'request', atMs: createdAtMs + replayableMs })
    if (!journal.takesNewRisk() && !endsRiskOnly(delegatedOf(row.value))) return fail(heldBack(journal))
    // It may be this sending that carries it out.
    const rail = await guards.checkDelegated(delegatedOf(row.value), row.value.wallet)
    if (rail !== null) return fail(rail)
    const key = await keyOf(row.value, { records, credentials })
    if (key === null) return fail({ kind: 'api_key_required', scope: 'trade:execute' })
    return ok(book.view(await replay(row.value, key)))
  }

  /** An execution of the wallet whose data is shown. */
  const shown = (ref: string): Result<IntentRow, Failure> => {
    const address = owner()
    if (!address.ok) return address
    const row = book.findOf(ref, address.value)
    return !row.ok || row.value.way === 'executor' ? row : fail({ kind: 'not_found', what: 'intent' })
  }

  const found = (row: IntentRow, to: 'CANCELLED' | 'UNKNOWN', code: PlainReason) => book.move(row.ref, to, { reason: { code } }, { code: 'found_at_start' })

  return {
    way: {
      everyMs,
      lookUp: (row) => (row.state === 'UNKNOWN' ? lookUp(row) : follow(row)),
      // It has no deadline: the exchange remembers it for a day.
      late: async (row) => row,
      recover: async (row) => {
        if (row.state === 'PLANNED') return found(row, 'CANCELLED', 'stopped_before_execution')
        return row.state === 'SENT' ? found(row, 'UNKNOWN', 'stopped_before_execution_answer') : row
      },
    },
    handlers: {
      'intents.execute': ({ ticket, keyId }) => execute(ticket, keyId),
      'intents.dryRun': async ({ ticket, keyId }) => {
        const able = await keyFor(ticket, keyId)
        return able.ok ? dryRun(ticket, itemTitles(ticket, markets.known), able.value.credential) : able
      },
      'intents.execution': async ({ ref }) => {
        const row = shown(ref)
        if (!row.ok) return row
        const record = records.of(ref)
        const { commandId, txHash, state, createdAtMs } = row.value
        const blank = { state: null, reason: null, orderId: null, positionId: null }
        return ok({
          ...{ commandId, txHash, state: record?.state ?? null, keyLabel: record?.keyLabel ?? null, executor: record?.executor ?? null },
          items: itemTitles(delegatedOf(row.value), markets.known).map((item) => ({
            ...blank,
            ...record?.items.find(({ index }) => index === item.index),
            ...item,
          })),
          unknownFields: record?.unknownFields ?? null,
          readAtMs: record?.readAtMs ?? null,
          replayUntilMs: state === 'UNKNOWN' && clock.now() < createdAtMs + replayableMs ? createdAtMs + replayableMs : null,
        })
      },
      'intents.replay': ({ ref }) => locks.run(ref, () => replayed(ref)),
      'intents.ways': async ({ ticket }) => {
        const whose = wallet.shown()
        return whose.ok ? ok(ways(ticket, whose.value)) : whose
      },
    },
  }
}
