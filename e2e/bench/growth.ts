import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { openJournal } from '../../electron/store/journal/tables/sqlite-journal.ts'
import { systemClock } from '../../shared/time.ts'
import { openTab } from '../pages/account.ts'
import { goTo } from '../pages/frame.ts'
import { pair, signIn } from '../pages/ready.ts'
import { appValue } from '../support/bridge.ts'
import type { Desk } from '../support/desk.ts'
import { anIntent } from '../support/journal/an-intent.ts'
import type { Practice } from '../support/practice.ts'
import { measuredTables, readWhole } from './account-tables.ts'
import { withCpu } from './cpu.ts'
import { compare, type Measured, type Series } from './metric.ts'
import { interleave, type Rounds } from './rounds.ts'
import { scrollCost } from './scroll.ts'

/** Table and journal sizes to compare: the usual number of rows, ten times that number, and a hundred times. */
const sizes = [100, 1_000, 10_000] as const
const auditSizes = [50, 500, 5_000] as const
/**
 * The highest allowed ratio between the cost at a larger size and the cost at the usual size. Ideally the ratio is 1, because invisible rows should
 * cost nothing. The margin allows for the variation between two runs of the same code.
 */
const target = 1.1
const frames = 40
const auditFrames = 16

const inThousands = (count: number): string => count.toLocaleString('en-US')

function growth(what: (count: string) => string, counts: readonly number[], costs: readonly Series[]): Measured[] {
  const [usual = Number.NaN, ...larger] = costs
  const usually = inThousands(counts[0] ?? 0)
  return larger.map((ours, at) => compare(`${what(inThousands(counts[at + 1] ?? 0))}, against ${usually}`, { ours, against: usual, target }))
}

type InPractice = <T>(name: string, work: (desk: Desk, practice: Practice) => Promise<T>) => Promise<T>

/** Opens one app for each table size, all at the same time, so that other load on the machine affects all of them equally. */
function inEachSize<T>(
  inPractice: InPractice,
  prepare: (desk: Desk, practice: Practice, size: number) => Promise<void>,
  work: (desks: readonly Desk[]) => Promise<T>,
): Promise<T> {
  const open = (desks: readonly Desk[]): Promise<T> => {
    const size = sizes[desks.length]
    if (size === undefined) return work(desks)
    return inPractice(`growth-${size}`, async (desk, practice) => {
      await prepare(desk, practice, size)
      return open([...desks, desk])
    })
  }
  return open([])
}

const costsOf = async (rounds: Rounds, desks: readonly Desk[], table: string, count: number): Promise<Series[]> => {
  const sides = Object.fromEntries(desks.map(({ main }, at) => [sizes[at], () => scrollCost(main, table, 'wheel', count)]))
  const costs = await interleave(sides, rounds)
  return sizes.map((size) => costs[size] ?? Number.NaN)
}

/**
 * Measures whether scrolling costs more if a table has ten or a hundred times as many hidden rows. Tables: those of the Account page and the audit
 * log.
 */
export const measureTableGrowth = (rounds: Rounds, inPractice: InPractice): Promise<Measured[]> =>
  inEachSize(
    inPractice,
    async (desk, practice, size) => {
      // Not every trade adds a row: some orders are not filled, and some trades close nothing. So more trades than `size` are needed.
      await practice.past({ trades: size * 1.2 })
      await signIn(desk.main, await pair(desk))
      await practice.sample(1, size / 2)
      await goTo(desk.main, 'Account')
    },
    async (desks) => {
      const all: Measured[] = []
      const measure = async (what: string, table: string, counts: readonly number[] = sizes, of = frames) =>
        all.push(...growth((count) => `Scroll of ${count} ${what}, CPU ms per frame`, counts, await costsOf(rounds, desks, table, of)))
      for (const tab of measuredTables) {
        for (const [at, desk] of desks.entries()) {
          await openTab(desk.main, tab)
          await readWhole(desk, sizes[at] ?? Number.NaN)
        }
        await measure(tab.toLowerCase(), tab)
      }
      for (const [at, { main: page }] of desks.entries()) {
        const { fresh } = await appValue(page, 'audit.refresh', {})
        if (fresh < (auditSizes[at] ?? Number.NaN)) throw new Error(`Of the audit ${fresh} rows came`)
        await goTo(page, 'Activity')
        await page.getByRole('radio', { name: 'Audit' }).click()
        await page.locator('table[aria-label="Audit"] tbody tr[aria-rowindex="20"]').waitFor()
      }
      await measure('audit rows', 'Audit', auditSizes, auditFrames)
      return all
    },
  )

