import { csvTable } from '../../shared/csv.ts'
import type { Failure, NotFoundThing } from '../../shared/ipc/failure.ts'
import type { Attention } from '../../shared/ipc/host/app.ts'
import type { BulkActionRevocation, BulkActionState, BulkActionStep, RevokeAllRow } from '../../shared/ipc/intents/kill-switch.ts'
import { bulkActionPhrases } from '../../shared/phrases.ts'
import { fail, ok, type Result } from '../../shared/result.ts'
import { bulkDetailText, stepTitle } from '../../shared/text/kill-switch-text.ts'
import { second } from '../../shared/time.ts'
import { ticketOf } from '../intents/engine/intent-facts.ts'
import { createQueue } from '../kernel/deadline.ts'
import type { Every } from '../kernel/events.ts'
import type { HandlersOf } from '../kernel/handlers.ts'
import type { Journal } from '../store/journal/journal.ts'
import type { BulkActionRecord } from '../store/records/intent-records.ts'
import { createKeptRecord } from '../store/records/kept-record.ts'
import { shownOwner } from '../wallet/connection/wallet.ts'
import { type AskDeps, createAskSteps, type OpenSteps } from './ask-steps.ts'
import { type Bulk, type BulkDeps, type By, createBulk, timeOf, typedIssue } from './bulk-run.ts'
import type { RevokeAll } from './revoke-all.ts'
import { cancelId, closeId, createSee, isEnded, isUnderWay, renewSteps, type SeeDeps, settleStep, stepsOf, turnOf } from './stop-steps.ts'

export interface KillSwitchDeps extends AskDeps, BulkDeps, SeeDeps {
  readonly journal: Pick<Journal, 'records' | 'intents'>
  readonly revokeAll: Pick<RevokeAll, 'start' | 'state' | 'rows'>
  readonly every: Every
}

export type KillSwitch = ReturnType<typeof createKillSwitch>

/**
 * Cancels all orders, closes all positions, or does both and then revokes the keys. Handles and saves each step separately, so that a crash, an
 * unresponsive wallet or a refusal delays no other step.
 */
