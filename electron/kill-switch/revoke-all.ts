import { csvTable } from '../../shared/csv.ts'
import type { Failure } from '../../shared/ipc/failure.ts'
import type { Attention } from '../../shared/ipc/host/app.ts'
import type { BulkDetail, RevokeAllRow, RevokeAllState } from '../../shared/ipc/intents/kill-switch.ts'
import { revokeAllPhrase } from '../../shared/phrases.ts'
import { fail, ok, type Result } from '../../shared/result.ts'
import { bulkDetailText, killSwitchWords } from '../../shared/text/kill-switch-text.ts'
import { minute, second } from '../../shared/time.ts'
import type { HandlersOf } from '../kernel/handlers.ts'
import type { KeyWork } from '../keys/keys.ts'
import { outcomeOf } from '../service/api/call-outcome.ts'
import type { SessionCredential } from '../service/transport/api-client.ts'
import type { RevokeAllRecord } from '../store/records/intent-records.ts'
import { createKeptRecord } from '../store/records/kept-record.ts'
import { type Bulk, type BulkDeps, type By, createBulk, timeOf, typedIssue } from './bulk-run.ts'

export interface RevokeAllDeps extends KeyWork, Pick<BulkDeps, 'chooseReport'> {
  readonly sleep: (ms: number) => Promise<void>
}

export type RevokeAll = ReturnType<typeof createRevokeAll>

type WaitsFor = 'sign_in' | 'wallet' | 'service'

const firstPauseMs = second
/** The longest pause that the app makes without asking the user. If the service asks for a longer pause, the user decides when to continue. */
const longestPauseMs = minute

/**
 * Revokes many keys after one confirmation. If one key fails, continues with the others. Repeats requests that are safe to repeat (KEY-09), and
 * resumes after a crash.
 * Never waits for this computer: a revocation continues even if the disk is full, the journal was rebuilt or the keychain does not respond.
 */
