import type { AnyHandler } from '../../electron/ipc/answer-call.ts'
import type { RunningChain } from '../../electron/sandbox/chain/start-chain.ts'
import { drawDialect } from '../../electron/sandbox/dialect/draw.ts'
import type { Failure } from '../../shared/ipc/failure.ts'
import type { Result } from '../../shared/result.ts'
import { startActor } from './actor.ts'
import { createAnswers } from './answers.ts'
import { type Finding, judge } from './judge.ts'
import { createScene } from './scene.ts'
import { views } from './views/all.ts'
import { type Facts, nameOf } from './views/view.ts'

/** What came of one dialect. */
export interface SeedResult {
  readonly right: number
  /** Fields that the app could not read and did not show. */
  readonly unknown: readonly string[]
  /** What the app showed, and what was told. */
  readonly wrong: readonly string[]
  /** Exits that did not come to their end, with why. */
  readonly stuck: readonly string[]
  readonly exits: number
  /** Orders that had to be agreed to although their signing format was. */
  readonly askedAgain: number
  /** Steps besides exits that did not come to their end. */
  readonly problems: readonly string[]
}

const short = (value: unknown): string => (JSON.stringify(value) ?? 'nothing').slice(0, 120)
const reason = (error: unknown): string => (error instanceof Error ? error.message : String(error)).slice(0, 600)

/** One user, one dialect, from the sign-in to the last exit. */
export async function trySeed(chain: RunningChain, seed: number): Promise<SeedResult> {
  const actor = await startActor(chain, seed)
  const { desk } = actor
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

  /** Asks every query as a window would, and holds each answer against what the exchange meant. */
  const read = async (facts: Facts): Promise<Finding[]> => {
    const dialect = drawDialect(seed)
    const answers = createAnswers(desk.exchange, seed)
    const handlers = desk.handlers() as Readonly<Record<string, AnyHandler>> // asked by name, as the window does
    const found: Finding[] = []
    for (const view of views) {
      answers.forget()
      if (view.query === 'audit.list') await desk.handlers()['audit.refresh']({})
      // The service is read when an execution is followed, not when it is shown.
      if (view.query === 'execution.get') await actor.nextBlock()
      const shown = (await handlers[view.query]?.(view.input(facts))) as Result<unknown, Failure>
      const answered = answers.last(view.route)
      if (answered === null) problems.push(`${nameOf(view)}: ${view.route} was not asked${shown.ok ? '' : `: ${short(shown.failure)}`}`)
      else found.push(...judge(view, shown.ok ? shown.value : null, answered, dialect))
    }
    return found
  }

  try {
    await attempt('arrive', scene.arrive)
    const traded = await attempt('trade', scene.trade)
    desk.exchange.givePast(desk.account.address, { trades: 12, days: 20 })
    const facts = await attempt('facts', scene.facts)
    const findings = facts === null ? [] : ((await attempt('read', () => read(facts))) ?? [])
    const of = (verdict: Finding['verdict']) => findings.filter((finding) => finding.verdict === verdict)
    const stuck: string[] = []
    for (const { name, run } of scene.exits) {
      try {
        await run()
      } catch (error) {
        stuck.push(`${name}: ${reason(error)}`)
      }
    }
    return {
      right: of('right').length,
      unknown: of('unknown').map(({ field }) => field),
      wrong: of('wrong').map(({ field, shown, told }) => `${field} shows ${short(shown)} for ${short(told)}`),
      stuck,
      exits: scene.exits.length,
      askedAgain: traded?.askedAgain ?? 0,
      problems,
    }
  } finally {
    await actor.stop()
  }
}
