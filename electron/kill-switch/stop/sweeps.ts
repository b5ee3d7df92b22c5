import type { Failure } from '../../../shared/ipc/failure.ts'
import type { Attention } from '../../../shared/ipc/host/app.ts'
import type { SweepRevocation, SweepState } from '../../../shared/ipc/intents/kill-switch.ts'
import { panicPhrase, sweepPhrases } from '../../../shared/phrases.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import { canonicalId } from '../../../shared/same-id.ts'
import { second } from '../../../shared/time.ts'
import { ticketOf } from '../../intents/engine/intent-facts.ts'
import { writePrivate } from '../../kernel/files/write-private.ts'
import type { HandlersOf } from '../../kernel/handlers.ts'
import { createAskExecutor } from './ask-executor.ts'
import { createAskWallet } from './ask-wallet.ts'
import { asKnown, createReadOpen, type OpenAccount, stepsOf } from './open-account.ts'
import type { SweepsDeps } from './sweep-parts.ts'
import { createSweepPlan } from './sweep-plan.ts'
import { createSweepMemory, isEnded, isUnderWay, type SweepRecord } from './sweep-record.ts'
import { sweepReport } from './sweep-report.ts'

export interface Sweeps {
  readonly handlers: HandlersOf<'sweeps'>
  attention(wallet: string): Attention[]
  /** Follows what is open. */
  start(): void
  /** Asks nothing more. */
  stop(): void
  /** Resolves when nothing is under way. */
  settled(): Promise<void>
}

/**
 * Cancels all orders, closes all positions, or both and then revokes the keys. Each step is read, prepared and followed by itself and written down, so that a
 * crash, a silent wallet or a refusal holds nothing else up.
 */