export function createKillSwitch(deps: KillSwitchDeps) {
  const { profile, journal, wallet, revokeAll, clock, every } = deps
  const see = createSee(deps)
  const open = (): BulkActionRecord | null => bulk.open()
  const change: OpenSteps['change'] = (stepId, changed) => {
    if (open() !== null) bulk.change(stepId, { atMs: clock.now(), ...changed })
  }
  const intentOf = ({ ref }: BulkActionStep) => (ref === null ? null : journal.intents.get(ref))
  const settle: OpenSteps['settle'] = (seen) => {
    const run = open()
    const account = seen?.failure === null ? seen.account : null
    const settled = run?.steps.map((step) => settleStep(step, intentOf(step), account, clock.now())) ?? []
    if (run !== null) bulk.update(() => (account === null ? settled : renewSteps(settled, account, run.kind, clock.now())))
  }
  const ask = createAskSteps(deps, { open, change, settle }, see)
  const bulk: Bulk<BulkActionStep, BulkActionRecord, Failure> = createBulk(
    {
      name: 'bulk action',
      kept: createKeptRecord(journal.records.bulkActions, { profile: profile.id }),
      idOf: ({ id }) => id,
      isLeft: (step) => !isEnded(step),
      shownBy: ['bulkActions.state', 'app.attention'],
      // Stop after this many rounds. Otherwise, a run would never finish if a bot opens positions faster than the run closes them.
      rounds: 100,
      asksAtOnce: 1,
      round: ask.round,
      report: ({ kind, steps, revocation }) => {
        const keys = revocation?.panicId == null ? [] : revokeAll.rows()
        return { fileName: kind.replace('_', '-'), table: csvTable(columns, [...steps.map(stepLine), ...keys.map(keyLine)]) }
      },
    },
    deps,
  )
  /** True if the app may send further steps to the executor without asking the user. False after a restart, until the user continues the run. */
  let mayRun = false
  let revokeFailure: Failure | null = null
  const inTurn = createQueue()
  let unfollow = () => {}
  let hurry = new AbortController()

  /** Performs the user's action, and interrupts any account read that the app started automatically. */
  const pressed = <T>(task: () => Promise<T>): Promise<T> => {
    hurry.abort()
    return inTurn(task)
  }

  const revocationOf = ({ revocation }: BulkActionRecord): BulkActionRevocation | null => {
    if (revocation === null) return null
    const total = revocation.keyIds.length
    const waiting = { total, state: 'waiting', revoked: 0, refused: 0, left: total, failure: revokeFailure } as const
    if (total === 0) return { ...waiting, state: 'done' }
    if (revocation.panicId === null) return waiting
    const now = revokeAll.state()
    // A newer revocation has replaced the one that this run started. Count this run’s revocation as done; the page for revoking keys shows the
    // newer one.
    if (now.state === 'idle' || now.id !== revocation.panicId) return { ...waiting, state: 'done', left: 0, failure: null }
    return { total, state: now.state, revoked: now.revoked, refused: now.refused, left: now.left, failure: null }
  }

  const currentState = (): Result<BulkActionState, Failure> => {
    const run = bulk.last()
    if (run === null) return ok({ state: 'idle' })
    const { id, kind, by, startedAtMs, endedAtMs, steps } = run
    const now = { state: endedAtMs === null ? 'open' : 'done', running: bulk.isRunning(), stopped: bulk.waitsFor() } as const
    return ok({ ...now, id, kind, by, startedAtMs, endedAtMs, steps, revocation: revocationOf(run) })
  }

  const revoke = (run: BulkActionRecord, keyIds: string[]): Failure | null => {
    const answer = revokeAll.start(keyIds)
    revokeFailure = answer.ok ? null : answer.failure
    bulk.keep(answer.ok && answer.value.state !== 'idle' ? { ...run, revocation: { keyIds, panicId: answer.value.id } } : run)
    return revokeFailure
  }

  /**
   * Called once every step has a result. Adds steps for orders and positions that opened meanwhile. If it adds none, revokes the keys and ends the
   * run.
   */
  const conclude = async (by: By = 'user', signal?: AbortSignal): Promise<void> => {
    const before = open()
    if (before === null || bulk.left().length > 0) return
    if (before.revocation?.panicId == null) {
      const seen = await see(before.wallet, by, signal)
      settle(seen)
      // Once the keys are revoked, the app can no longer close positions. It cannot read the account now, so a position may still be open. Let the
      // user decide when to revoke.
      if (seen.failure !== null && before.revocation !== null) return
    }
    const run = open()
    if (run === null || bulk.left().length > 0) return
    const { keyIds = [], panicId = null } = run.revocation ?? {}
    if (keyIds.length === 0 || (panicId !== null && revocationOf(run)?.state === 'done')) bulk.end()
    else if (panicId === null && revokeFailure === null) revoke(run, keyIds)
  }

  const go = (by: By): void => {
    if (open()?.by.way === 'executor') bulk.go(by)
  }

  const look = async (): Promise<void> => {
    hurry = new AbortController()
    const { signal } = hurry
    const run = open()
    if (run === null || bulk.isRunning() || bulk.isStopping()) return
    settle(null)
    // A FINAL intent does not prove that its order or position is gone, so read the account again.
    if (open()?.steps.some((step) => isUnderWay(step) && intentOf(step)?.state === 'FINAL')) settle(await see(run.wallet, 'app', signal))
    await conclude('app', signal)
    if (mayRun && bulk.waitsFor() === null && turnOf(open(), 1).length > 0) go('app')
  }

  const toOpen = (what: NotFoundThing, act: (run: BulkActionRecord) => Promise<Failure | null> | Failure | null) =>
    pressed(async (): Promise<Result<BulkActionState, Failure>> => {
      const run = open()
      const failure: Failure | null = run === null ? { kind: 'not_found', what } : await act(run)
      return failure === null ? currentState() : fail(failure)
    })

  /** Performs the user's action on one step. If every step then has a result, continues with the end of the run: revokes the keys or ends the run. */
  const toStep = (stepId: string, act: (step: BulkActionStep, run: BulkActionRecord) => Failure | null) =>
    toOpen('step', async (run) => {
      const step = run.steps.find(({ id }) => id === stepId)
      const failure: Failure | null = step === undefined ? { kind: 'not_found', what: 'step' } : act(step, run)
      if (failure === null) await conclude()
      return failure
    })

  const handlers: HandlersOf<'bulkActions'> = {
    'bulkActions.state': () => {
      const whose = wallet.shown()
      const run = bulk.last()
      return !whose.ok || (run !== null && whose.value !== run.wallet) ? ok({ state: 'idle' }) : currentState()
    },
    'bulkActions.start': ({ kind, by, keyIds, typed }) =>
      pressed(async () => {
        const issue = typedIssue(typed, bulkActionPhrases[kind])
        if (issue !== null) return fail(issue)
        if (open() !== null || bulk.isRunning()) return fail({ kind: 'wrong_state', state: 'open', wanted: 'done' })
        const whose = shownOwner(wallet)
        if (!whose.ok) return whose
        const owner = whose.value
        const { account, failure, isBlind } = await see(owner, 'user')
        // Start the kill switch even if orders or positions cannot be listed: it reports them as unread and can still revoke the keys.
        if (failure !== null && isBlind && kind !== 'kill') return fail(failure)
        const steps = stepsOf(account, kind)
        if (steps.length === 0 && kind !== 'kill') return fail({ kind: 'not_found', what: kind === 'cancel_all' ? 'open order' : 'open position' })
        const revocation = kind === 'kill' ? { keyIds: [...new Set(keyIds)], panicId: null } : null
        revokeFailure = null
        mayRun = true
        bulk.begin((begun) => ({ ...begun, wallet: owner, kind, by, steps, revocation }))
        go('user')
        if (!bulk.isRunning()) await conclude()
        return currentState()
      }),
    'bulkActions.next': () =>
      pressed(async () => {
        const next = await ask.next()
        if (next.ok && next.value.order === null) await conclude()
        return next
      }),
    'bulkActions.took': ({ stepId, ref }) =>
      toStep(stepId, (_, run) => {
        const row = journal.intents.get(ref)
        if (row === null || row.wallet !== run.wallet || stepIdOf(ticketOf(row)) !== stepId) return { kind: 'bad_input', field: 'ref', issue: 'other_intent' }
        change(stepId, { state: 'asking', ref, detail: null })
        settle(null)
        return null
      }),
    'bulkActions.again': ({ stepId }) =>
      toStep(stepId, ({ state }) => {
        if (state !== 'failed' && state !== 'skipped') return { kind: 'wrong_state', state, wanted: 'failed' }
        change(stepId, { state: 'waiting', detail: null, offer: undefined, ref: null, txHash: null })
        if (mayRun) go('app')
        return null
      }),
    'bulkActions.skip': ({ stepId }) =>
      toStep(stepId, (step) => {
        // Do not skip a step whose request was already sent. The wallet may have signed the request, and then the app cannot stop it.
        if (isEnded(step) || step.state === 'sent' || step.state === 'unknown') return { kind: 'wrong_state', state: step.state, wanted: 'waiting' }
        change(stepId, { state: 'skipped' })
        return null
      }),
    'bulkActions.goOn': () =>
      toOpen('bulk action', () => {
        if (!bulk.isRunning()) settle(null)
        mayRun = true
        go('user')
        return null
      }),
    'bulkActions.revoke': ({ keyIds }) =>
      toOpen('kill switch', (run) => (run.revocation === null ? { kind: 'not_found', what: 'kill switch' } : revoke(run, keyIds))),
    'bulkActions.end': () =>
      toOpen('bulk action', ({ steps }) => {
        for (const step of steps) if (!isEnded(step) && !isUnderWay(step)) change(step.id, { state: 'skipped' })
        bulk.end()
        return null
      }),
    'bulkActions.saveReport': bulk.saveReport,
  }

  return {
    handlers,
    attention: (address: string): Attention[] => {
      const [run, row] = [open(), bulk.attention(address)]
      return run === null || row === null ? [] : [{ ...row, kind: 'bulk_action_unfinished', bulkAction: run.kind, to: '/trade/stop' }]
    },
    start: () => {
      let looking = false
      unfollow = every(second, () => {
        if (looking) return
        looking = true
        void inTurn(look)
          .catch(() => undefined)
          .finally(() => {
            looking = false
          })
      })
    },
    stop: () => {
      bulk.stop()
      unfollow()
    },
    settled: async () => {
      await bulk.settled()
      await inTurn(async () => undefined)
    },
  }
}

/** Returns the id of the kill switch step that cancels the ticket’s order or closes the ticket’s position; null for any other ticket. */
function stepIdOf(ticket: ReturnType<typeof ticketOf>): string | null {
  if (!('action' in ticket)) return null
  if (ticket.action === 'cancel_order') return cancelId(ticket.order.orderId)
  return ticket.action === 'close_position_market' ? closeId(ticket.position.positionId) : null
}

const columns = ['what', 'name', 'id', 'outcome', 'transaction', 'request id', 'time', 'detail'] as const

const stepLine = (step: BulkActionStep): string[] => [
  ...[step.kind, stepTitle(step), step.subject, step.state, step.txHash ?? '', '', timeOf(step.atMs), bulkDetailText(step.detail)],
]
const keyLine = (key: RevokeAllRow): string[] => [
  ...['revoke', key.label, key.keyId, key.outcome, '', key.requestId ?? '', timeOf(key.atMs), bulkDetailText(key.detail)],
]
