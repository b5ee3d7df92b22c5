import type { CDPSession, Page } from 'playwright-core'
import { minute, second } from '../../../shared/time.ts'
import { goTo } from '../../pages/frame.ts'
import { join } from '../../pages/ready.ts'
import { signToFinal } from '../../pages/rows.ts'
import { reviewOrder } from '../../pages/ticket.ts'
import { figure, marketHead } from '../../pages/trade.ts'
import type { Desk } from '../../support/desk.ts'
import type { Practice } from '../../support/practice.ts'
import { compare, type Measured } from '../metric.ts'

const [early, late] = [10 * minute, 60 * minute]

/** Bytes on the page’s script heap after garbage collection. */
async function heapBytes(session: CDPSession): Promise<number> {
  for (let times = 0; times < 3; times += 1) await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  return usedSize
}

/** Advances the page’s clock in steps of one second. Each step waits until the page’s requests are answered. */
async function live(page: Page, ms: number): Promise<void> {
  for (let step = 0; step < ms; step += second) {
    await page.clock.fastForward(second)
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)))
  }
}

/** Advances the clock to `toMs`. Returns the heap sizes after each of the last five minutes, because pending reads make single values vary. */
async function heldAt(page: Page, session: CDPSession, fromMs: number, toMs: number): Promise<number[]> {
  await live(page, toMs - fromMs - 5 * minute)
  const held: number[] = []
  for (let times = 0; times < 5; times += 1) {
    await live(page, minute)
    held.push(await heapBytes(session))
  }
  return held
}

/** Measures the memory use of the Trade page (chart, order book, ticket and a position) over one hour of simulated time. */
export async function measureMemory(desk: Desk, practice: Practice): Promise<Measured[]> {
  const page = desk.main
  const phone = await join(desk, 'bot')
  await goTo(page, 'Trade')
  await reviewOrder(page, { value: '2500' })
  await signToFinal(page, phone, practice)
  const session = await page.context().newCDPSession(page)
  try {
    await page.clock.install()
    // Opens the page again, so that its timers use the installed clock.
    await goTo(page, 'Overview')
    await goTo(page, 'Trade')
    await figure(marketHead(page), 'Mark').waitFor()
    const before = await heldAt(page, session, 0, early)
    const readsBefore = (await practice.calls()).length
    const after = await heldAt(page, session, early, late)
    if ((await practice.calls()).length < readsBefore + 1_000) throw new Error('The views did not live: hardly anything was read')
    const mebibytes = (held: readonly number[]) => held.map((bytes) => bytes / 2 ** 20)
    const what = 'Script memory of the Trade page, MiB, after 60 minutes by its clock, against minute 10'
    return [compare(what, { ours: mebibytes(after), against: mebibytes(before), target: 1.05 })]
  } finally {
    await session.detach()
  }
}
