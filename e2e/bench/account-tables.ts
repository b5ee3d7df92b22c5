import { type AccountTab, drawnRows, openTab, tableFoot, tables } from '../pages/account.ts'
import { goTo } from '../pages/frame.ts'
import { pair } from '../pages/ready.ts'
import type { Desk } from '../support/desk.ts'
import type { Practice } from '../support/practice.ts'
import { frameMs } from './cpu.ts'
import { compare, type Measured } from './metric.ts'
import { recycleByHand, recycledName } from './recycled-rows.ts'
import { interleave, type Rounds } from './rounds.ts'
import { rowsInDocument, scrollCost } from './scroll.ts'

const rows = 10_000
const trades = 12_000
export const measuredTables: readonly AccountTab[] = ['Orders', 'Trades', 'Transactions']
const beyond = 25

const counted = rows.toLocaleString('en-US')
const wholeFoot = /^([\d,]+) rows(?!,)/

export async function readWhole({ main: page }: Desk, least: number): Promise<void> {
  await drawnRows(page).first().waitFor()
  const box = tables(page).locator('[data-part=scroll]')
  for (const patience = performance.now() + 120_000; ; ) {
    await box.evaluate((element) => element.scrollTo(0, element.scrollHeight))
    const foot = wholeFoot.exec((await tableFoot(page).textContent()) ?? '')?.[1]
    if (foot !== undefined) {
      if (Number(foot.replaceAll(',', '')) < least) throw new Error(`The table has ${foot} rows only`)
      await box.evaluate((element) => element.scrollTo(0, 0))
      return
    }
    if (performance.now() > patience) throw new Error('The table was not read to its end')
    await page.evaluate(() => new Promise(requestAnimationFrame))
  }
}

async function measureTable(rounds: Rounds, desk: Desk, tab: AccountTab): Promise<Measured[]> {
  const page = desk.main
  await openTab(page, tab)
  await readWhole(desk, rows)
  const name = (await tables(page).getByRole('table').getAttribute('aria-label')) ?? tab
  const steps = ['wheel', 'screenful'] as const
  const costs = { wheel: [] as number[], screenful: [] as number[] }
  for (let round = 0; round <= rounds.rounds; round += 1)
    for (const step of steps) {
      const cost = await scrollCost(page, name, step)
      if (round > 0) costs[step].push(cost)
    }
  const { drawn, room } = await rowsInDocument(page, name)
  const what = `${counted} ${tab.toLowerCase()}`
  const recycled = await recycleByHand(page, name, rows)
  const side = (which: 'ours' | 'recycled', table: string) => async () => {
    await recycled.show(which)
    return scrollCost(page, table)
  }
  const wheel = await interleave({ ours: side('ours', name), recycled: side('recycled', recycledName) }, rounds)
  await recycled.remove()
  return [
    compare(`Scroll of ${what}, CPU ms per frame, against rows recycled by hand`, { ours: wheel.ours, against: wheel.recycled, target: 1.4 }),
    compare(`Scroll of ${what}, CPU ms per frame, against a frame`, { ours: costs.wheel, against: frameMs, target: 1 }),
    compare(`Scroll of ${what} by a screenful each frame, CPU ms per frame, against a frame`, { ours: costs.screenful, against: frameMs, target: 1 }),
    compare(`Rows of ${what} in the document, against those in view and ${beyond}`, { ours: drawn, against: room + beyond, target: 1 }),
  ]
}

/**
 * Measures the Account page’s tables with a year of trading data. Compares them with the duration of one frame, which a user tolerates, and with a
 * table that has the simplest possible rows.
 */
export async function measureAccountTables(rounds: Rounds, desk: Desk, practice: Practice): Promise<Measured[]> {
  await practice.past({ trades })
  await pair(desk)
  await goTo(desk.main, 'Account')
  const all: Measured[] = []
  for (const tab of measuredTables) all.push(...(await measureTable(rounds, desk, tab)))
  return all
}