export function createRevokeAll(deps: RevokeAllDeps) {
  const { profile, journal, credentials, calls, list, wallet, signIn, clock, emit, sleep, newId } = deps
  let tidying: Promise<void> = Promise.resolve()
  let held: { readonly wallet: string; readonly session: SessionCredential } | null = null
  let askedToWaitMs = 0

  const bulk: Bulk<RevokeAllRow, RevokeAllRecord, WaitsFor> = createBulk(
    {
      name: 'revoke all',
      kept: createKeptRecord(journal.records.revokeAllRuns, { profile: profile.id }),
      idOf: ({ keyId }) => keyId,
      isLeft: ({ outcome }) => outcome === 'waiting' || outcome === 'unknown',
      shownBy: ['revokeAll.state', 'revokeAll.report'],
      rounds: 5,
      // The app’s limiter keeps these requests below the service’s limit of 10 per second (LIM-01).
      asksAtOnce: 3,
      round: async (at, by) => {
        if (at > 0 && bulk.left().length > 0) {
          if (askedToWaitMs > longestPauseMs) return ok([])
          // Wait before reading the key list, because the API client reads nothing from a host right after lost responses.
          await sleep(Math.max(askedToWaitMs, firstPauseMs * 2 ** (at - 1)))
          await compare()
        }
        askedToWaitMs = 0
        return ok(bulk.left().map((row) => () => revoke(row, by)))
      },
      through: () => {
        if (bulk.left().length > 0) return 'service'
        bulk.end()
        return null
      },
      rested: () => {
        tidyUp()
        emit({ type: 'invalidate', queries: ['keys.list', 'keys.unmatched', 'replacements.list', 'markets.list', 'app.attention', 'activity.secrets'] })
      },
      report: ({ steps }) => ({ fileName: 'revoked', table: csvTable(columns, steps.map(lineOf)) }),
    },
    deps,
  )

  /**
   * Returns the session of the wallet that started the run. If there is none, returns what is missing: `wallet` if another wallet is connected, or
   * `sign_in`.
   */
  const sessionNow = async (): Promise<SessionCredential | 'wallet' | 'sign_in'> => {
    const owner = bulk.last()?.wallet ?? ''
    try {
      const signed = await signIn()
      if (!signed.ok) return signed.failure.kind === 'no_wallet' ? 'wallet' : 'sign_in'
      if (signed.value.wallet !== owner) return 'wallet'
      held = signed.value
      return signed.value.session
    } catch {
      // The app can read neither keychain nor journal, so use the session that it read earlier in this run. The service decides whether that
      // session is still valid.
      return held?.wallet === owner ? held.session : 'sign_in'
    }
  }

  const revoke = async ({ keyId, label }: RevokeAllRow, by: By): Promise<WaitsFor | null> => {
    const session = await sessionNow()
    if (session === 'wallet' || session === 'sign_in') return session
    const [id, operations, owner] = [newId(), journal.secretOperations, bulk.last()?.wallet ?? '']
    attempt(() => {
      operations.plan({ id, kind: 'revoke', label, keyId, profileId: profile.id, wallet: owner })
      operations.move(id, 'SENT')
    })
    const answer = await calls.revoke(session, keyId, by === 'user' ? 'exit' : 'user').catch(() => null)
    const became = (change: Partial<RevokeAllRow>) => bulk.change(keyId, { atMs: clock.now(), ...change })
    // The call threw an error, but the request may have reached the service. Mark the outcome as unknown, so that the app repeats the request and
    // checks the key list.
    if (answer === null) became({ outcome: 'unknown', detail: { code: 'app_failed' } })
    else if (answer.ok) {
      attempt(() => operations.move(id, 'SETTLED', { note: 'confirmed' }))
      became({ outcome: 'revoked', detail: null, requestId: answer.value })
    } else {
      const { failure, requestId = null, retryAfterMs } = answer.failure
      const isUnknown = outcomeOf(answer.failure) === 'unknown'
      attempt(() => operations.move(id, isUnknown ? 'UNKNOWN' : 'FAILED', { note: isUnknown ? 'revoke_unanswered' : failure.kind }))
      if (failure.kind === 'sign_in_required') return 'sign_in'
      askedToWaitMs = Math.max(askedToWaitMs, retryAfterMs ?? 0)
      became({ outcome: isUnknown ? 'unknown' : failure.kind === 'refused' ? 'refused' : 'waiting', detail: detailOf(failure), requestId })
    }
    return null
  }

  const compare = async (): Promise<void> => {
    const run = bulk.last()
    if (run === null || !bulk.left().some(({ outcome }) => outcome === 'unknown')) return
    const session = await sessionNow()
    if (session === 'wallet' || session === 'sign_in') return
    const listing = await list.read(session, run.wallet).catch(() => null)
    if (listing?.ok !== true) return
    for (const { keyId } of bulk.left())
      if (listing.value.keys.find(({ id }) => id === keyId)?.status === 'revoked')
        bulk.change(keyId, { outcome: 'revoked', detail: { code: 'listed_as_revoked' }, atMs: clock.now() })
  }

  /**
   * Removes the secrets of revoked keys. Runs after all revocations, because the keychain may not respond for a minute and must not delay a
   * revocation.
   */
  const tidy = async (): Promise<void> => {
    let removed = false
    for (const { keyId, outcome } of rows()) {
      if (bulk.isStopping() || outcome !== 'revoked' || credentials.whereIs(keyId) === 'elsewhere') continue
      const gone = await credentials.forget(keyId).then(
        (forgotten) => forgotten.ok,
        () => false,
      )
      removed ||= gone
      bulk.change(keyId, { leftInKeychain: !gone })
    }
    // Make the windows read the key list again, because the list that they last read still shows these secrets as stored here.
    if (removed) emit({ type: 'invalidate', queries: ['keys.list'] })
  }
  const tidyUp = () => {
    tidying = tidying.then(tidy).catch(() => undefined)
  }

  const rows = (): RevokeAllRow[] => bulk.last()?.steps ?? []

  const state = (): RevokeAllState => {
    const run = bulk.last()
    if (run === null) return { state: 'idle' }
    const { id, startedAtMs, endedAtMs, steps } = run
    const left = bulk.left().length
    const now = bulk.isRunning() ? 'running' : left === 0 ? 'done' : 'stopped'
    const count = (wanted: RevokeAllRow['outcome']) => steps.filter(({ outcome }) => outcome === wanted).length
    const counts = { total: steps.length, revoked: count('revoked'), refused: count('refused'), left }
    // A stopped run without a reason was interrupted because the app quit.
    return { state: now, id, startedAtMs, endedAtMs, ...counts, waitsFor: now === 'stopped' ? (bulk.waitsFor() ?? 'restart') : null }
  }

  const goOn = (): Result<RevokeAllState, Failure> => {
    bulk.go('user')
    return ok(state())
  }

  /** Starts the revocation without asking the user again. The caller must already have asked for the one confirmation. */
  const start = (keyIds: readonly string[]): Result<RevokeAllState, Failure> => {
    if (bulk.isRunning()) return fail({ kind: 'wrong_state', state: 'running', wanted: 'stopped' })
    const connected = wallet.connected()
    if (!connected.ok) return connected
    const blank = { outcome: 'waiting', detail: null, requestId: null, atMs: null, leftInKeychain: false } as const
    const steps = [...new Set(keyIds)].map((keyId): RevokeAllRow => ({ ...blank, keyId, label: attempt(() => credentials.facts(keyId)?.label) ?? keyId }))
    bulk.begin((begun) => ({ ...begun, wallet: connected.value.address, steps }))
    return goOn()
  }

  const handlers: HandlersOf<'revokeAll'> = {
    'revokeAll.state': () => ok(state()),
    'revokeAll.start': ({ keyIds, typed }) => {
      const issue = typedIssue(typed, revokeAllPhrase(new Set(keyIds).size))
      return issue === null ? start(keyIds) : fail(issue)
    },
    'revokeAll.resume': () => (bulk.left().length === 0 ? fail({ kind: 'not_found', what: 'revoke all' }) : goOn()),
    'revokeAll.report': () => ok(rows()),
    'revokeAll.saveReport': bulk.saveReport,
  }

  return {
    handlers,
    start,
    state,
    rows,
    attention: (address: string): Attention[] => {
      const row = bulk.attention(address)
      return row === null || row.left === 0 || bulk.isRunning() ? [] : [{ ...row, kind: 'revoke_all_unfinished', to: '/keys/revoke-all' }]
    },
    /** Removes the secrets of revoked keys that the previous run of the app could not remove. */
    recover: tidyUp,
    /** Removes the session from memory, but not while a revocation runs: if the keychain fails, the revocation needs the session in memory. */
    rest: () => {
      if (!bulk.isRunning()) held = null
    },
    stop: bulk.stop,
    settled: async () => {
      await bulk.settled()
      await tidying
    },
  }
}

/**
 * Reads a value from the journal or the keychain. Returns undefined if the read fails, because a problem on this computer must not stop or delay a
 * revocation.
 */
function attempt<T>(ask: () => T): T | undefined {
  try {
    return ask()
  } catch {
    return undefined
  }
}

const columns = ['label', 'key id', 'outcome', 'request id', 'time', 'detail'] as const

const lineOf = ({ label, keyId, outcome, requestId, atMs, detail, leftInKeychain }: RevokeAllRow): string[] => {
  const words = [bulkDetailText(detail), leftInKeychain ? killSwitchWords.secret_left : ''].filter((text) => text !== '')
  return [label, keyId, outcome, requestId ?? '', timeOf(atMs), words.join(' ')]
}

export function detailOf(failure: Failure): BulkDetail {
  switch (failure.kind) {
    case 'refused':
      return { code: 'refused', status: failure.status, by: failure.code, message: failure.message }
    case 'unreachable':
      return { code: 'no_answer', why: failure.reason }
    case 'rate_limited':
      return { code: 'asked_to_wait' }
    default:
      return { code: 'failed', kind: failure.kind }
  }
}
