import { existsSync, readFileSync } from 'node:fs'
import { expect } from '@playwright/test'
import type { ElectronApplication } from 'playwright-core'
import { second } from '../../../shared/time.ts'
import { descendantsOf } from '../../host/process-tree.ts'
import { goTo } from '../../pages/frame.ts'
import { join } from '../../pages/ready.ts'
import { signToFinal } from '../../pages/rows.ts'
import { reviewOrder } from '../../pages/ticket.ts'
import { figure, marketHead } from '../../pages/trade.ts'
import type { Desk } from '../../support/desk.ts'
import { answerDialogs } from '../../support/dialogs.ts'
import type { Practice } from '../../support/practice.ts'
import { compare, type Measured } from '../metric.ts'

/** Length of one round of doing nothing, in seconds. Shorter than a real pause, so that the benchmark ends in time. */
const idleSeconds = 20
/** Ticks of the processes' CPU time in /proc, in ms. */
const tickMs = 10

/** Whether this system lists the memory and CPU time of other processes as Linux does. */
export const hasProcesses = (): boolean => existsSync('/proc/self/smaps_rollup')

const processesOf = (app: ElectronApplication): number[] => {
  const { pid } = app.process()
  return pid === undefined ? [] : [pid, ...descendantsOf(pid)]
}

const readOf = (pid: number, file: string): string => {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    // The process has ended.
    return ''
  }
}

/** Memory of all processes of an app, in MiB. Memory that processes share counts in equal parts (PSS), so that the sum is right. */
const memoryOf = (app: ElectronApplication): number =>
  processesOf(app).reduce((sum, pid) => sum + Number(/^Pss:\s+(\d+) kB$/m.exec(readOf(pid, 'smaps_rollup'))?.[1] ?? 0), 0) / 1_024

/** CPU time of all processes of an app since their start, in ms. */
const cpuOf = (app: ElectronApplication): number =>
  processesOf(app).reduce((sum, pid) => {
    const stat = readOf(pid, 'stat')
    const [user = 0, system = 0] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 13)
      .map(Number)
    return sum + (user + system) * tickMs
  }, 0)

/**
 * Bytes that the main process has sent to disk since its start. It writes everything the app keeps, except for the pairing with the wallet. The
 * stand-in’s Chromium does not count, because it keeps memory that its processes share in files.
 */
const writtenBy = (app: ElectronApplication): number => Number(/^write_bytes: (\d+)$/m.exec(readOf(app.process().pid ?? 0, 'io'))?.[1] ?? 0)

/** What two apps used while they did nothing at the same time. One value per round: CPU in ms per second, written data in KiB per hour. */
interface Idle {
  readonly cpu: { readonly ours: readonly number[]; readonly against: readonly number[] }
  readonly written: readonly number[]
}

/** Lets both apps do nothing for some rounds. The empty app’s CPU time counts at least one tick, so that there is something to compare with. */
async function idle(rounds: number, desk: Desk, empty: ElectronApplication): Promise<Idle> {
  const cpu = { ours: [] as number[], against: [] as number[] }
  const written: number[] = []
  // The first round only lets the apps settle.
  for (let round = 0; round <= rounds; round += 1) {
    const before = { ours: cpuOf(desk.app), against: cpuOf(empty), written: writtenBy(desk.app) }
    await new Promise((resolve) => setTimeout(resolve, idleSeconds * second))
    if (round === 0) continue
    cpu.ours.push((cpuOf(desk.app) - before.ours) / idleSeconds)
    cpu.against.push(Math.max(tickMs, cpuOf(empty) - before.against) / idleSeconds)
    written.push(((writtenBy(desk.app) - before.written) / 1_024) * (3_600 / idleSeconds))
  }
  return { cpu, written }
}

/** Closes the practice phone and the main window. The app keeps running in the tray. */
async function closeToTray(desk: Desk): Promise<void> {
  await answerDialogs(desk.app, { agree: true })
  await (await desk.phone()).close()
  await desk.app.evaluate(({ BrowserWindow }) => {
    for (const window of BrowserWindow.getAllWindows()) window.close()
  })
  await expect.poll(() => desk.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().some((window) => window.isVisible()))).toBe(false)
}

const mostRounds = 3

/** Measures the app and all its processes against a window with an empty React page on the same host: memory, and CPU while nothing happens. */
export async function measureWholeApp(rounds: number, desk: Desk, practice: Practice, empty: ElectronApplication): Promise<Measured[]> {
  const page = desk.main
  const count = Math.min(rounds, mostRounds)
  const start = { ours: memoryOf(desk.app), against: memoryOf(empty) }
  const phone = await join(desk, 'bot')
  await goTo(page, 'Trade')
  await reviewOrder(page, { value: '2500' })
  await signToFinal(page, phone, practice)
  const orders: number[] = []
  for (let order = 0; order < count; order += 1) {
    const before = writtenBy(desk.app)
    await reviewOrder(page, { value: '2500' })
    await signToFinal(page, phone, practice)
    orders.push((writtenBy(desk.app) - before) / 1_024)
  }
  await figure(marketHead(page), 'Mark').waitFor()
  const trade = await idle(count, desk, empty)
  await closeToTray(desk)
  const tray = await idle(count, desk, empty)
  const seconds = `${count} times ${idleSeconds} s`
  return [
    compare('Whole app, memory of all processes after start, MiB (PSS), against an empty window', { ...start, target: 2 }),
    compare(`Whole app, CPU ms per second on Trade with live prices (${seconds}), against a tenth of a core`, {
      ours: trade.cpu.ours,
      against: 100,
      target: 1,
    }),
    compare(`Whole app, CPU ms per second in the tray (${seconds}), against an empty window`, { ...tray.cpu, target: 1.2 }),
    compare('Whole app, KiB that main writes to disk per order, from the review to its end, against 1 MiB', { ours: orders, against: 1_024, target: 1 }),
    compare(`Whole app, KiB that main writes to disk per idle hour on Trade (from ${seconds}), against 64 MiB`, {
      ours: trade.written,
      against: 65_536,
      target: 1,
    }),
    compare(`Whole app, KiB that main writes to disk per idle hour in the tray (from ${seconds}), against 4 MiB`, {
      ours: tray.written,
      against: 4_096,
      target: 1,
    }),
  ]
}
