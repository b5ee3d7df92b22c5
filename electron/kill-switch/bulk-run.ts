import type { QueryName } from '../../shared/ipc/contract.ts'
import type { Failure, NotFoundThing } from '../../shared/ipc/failure.ts'
import { fail, ok, type Result } from '../../shared/result.ts'
import type { Emit } from '../kernel/events.ts'
import { writePrivate } from '../kernel/files/write-private.ts'
import type { ServiceClock } from '../service/api/vital-signs.ts'
import type { KeptRecord } from '../store/records/kept-record.ts'

/** A bulk action, for example “cancel all orders”: the list of its steps, each with its result so far. */
export interface BulkRun<Step> {
  readonly id: string
  readonly wallet: string
  readonly startedAtMs: number
  readonly endedAtMs: number | null
  readonly steps: Step[]
}

/** Who started a round of requests. `user`: requests of the user never wait. `app`: the limiter may make requests of the app wait. */
export type By = 'user' | 'app'

/** Requests one or more steps and saves their results. Returns the reason if the run must stop requesting, or null to continue. */
export type Ask<Why> = () => Promise<Why | null>

/** Defines one kind of bulk action. `Why` is the type of the reasons for which a run may have to wait. */
export interface BulkPlan<Step, Run extends BulkRun<Step>, Why> {
  readonly name: NotFoundThing
  readonly kept: KeptRecord<Run>
  readonly idOf: (step: Step) => string
  /** True if the step has no result yet: it waits for its turn, for a response or for the user. */
  readonly isLeft: (step: Step) => boolean
  readonly shownBy: readonly QueryName[]
  /** How many rounds of requests the app may send before it must ask the user to continue. */
  readonly rounds: number
  readonly asksAtOnce: number
  /**
   * Finds out the results of uncertain steps, and returns the requests of the next round; an empty list ends the run. `at` is the number of the
   * round, from 0. If the round cannot start, fails with the reason.
   */
  readonly round: (at: number, by: By) => Promise<Result<readonly Ask<Why>[], Why>>
  /** Called after the last round. Returns null if the run is complete; otherwise the reason why the run must wait for the user. */
  readonly through?: () => Why | null
  /** Called whenever the run stops sending requests, for any reason. */
  readonly rested?: () => void
  readonly report: (run: Run) => { readonly fileName: string; readonly table: string }
}

export interface BulkDeps {
  readonly clock: Pick<ServiceClock, 'now'>
  readonly emit: Emit
  readonly newId: () => string
  /** Asks the user where to save the report. Returns null if the user chose no file. */
  readonly chooseReport: (suggested: string) => Promise<string | null>
}

export type Bulk<Step, Run extends BulkRun<Step>, Why> = ReturnType<typeof createBulk<Step, Run, Why>>

/**
 * Creates the functions that run a bulk action. Every change is saved immediately, so that a crash loses nothing. The run continues even if the disk
 * is full.
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

  const rounds = async (by: By): Promise<Why | null> => {
    for (let at = 0; at < plan.rounds && !stopping; at += 1) {
      // The user starts only the first round. The app starts all later rounds.
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
    /** The most recent run, which may have ended; null if there was no run. */
    last,
    open: (): Run | null => {
      const run = last()
      return run !== null && run.endedAtMs === null ? run : null
    },
    left,
    isRunning: () => running !== null,
    isStopping: () => stopping,
    /**
     * The reason why the run waits for the user; null if the run does not wait. After a restart it is null too, because the app does not save the
     * reason.
     */
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

/** Checks the confirmation phrase that the user typed. Returns null if the phrase is correct. */
export const typedIssue = (typed: string, phrase: string): Failure | null =>
  typed.trim() === phrase ? null : { kind: 'bad_input', field: 'typed', issue: `type_word ${phrase}` }

/** Formats a time for the report as ISO 8601; empty if the time is null. */
export const timeOf = (atMs: number | null): string => (atMs === null ? '' : new Date(atMs).toISOString())