export function createSweeps(deps: SweepsDeps): Sweeps {
  const { profile, journal, wallet, panic, clock, emit, every, newId } = deps
  const memory = createSweepMemory({ profile, records: journal.records })
  const changed = () => emit({ type: 'invalidate', queries: ['sweeps.state', 'app.attention'] })
  const plan = createSweepPlan({ memory, intents: journal.intents, now: clock.now, changed })
  const readOpen = createReadOpen(deps)
  let stopping = false
  const nextOfWallet = createAskWallet(deps, plan, readOpen)
  const askExecutor = createAskExecutor(deps, plan, readOpen, () => stopping)
  let running: Promise<void> | null = null
  let stopped: Failure | null = null
  /** After a start the executor is asked again only by the user's word. */
  let mayRun = false
  let revokeFailure: Failure | null = null
  let work: Promise<unknown> = Promise.resolve()
  let unfollow = () => {}

  /** One thing at a time, so that no step is written by two. */
  const inTurn = <T>(task: () => Promise<T>): Promise<T> => {
    const mine = work.then(task)
    work = mine.catch(() => undefined)
    return mine
  }

  /** What the user presses does not wait for what the app reads on its own. */
  const pressed = <T>(task: () => Promise<T>): Promise<T> => {
    hurry.abort()
    return inTurn(task)
  }
  let hurry = new AbortController()
  let looking = false

  const revocationOf = async ({ revocation }: SweepRecord): Promise<SweepRevocation | null> => {
    if (revocation === null) return null
    const total = revocation.keyIds.length
    const waiting = { total, state: 'waiting', revoked: 0, refused: 0, left: total, failure: revokeFailure } as const
    if (total === 0) return { ...waiting, state: 'done' }
    if (revocation.panicId === null) return waiting
    const answer = await panic.handlers['panic.state']({})
    const known = answer.ok && answer.value.state !== 'idle' && answer.value.id === revocation.panicId ? answer.value : null
    // Another one was begun since: it is told of where keys are revoked.
    if (known === null) return { ...waiting, state: 'done', left: 0, failure: null }
    return { total, state: known.state, revoked: known.revoked, refused: known.refused, left: known.left, failure: null }
  }

  const state = async (): Promise<SweepState> => {
    const record = memory.read()
    if (record === null) return { state: 'idle' }
    const { id, kind, by, startedAtMs, endedAtMs, steps } = record
    const told = { id, kind, by, startedAtMs, endedAtMs, steps, revocation: await revocationOf(record) }
    return { state: endedAtMs === null ? 'open' : 'done', ...told, running: running !== null, stopped }
  }
  const told = async () => ok(await state())

  const revoke = async (keyIds: readonly string[]): Promise<Failure | null> => {
    const answer = await panic.handlers['panic.start']({ keyIds: [...keyIds], typed: panicPhrase(keyIds.length) })
    const record = memory.read()
    if (!answer.ok) {
      revokeFailure = answer.failure
      changed()
      return answer.failure
    }
    revokeFailure = null
    if (record !== null && answer.value.state !== 'idle') memory.keep({ ...record, revocation: { keyIds: [...keyIds], panicId: answer.value.id } })
    changed()
    return null
  }

  const end = (record: SweepRecord): void => {
    memory.keep({ ...record, endedAtMs: clock.now() })
    changed()
  }

  /** Once every step is answered for: what came meanwhile is taken up, then the keys go, then it is over. */
  const conclude = async (read: (wallet: string) => Promise<Result<OpenAccount, Failure>> = readOpen.pressed): Promise<void> => {
    if (!(plan.open()?.steps.every(isEnded) ?? false)) return
    const before = plan.open()
    if (before?.revocation?.panicId == null) {
      const account = before === null ? null : await read(before.wallet)
      if (account?.ok === true) plan.settle(account.value)
      // Unread, the keys wait for the user's word: without them nothing can be prepared any more.
      else if (before?.revocation != null) return
    }
    const record = plan.open()
    if (record === null || !record.steps.every(isEnded)) return
    if (record.revocation === null) return end(record)
    if (record.revocation.keyIds.length > 0 && record.revocation.panicId === null) {
      if (revokeFailure === null) await revoke(record.revocation.keyIds)
      return
    }
    if ((await revocationOf(record))?.state === 'done') end(record)
  }

  const run = (by: 'user' | 'app'): void => {
    const record = plan.open()
    if (record === null || record.by.way !== 'executor' || running !== null || stopping) return
    stopped = null
    running = askExecutor(record.wallet, record.by.keyId, by)
      .then((why) => {
        stopped = why
      })
      .finally(() => {
        running = null
        changed()
      })
  }

  /** What is on its way is looked at, and what comes next is begun. */
  const look = async (): Promise<void> => {
    const record = plan.open()
    if (record === null || running !== null || stopping) return
    plan.settle(null)
    const { signal } = hurry
    const read = (whose: string) => readOpen.followed(whose, signal)
    if (plan.needsAccount()) {
      const account = await read(record.wallet)
      if (account.ok) plan.settle(account.value)
    }
    await conclude(read)
    if (mayRun && stopped === null && record.by.way === 'executor' && plan.turn(1).length > 0) run('app')
  }

  const ofStep = (stepId: string, then: (record: SweepRecord) => Failure | null) =>
    pressed(async (): Promise<Result<SweepState, Failure>> => {
      const record = plan.open()
      if (!record?.steps.some(({ id }) => id === stepId)) return fail({ kind: 'not_found', what: 'step' })
      const failure = then(record)
      if (failure !== null) return fail(failure)
      await conclude()
      return told()
    })

  const start: Sweeps['handlers']['sweeps.start'] = async ({ kind, by, keyIds, typed }) => {
    if (typed.trim() !== sweepPhrases[kind]) return fail({ kind: 'bad_input', field: 'typed', issue: `type ${sweepPhrases[kind]}` })
    if (plan.open() !== null || running !== null) return fail({ kind: 'wrong_state', state: 'open', wanted: 'done' })
    const whose = wallet.shown()
    if (!whose.ok) return whose
    if (whose.value === null) return fail({ kind: 'no_wallet' })
    const read = await readOpen.pressed(whose.value)
    const last = readOpen.last(whose.value)
    // The kill switch always begins: what it cannot list it says, and the keys can be revoked.
    if (!read.ok && last === null && kind !== 'kill') return read
    const steps = stepsOf(read.ok ? read.value : asKnown(last), kind)
    if (steps.length === 0 && kind !== 'kill') return fail({ kind: 'not_found', what: kind === 'cancel_all' ? 'open order' : 'open position' })
    const revocation = kind === 'kill' ? { keyIds: [...new Set(keyIds)], panicId: null } : null
    stopped = null
    revokeFailure = null
    mayRun = true
    memory.keep({ id: newId(), wallet: whose.value, kind, by, startedAtMs: clock.now(), endedAtMs: null, steps, revocation })
    run('user')
    if (running === null) await conclude()
    changed()
    return told()
  }

  return {
    start: () => {
      unfollow = every(second, () => {
        if (looking) return
        looking = true
        const task = () => {
          hurry = new AbortController()
          return look()
        }
        inTurn(task)
          .catch(() => undefined)
          .finally(() => {
            looking = false
          })
      })
    },
    stop: () => {
      stopping = true
      unfollow()
    },
    settled: async () => {
      await running?.catch(() => undefined)
      await work
    },
    attention: (address) => {
      const record = plan.open()
      if (record === null || record.wallet !== address) return []
      const left = record.steps.filter((step) => !isEnded(step)).length
      return [
        {
          id: `sweep:${record.id}`,
          kind: 'sweep_unfinished',
          severity: 'danger',
          sweep: record.kind,
          left,
          of: record.steps.length,
          to: '/trade/stop',
          atMs: record.startedAtMs,
          untilMs: null,
        },
      ]
    },
    handlers: {
      'sweeps.state': async () => {
        const whose = wallet.shown()
        const record = memory.read()
        if (!whose.ok || (record !== null && whose.value !== record.wallet)) return ok({ state: 'idle' })
        return told()
      },
      'sweeps.start': (input) => pressed(async () => start(input)),
      'sweeps.next': () =>
        pressed(async () => {
          const next = await nextOfWallet()
          if (next.ok && next.value.order === null) await conclude()
          return next
        }),
      'sweeps.took': ({ stepId, ref }) =>
        ofStep(stepId, (record) => {
          const row = journal.intents.get(ref)
          const ticket = row === null || row.wallet !== record.wallet ? null : ticketOf(row)
          const subject =
            ticket === null || !('action' in ticket)
              ? null
              : ticket.action === 'cancel_order'
                ? `cancel/${canonicalId(ticket.order.orderId)}`
                : ticket.action === 'close_position_market'
                  ? `close/${canonicalId(ticket.position.positionId)}`
                  : null
          if (subject !== stepId) return { kind: 'bad_input', field: 'ref', issue: 'other_intent' }
          plan.change(stepId, { state: 'asking', ref, detail: null })
          plan.settle(null)
          return null
        }),
      'sweeps.again': ({ stepId }) =>
        ofStep(stepId, ({ steps }) => {
          const step = steps.find(({ id }) => id === stepId)
          if (step?.state !== 'failed' && step?.state !== 'skipped') return { kind: 'wrong_state', state: step?.state ?? 'none', wanted: 'failed' }
          plan.change(stepId, { state: 'waiting', detail: null, offer: undefined, ref: null, txHash: null })
          stopped = null
          return null
        }),
      'sweeps.skip': ({ stepId }) =>
        ofStep(stepId, ({ steps }) => {
          const step = steps.find(({ id }) => id === stepId)
          if (step === undefined || isEnded(step)) return { kind: 'wrong_state', state: step?.state ?? 'none', wanted: 'waiting' }
          // What was signed goes on its way, whatever is said here.
          if (step.state === 'sent' || step.state === 'unknown') return { kind: 'wrong_state', state: step.state, wanted: 'waiting' }
          plan.change(stepId, { state: 'skipped', detail: step.detail })
          return null
        }),
      'sweeps.goOn': () =>
        pressed(async () => {
          if (plan.open() === null) return fail({ kind: 'not_found', what: 'sweep' })
          if (running === null) plan.settle(null)
          mayRun = true
          run('user')
          return told()
        }),
      'sweeps.revoke': ({ keyIds }) =>
        pressed(async () => {
          const record = plan.open()
          if (record === null || record.revocation === null) return fail({ kind: 'not_found', what: 'kill switch' })
          const failure = await revoke(keyIds)
          return failure === null ? told() : fail(failure)
        }),
      'sweeps.end': () =>
        pressed(async () => {
          const record = plan.open()
          if (record === null) return fail({ kind: 'not_found', what: 'sweep' })
          for (const step of record.steps) if (!isEnded(step) && !isUnderWay(step)) plan.change(step.id, { state: 'skipped' })
          end(plan.open() ?? record)
          return told()
        }),
      'sweeps.saveReport': async () => {
        const record = memory.read()
        if (record === null) return fail({ kind: 'not_found', what: 'sweep' })
        const path = await deps.chooseReport(`svc-desk-${record.kind.replace('_', '-')}-${new Date(record.startedAtMs).toISOString().slice(0, 10)}.csv`)
        if (path === null) return ok({ path: null })
        const keys = record.revocation?.panicId == null ? null : await panic.handlers['panic.report']({})
        const written = await writePrivate(path, sweepReport(record.steps, keys?.ok === true ? keys.value : []))
        return written.ok ? ok({ path }) : written
      },
    },
  }
}
