import { readdirSync } from 'node:fs'
import type { CDPSession, Page } from 'playwright-core'
import type { Faults } from '../../electron/practice/base/faults.ts'
import { minute, second } from '../../shared/time.ts'
import { goTo, type View } from '../pages/frame.ts'
import { join } from '../pages/ready.ts'
import { signToFinal } from '../pages/rows.ts'
import { reviewOrder } from '../pages/ticket.ts'
import type { Desk } from '../support/desk.ts'
import type { Practice } from '../support/practice.ts'

/** The app’s resources at the end of a minute, after garbage collection. */
export interface Held {
  readonly resident: number
  /** Bytes on the main process’s JavaScript heap. */
  readonly script: number
  /** Open files and connections of the main process. */
  readonly files: number
  /** Timers, sockets and other handles that keep the main process alive. */
  readonly handles: number
  /** Bytes on the page’s JavaScript heap. */
  readonly page: number
}

export interface Soaked {
  readonly held: readonly Held[]
  /** Requests that the exchange received in that minute. */
  readonly requests: number
  /** Uncaught errors in the window and in the main process. */
  readonly uncaught: readonly string[]
}

const live = {}
/** The exchange’s faults in each minute; repeats after the last entry. `at`: the second in the minute. */
const troubles: readonly (readonly (readonly [at: number, faults: Partial<Faults>])[])[] = [
  [[0, { stream: live }]],
  [[0, { stream: { cutAfter: 3 } }]],
  [[0, { stream: { duplicate: true, reorder: true } }]],
  [
    [0, { stream: live, hostDown: [{ host: 'first', how: 503 }] }],
    [20, { hostDown: [] }],
    [40, { hostDown: [{ host: 'first', how: 'refused' }] }],
    [55, { hostDown: [] }],
  ],
  [[0, { stream: { lose: 20, buffer: 1 }, rowsArrive: 3 }]],
  [
    [0, { rowsArrive: 0, stream: { silent: 'everything' }, body: [{ route: 'GET /api/dex/v1/markets', kind: 'truncated' }] }],
    [30, { body: [], html: true }],
    [45, { html: false, stream: null }],
  ],
]
const views: readonly View[] = ['Trade', 'Account', 'Markets', 'Keys', 'Webhooks', 'Activity', 'Overview']

/** Uses the app for `minutes` minutes of the page’s simulated clock while stream and host fail. Switches the page every nine seconds. */
export async function soak(desk: Desk, practice: Practice, minutes: number): Promise<Soaked> {
  const page = desk.main
  const phone = await join(desk, 'soak')
  await goTo(page, 'Trade')
  await reviewOrder(page, { value: '2500' })
  await signToFinal(page, phone, practice)
  const session = await page.context().newCDPSession(page)
  const pid = desk.app.process().pid ?? 0
  await page.clock.install()
  const before = (await practice.calls()).length
  const held: Held[] = []
  for (let at = 0; at < minutes; at += 1) {
    await oneMinute(page, practice, troubles[at % troubles.length] ?? [], at)
    held.push(await measure(desk, session, pid))
  }
  await session.detach()
  return { held, requests: (await practice.calls()).length - before, uncaught: desk.uncaught() }
}

async function oneMinute(page: Page, practice: Practice, trouble: (typeof troubles)[number], count: number): Promise<void> {
  for (let at = 0; at < minute / second; at += 1) {
    for (const [when, faults] of trouble) if (when === at) await practice.faults(faults)
    if (at % 9 === 0) await goTo(page, views[(count * 7 + at / 9) % views.length] ?? 'Trade')
    await page.clock.fastForward(second)
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)))
    // Waits a moment of real time by calling the phone twice, so that pending responses arrive before the next simulated second.
    await practice.phone()
    await practice.phone()
  }
  await practice.clearFaults()
}

async function measure(desk: Desk, session: CDPSession, pid: number): Promise<Held> {
  for (let times = 0; times < 3; times += 1) await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  const main = await desk.app.evaluate(() => {
    process.getBuiltinModule('node:v8').setFlagsFromString('--expose-gc')
    const collect = process.getBuiltinModule('node:vm').runInNewContext('gc') as () => void // safe cast: the flag --expose-gc makes V8’s own function available
    collect()
    collect()
    const { rss, heapUsed } = process.memoryUsage()
    return { rss, heapUsed, handles: process.getActiveResourcesInfo().length }
  })
  return { resident: main.rss, script: main.heapUsed, handles: main.handles, files: readdirSync(`/proc/${pid}/fd`).length, page: usedSize }
}