/** Measures writing intents to journals of different sizes and reading the newest ones. `folder` must be on a real disk. */
export async function measureJournalGrowth(rounds: Rounds, folder: string): Promise<Measured[]> {
  const home = mkdtempSync(join(folder, 'bench-growth-'))
  const journals = sizes.map((size) => openJournal({ file: join(home, `journal-${size}.db`), clock: systemClock }))
  let count = 0
  const append = (at: number) => {
    count += 1
    journals[at]?.intents.plan(anIntent(`bench-${String(count).padStart(8, '0')}`))
  }
  const timed = (work: () => void) => (): number => {
    const started = performance.now()
    work()
    return performance.now() - started
  }
  const sides = (work: (at: number) => void) => ({ usual: timed(() => work(0)), ten: timed(() => work(1)), hundred: timed(() => work(2)) })
  const costs = ({ usual, ten, hundred }: Record<'usual' | 'ten' | 'hundred', number[]>) => [usual, ten, hundred]
  try {
    for (const [at, size] of sizes.entries()) for (let row = 0; row < size; row += 1) append(at)
    const page = { wallet: anIntent('').wallet, beforeMs: null, limit: 50 }
    const read = await interleave(
      sides((at) => journals[at]?.intents.list('practice', page)),
      { ...rounds, turns: 40 },
    )
    const written = await interleave(sides(append), { ...rounds, turns: 40 })
    if (journals.some((journal) => journal.state() !== 'ready')) throw new Error('A journal is not on disk')
    return [
      ...growth((rows) => `Journal append among ${rows} intents, p50 in ms`, sizes, costs(written)),
      ...growth((rows) => `The 50 newest of ${rows} intents read, p50 in ms`, sizes, costs(read)),
    ]
  } finally {
    for (const journal of journals) journal.close()
    rmSync(home, { recursive: true, force: true })
  }
}

const candleSizes = [500, 5_000, 50_000] as const

/** CPU milliseconds per frame while panning back and forth over the newest of `count` candles. */
const panCost = (page: Page, count: number): Promise<number> =>
  withCpu(page, async (cpuMs) => {
    await page.evaluate((candles) => bench.openChart(candles), count)
    const step = async (frame: number) => page.evaluate((by) => bench.panFrame(by), Math.floor(frame / 5) % 2 === 0 ? -0.25 : 0.25)
    for (let frame = 0; frame < 10; frame += 1) await step(frame)
    const before = await cpuMs()
    for (let frame = 0; frame < frames; frame += 1) await step(frame)
    const cost = ((await cpuMs()) - before) / frames
    await page.evaluate(() => bench.closeChart())
    return cost
  })

/** Measures whether the visible part of a chart costs more when more of the chart is out of view. */
export async function measureCandleGrowth(rounds: Rounds, page: Page): Promise<Measured[]> {
  const [usual, ten, hundred] = candleSizes
  const cost = await interleave({ usual: () => panCost(page, usual), ten: () => panCost(page, ten), hundred: () => panCost(page, hundred) }, rounds)
  return growth((count) => `Pan among ${count} candles, CPU ms per frame`, candleSizes, [cost.usual, cost.ten, cost.hundred])
}
