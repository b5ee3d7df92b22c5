import type { Page } from 'playwright-core'
import { goTo } from '../pages/frame.ts'
import { pair, signIn } from '../pages/ready.ts'
import { appValue } from '../support/bridge.ts'
import type { Desk } from '../support/desk.ts'
import type { Practice } from '../support/practice.ts'
import { frameMs } from './cpu.ts'
import { compare, type Measured } from './metric.ts'
import type { Rounds } from './rounds.ts'
import { scrollCost } from './scroll.ts'

const keys = 64
const auditRows = 5_000
const searchMs = 50

const searchCost = (page: Page, field: string, table: string, typed: string): Promise<number> =>
  page.evaluate(
    async ([id, name, text]) => {
      const input = document.querySelector<HTMLInputElement>(`#${id}`)
      const shown = document.querySelector(`table[aria-label="${name}"]`)
      if (input === null || shown === null) throw new Error(`There is no search of ${name}`)
      const write = (value: string) => {
        // React overrides the input’s `value` property, so the code calls the original setter. React then reacts as to a key press.
        Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, value)
        input.dispatchEvent(new InputEvent('input', { bubbles: true }))
      }
      const rows = () => [...document.querySelectorAll(`table[aria-label="${name}"] tbody tr:not([data-part=space], [data-part=group])`)]
      const fits = () => rows().length > 0 && rows().every((row) => row.textContent?.toLowerCase().includes(text))
      const until = async (ready: () => boolean) => {
        const patience = performance.now() + 10_000
        while (!ready()) {
          if (performance.now() > patience) throw new Error(`The search for ${text} was not answered`)
          await new Promise(requestAnimationFrame)
        }
      }
      const started = performance.now()
      write(text)
      await until(fits)
      const took = performance.now() - started
      write('')
      await until(() => !fits())
      return took
    },
    [field, table, typed] as const,
  )

const eachRound = async (rounds: number, sample: () => Promise<number>): Promise<number[]> => {
  await sample()
  const figures: number[] = []
  for (let round = 0; round < rounds; round += 1) figures.push(await sample())
  return figures
}

/**
 * Measures the key table and the audit log with the data of a busy account. Compares them with the times that a user tolerates: one frame for
 * scrolling, and 50 ms for a search.
 */
export async function measureLongLists({ rounds }: Rounds, desk: Desk, practice: Practice): Promise<Measured[]> {
  const page = desk.main
  await signIn(page, await pair(desk))
  await practice.sample(keys, auditRows)
  await goTo(page, 'Keys')
  await page.getByRole('button', { name: 'Refresh' }).click()
  await page.getByRole('table', { name: 'Keys' }).getByRole('row').nth(keys).waitFor()
  const key = {
    scroll: await eachRound(rounds, () => scrollCost(page, 'Keys')),
    search: await eachRound(rounds, () => searchCost(page, 'key-filter', 'Keys', 'maker')),
  }

  await appValue(page, 'audit.refresh', {})
  await goTo(page, 'Activity')
  await page.getByRole('radio', { name: 'Audit' }).click()
  await page.locator(`table[aria-label="Audit"] tbody tr[aria-rowindex="20"]`).waitFor()
  const audit = {
    scroll: await eachRound(rounds, () => scrollCost(page, 'Audit')),
    search: await eachRound(rounds, () => searchCost(page, 'audit-filter', 'Audit', 'maker')),
  }

  return [
    compare(`Scroll of ${keys} keys, CPU ms per frame, against a frame`, { ours: key.scroll, against: frameMs, target: 1 }),
    compare(`Search in ${keys} keys, ms to the frame that shows it, against 50 ms`, { ours: key.search, against: searchMs, target: 1 }),
    compare(`Scroll of ${auditRows} audit rows, CPU ms per frame, against a frame`, { ours: audit.scroll, against: frameMs, target: 1 }),
    compare(`Search in ${auditRows} audit rows, ms to the frame that shows it, against 50 ms`, { ours: audit.search, against: searchMs, target: 1 }),
  ]
}
