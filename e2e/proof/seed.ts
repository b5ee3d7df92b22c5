import type { AnyHandler } from '../../electron/host/ipc/answer-call.ts'
import type { RunningChain } from '../../electron/practice/chain/start-chain.ts'
import { drawDialect } from '../../electron/practice/dialect/draw.ts'
import type { Failure } from '../../shared/ipc/failure.ts'
import type { Result } from '../../shared/result.ts'
import { acceptAllTops } from '../support/main/accept-tops.ts'
import { startActor } from './actor.ts'
import { tryAlterations } from './alter.ts'
import { createAnswers } from './answers.ts'
import { type Finding, judge } from './judge.ts'
import { type DrawnNames, drawnNames } from './names.ts'
import { createScene, type Step } from './scene.ts'
import { misplaced, readsAnyOf } from './tops.ts'
import { views } from './views/all.ts'
import { type Facts, nameOf, type View } from './views/view.ts'

/** How well the app read and showed the exchange’s data in one dialect. */
export interface Shown {
  readonly right: number
  readonly unknown: readonly string[]
  /** Fields with a wrong value: the shown and the sent value of each. */
  readonly wrong: readonly string[]
}

export interface SeedResult extends Shown {
  /**
   * The result after the user accepted, for every unknown field in the service check, the first name that the app suggests. An accepted name that
   * reads another field’s value counts as wrong.
   */
  readonly checked: Shown & { readonly accepted: number }
  readonly names: DrawnNames
  /**
   * Results of altered messages and transactions. `tried`: their number. `kinds`: the number of kinds of alteration. `signed`: those that the app
   * failed to block.
   */
  readonly altered: { readonly tried: number; readonly kinds: number; readonly signed: readonly string[] }
  /** Exits (cancel, close, revoke) that did not complete, with the reason. */
  readonly stuck: readonly string[]
  /** Confirmations that the app required although the user had already accepted the order’s signing format. */
  readonly askedAgain: readonly string[]
  /** Other steps of the user that failed. */
  readonly problems: readonly string[]
}

const short = (value: unknown): string => (JSON.stringify(value) ?? 'nothing').slice(0, 120)
const reason = (error: unknown): string => (error instanceof Error ? error.message : String(error)).slice(0, 600)

const isOf = (view: View, { field }: Finding): boolean => field.startsWith(`${nameOf(view)} `)

function shownIn(findings: readonly Finding[]): Shown {
  const of = (verdict: Finding['verdict']) => findings.filter((finding) => finding.verdict === verdict)
  return {
    right: of('right').length,
    unknown: of('unknown').map(({ field }) => field),
    wrong: of('wrong').map(({ field, shown, told }) => `${field} shows ${short(shown)} for ${short(told)}`),
  }
}

/** Simulates one user in one dialect, from sign-in to the last exit (cancel, close, revoke). */
export async function trySeed(chain: RunningChain, seed: number): Promise<SeedResult> {
  const actor = await startActor(chain, seed)
  const { workspace } = actor
  const scene = createScene(actor)
  const problems: string[] = []
  const attempt = async <T>(step: string, run: () => Promise<T>): Promise<T | null> => {
    try {
      return await run()
    } catch (error) {
      problems.push(`${step}: ${reason(error)}`)
      return null
    }
  }

  /** Runs a step. If it fails, repeats it without the dialect (in the exchange’s own format), so that the following steps can still be tried. */
  const helped = async <T>(step: string, run: () => Promise<T>, agrees = false): Promise<T | null> => {
    const before = problems.length
    const done = await attempt(step, run)
    if (problems.length === before || agrees) return done
    workspace.faults.dialect = null
    const again = await attempt(`${step}, without the dialect`, run)
    workspace.faults.dialect = seed
    return again
  }

  const dialect = drawDialect(seed)
  const answers = createAnswers(workspace.exchange, seed)

  /** Runs the app’s queries as a window would, and compares each result with the exchange’s own values. */
  const read = async (facts: Facts, asked: readonly View[]): Promise<Finding[]> => {
    const handlers = workspace.handlers() as Readonly<Record<string, AnyHandler>> // safe cast: the proof calls queries by name, as a window does
    const found: Finding[] = []
    for (const view of asked) {
      const input = view.input(facts)
      if (input === null) {
        problems.push(`${nameOf(view)}: there is nothing to ask for`)
        continue
      }
      answers.forget(view.route)
      if (view.query === 'audit.list') await workspace.handlers()['audit.refresh']({})
      // For this query the app shows stored data, which it updates only after the next block.
      if (view.query === 'intents.execution') await actor.nextBlock()
      const shown = (await handlers[view.query]?.(input)) as Result<unknown, Failure>
      const answered = answers.last(view.route, view.pages)
      if (answered === null) problems.push(`${nameOf(view)}: ${view.route} was not asked${shown.ok ? '' : `: ${short(shown.failure)}`}`)
      else found.push(...judge(view, shown.ok ? shown.value : null, answered, dialect))
    }
    return found
  }

  /** Reads data again after the service check: the fields that were unknown before, and those that the check may have changed. */
  const readChecked = async (facts: Facts, before: readonly Finding[]): Promise<SeedResult['checked']> => {
    const accepted = await acceptAllTops(workspace)
    const again =
      accepted.length === 0
        ? []
        : views.filter((view) => readsAnyOf(view.route, accepted) || before.some((one) => isOf(view, one) && one.verdict === 'unknown'))
    const kept = before.filter((one) => !again.some((view) => isOf(view, one)))
    const shown = shownIn([...kept, ...(await read(facts, again))])
    return { ...shown, wrong: [...shown.wrong, ...misplaced(accepted, workspace.exchange.truth({}))], accepted: accepted.length }
  }

  try {
    for (const { name, run, agrees } of scene.steps) await helped(name, run, agrees)
    workspace.exchange.givePast(workspace.account.address, { trades: 12, days: 20 })
    const facts = await helped('facts', scene.facts)
    const findings = facts === null ? [] : ((await attempt('read', () => read(facts, views))) ?? [])
    const shown = shownIn(findings)
    const checked = facts === null ? null : await attempt('service check', () => readChecked(facts, findings))
    const stuck: string[] = []
    const leave = async (exits: readonly Step[]): Promise<void> => {
      for (const { name, run } of exits) {
        try {
          await run()
        } catch (error) {
          stuck.push(`${name}: ${reason(error)}`)
        }
      }
    }
    await leave(scene.firstExits)
    const altered = await attempt('alterations', async () => tryAlterations(actor, await scene.alterable()))
    await leave(scene.lastExits)
    return {
      ...shown,
      checked: checked ?? { ...shown, accepted: 0 },
      names: drawnNames(seed),
      altered: { tried: altered?.tried ?? 0, kinds: altered?.kinds.length ?? 0, signed: altered?.signed ?? [] },
      stuck,
      askedAgain: scene.askedAgain(),
      problems,
    }
  } finally {
    await actor.stop()
  }
}
