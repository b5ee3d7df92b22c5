import type { QueryName } from '../../shared/ipc/contract.ts'
import type { Failure, NotFoundThing } from '../../shared/ipc/failure.ts'
import { fail, ok, type Result } from '../../shared/result.ts'
import type { Emit } from '../kernel/events.ts'
import { writePrivate } from '../kernel/files/write-private.ts'
import type { ServiceClock } from '../service/api/vital-signs.ts'
import type { KeptRecord } from '../store/records/kept-record.ts'

/** A bulk action, for example "cancel all orders": a list of items to end, with the result for each. */
export interface BulkRun<Step> {
  readonly id: string
  readonly wallet: string
  readonly startedAtMs: number
  readonly endedAtMs: number | null
  readonly steps: Step[]
}

/** Who started a round of requests. The user's own action never has to wait. */
export type By = 'user' | 'app'

/** Requests one or more steps and saves their results. Returns the reason if the run must stop requesting, or null to continue. */
export type Ask<Why> = () => Promise<Why | null>

/** What a bulk action ends, and how. `Why` is the type of the reasons for which it may wait. */
export interface BulkPlan<Step, Run extends BulkRun<Step>, Why> {
  /** The kind of bulk action, as it appears in failures and ids. */
  readonly name: NotFoundThing
  readonly kept: KeptRecord<Run>
  readonly idOf: (step: Step) => string
  /** True if the step still waits for its turn, for a response or for the user. */
  readonly isLeft: (step: Step) => boolean
  readonly shownBy: readonly QueryName[]
  /** How many rounds of requests the app may send before the user must ask to continue. */
  readonly rounds: number
  readonly asksAtOnce: number
  /**
   * Looks up what happened to uncertain steps, then returns the requests of the next round; an empty list ends the run. `at` is the number of the
   * round, starting at 0. Fails with the reason why the round cannot start.
   */
  readonly round: (at: number, by: By) => Promise<Result<readonly Ask<Why>[], Why>>
  /** Called after the last round. Returns the reason if the run must wait for the user; null if it is complete. */
  readonly through?: () => Why | null
  /** Called whenever the run stops sending requests, for any reason. */
  readonly rested?: () => void
  readonly report: (run: Run) => { readonly fileName: string; readonly table: string }
}

export interface BulkDeps {
  readonly clock: Pick<ServiceClock, 'now'>
  readonly emit: Emit
  readonly newId: () => string
  /** Asks where to save the report; null if the user chose no file. */
  readonly chooseReport: (suggested: string) => Promise<string | null>
}

export type Bulk<Step, Run extends BulkRun<Step>, Why> = ReturnType<typeof createBulk<Step, Run, Why>>

/**
 * Creates the functions to run a bulk action. They save every change immediately, so that a crash loses nothing, and continue when the disk is
 * full.
 */
export function createBulk<Step, Run extends BulkRun<Step>, Why>(plan: BulkPlan<Step, Run, Why>, { clock, emit, newId, chooseReport }: BulkDeps) {
  const { name, kept } = plan
  let running: Promise<void> | null = null
  let waitsFor: Why | null = null
  let stopping = false

  const changed = () => emit({ type: 'invalidate', queries: plan.shownBy })
  const last = (): Run | null => kept.read()
  const left = (): readonly Step[] => last()?.steps.filter(plan.isLeft) ?? []
  const keep = (run: Run): void => {
    kept.keep(run)
    changed()
  }
  const update = (change: (steps: Step[]) => Step[]): void => {
    const run = last()
    const steps = change(run?.steps ?? [])
    if (run !== null && JSON.stringify(steps) !== JSON.stringify(run.steps)) keep({ ...run, steps })
  }

  /** Sends the requests, round by round. Returns the reason if the run must wait for the user, otherwise null. */
  const rounds = async (by: By): Promise<Why | null> => {
    for (let at = 0; at < plan.rounds && !stopping; at += 1) {
      // Only the first round counts as the user's own action. The app starts the later rounds.
      const asks = await plan.round(at, at === 0 ? by : 'app')
      if (!asks.ok) return asks.failure
      if (asks.value.length === 0) break
      const queue = [...asks.value]
      const reasons: Why[] = []
      const work = async () => {
        for (let ask = queue.shift(); ask !== undefined && reasons.length === 0 && !stopping; ask = queue.shift()) {
          const why = await ask()
          if (why !== null) reasons.push(why)
        }
      }
      await Promise.all(Array.from({ length: plan.asksAtOnce }, work))
      if (reasons[0] !== undefined) return reasons[0]
    }
    return stopping ? null : (plan.through?.() ?? null)
  }

  return {
    /** The most recent run, whether it has ended or not; null if there was none. */
    last,
    open: (): Run | null => {
      const run = last()
      return run !== null && run.endedAtMs === null ? run : null
    },
    left,
    isRunning: () => running !== null,
    isStopping: () => stopping,
    /** Why the run waits for the user. null if it does not wait, or if the app restarted, because the reason is not saved. */
    waitsFor: () => waitsFor,
    begin: (make: (begun: Pick<BulkRun<Step>, 'id' | 'startedAtMs' | 'endedAtMs'>) => Run): void => {
      waitsFor = null
      keep(make({ id: newId(), startedAtMs: clock.now(), endedAtMs: null }))
    },
    keep,
    update,
    change: (id: string, change: Partial<Step>): void => update((steps) => steps.map((step) => (plan.idOf(step) === id ? { ...step, ...change } : step))),
    end: (): void => {
      const run = last()
      if (run !== null) keep({ ...run, endedAtMs: clock.now() })
    },
    /** Starts sending requests, unless the run is already doing so. */
    go: (by: By): void => {
      if (running !== null || stopping) return
      waitsFor = null
      running = rounds(by)
        .then((why) => {
          waitsFor = why
        })
        .finally(() => {
          running = null
          plan.rested?.()
          changed()
        })
    },
    /** Prevents any further request from starting. */
    stop: () => {
      stopping = true
    },
    settled: async (): Promise<void> => running?.catch(() => undefined),
    /** The wallet's run as an item for the attention list; null if no run needs attention. */
    attention: (wallet: string) => {
      const run = last()
      if (run?.wallet !== wallet) return null
      return { id: `${name}:${run.id}`, severity: 'danger', left: left().length, of: run.steps.length, atMs: run.startedAtMs, untilMs: null } as const
    },
    saveReport: async (): Promise<Result<{ path: string | null }, Failure>> => {
      const run = last()
      if (run === null) return fail({ kind: 'not_found', what: name })
      const { fileName, table } = plan.report(run)
      const path = await chooseReport(`svc-desk-${fileName}-${new Date(run.startedAtMs).toISOString().slice(0, 10)}.csv`)
      const written = path === null ? ok(undefined) : await writePrivate(path, table)
      return written.ok ? ok({ path }) : written
    },
  }
}

/** Checks the confirmation phrase that the user typed. null if it is correct. */
export const typedIssue = (typed: string, phrase: string): Failure | null =>
  typed.trim() === phrase ? null : { kind: 'bad_input', field: 'typed', issue: `type_word ${phrase}` }

/** Formats a time for a table. */
export const timeOf = (atMs: number | null): string => (atMs === null ? '' : new Date(atMs).toISOString())
