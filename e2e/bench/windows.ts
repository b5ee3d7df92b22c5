import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { _electron, type Page } from 'playwright-core'
import { build } from 'vite'
import { type Desk, host, openDesk } from '../support/desk.ts'
import { ownName } from '../support/keyring/fake-desktop.ts'
import { type Practice, startPractice } from '../support/practice.ts'
import { outOf } from '../support/project.ts'
import { measureAccountTables } from './account-tables.ts'
import { measureCapturedEvents } from './captured-events.ts'
import { measureFirstScreen } from './first-load.ts'
import { measureCandleGrowth, measureTableGrowth } from './growth.ts'
import { measureIpcQuery } from './ipc-query.ts'
import { measureLongLists } from './long-lists.ts'
import { measureMarket } from './market.ts'
import type { Measured } from './metric.ts'
import type { Rounds } from './rounds.ts'
import { measureStart } from './start-up.ts'
import { measureMemory } from './whole/memory.ts'
import { measureTicketToWallet } from './whole/ticket-to-wallet.ts'
import { measureWholeApp } from './whole/whole-app.ts'

const variant = 'hooks'
const fixture = join(import.meta.dirname, 'fixture/main.js')

/** The benchmark’s measurements that need app windows. `close` deletes the apps’ data folders. */
export interface WindowBench {
  ipcQuery(rounds: Rounds): Promise<Measured[]>
  firstScreen(reference: string): Promise<Measured[]>
  start(rounds: Rounds): Promise<Measured[]>
  market(rounds: Rounds): Promise<Measured[]>
  longLists(rounds: Rounds): Promise<Measured[]>
  accountTables(rounds: Rounds): Promise<Measured[]>
  capturedEvents(rounds: Rounds): Promise<Measured[]>
  tableGrowth(rounds: Rounds): Promise<Measured[]>
  candleGrowth(rounds: Rounds): Promise<Measured[]>
  memory(): Promise<Measured[]>
  wholeApp(rounds: Rounds): Promise<Measured[]>
  /** `folder` must be on a real disk, because an in-memory file system does not write to disk. */
  ticketToWallet(rounds: Rounds, folder: string): Promise<Measured[]>
  close(): void
}

const usable = (page: Page) => page.getByRole('button', { name: 'Start practice', disabled: false })

/** Builds the reference page (empty React) and chooses data folders. Each measurement starts its own apps. */
export async function prepareWindows(): Promise<WindowBench> {
  const home = mkdtempSync(join(tmpdir(), 'svc-desk-bench-'))
  const emptyPage = join(home, 'page')
  await buildPage('react', emptyPage)
  const data = (name: string) => join(home, name)
  const echoArgs = (name: string) => [fixture, `--user-data-dir=${data(name)}`, `--page=${emptyPage}`, `--preload=${join(outOf(variant), 'preload/index.cjs')}`]
  const openProduct = () => openDesk({ profileDir: data('product'), variant })

  async function inPractice<T>(name: string, work: (desk: Desk, practice: Practice) => Promise<T>): Promise<T> {
    const practice = await startPractice()
    try {
      const desk = await openDesk({ profileDir: data(name), variant, descriptorFile: practice.descriptorFile })
      try {
        return await work(desk, practice)
      } finally {
        await desk.close()
      }
    } finally {
      await practice.stop()
    }
  }

  /** Runs `work` on a page with only the chart and the order book. */
  async function onMarketPage<T>(name: string, work: (page: Page) => Promise<T>): Promise<T> {
    const shown = join(home, 'market')
    await buildPage('market', shown)
    const preload = join(outOf(variant), 'preload/index.cjs')
    const args = [fixture, `--user-data-dir=${data(name)}`, `--page=${shown}`, `--preload=${preload}`]
    const app = await _electron.launch({ executablePath: host.executable, args })
    try {
      const page = await app.firstWindow()
      await page.getByRole('button', { name: 'Start' }).waitFor()
      await page.waitForFunction(() => 'bench' in globalThis)
      return await work(page)
    } finally {
      await app.close()
    }
  }

  return {
    async ipcQuery(rounds) {
      const desk = await openProduct()
      try {
        const echo = await _electron.launch({ executablePath: host.executable, args: echoArgs('echo') })
        try {
          await usable(desk.main).waitFor()
          const page = await echo.firstWindow()
          await page.getByRole('button', { name: 'Start' }).waitFor()
          return await measureIpcQuery(rounds, { product: desk.main, echo: page })
        } finally {
          await echo.close()
        }
      } finally {
        await desk.close()
      }
    },
    async firstScreen(reference) {
      const desk = await openProduct()
      try {
        await usable(desk.main).waitFor()
        return await measureFirstScreen({ renderer: join(outOf(variant), 'renderer'), reference }, desk.main, () => usable(desk.main).waitFor())
      } finally {
        await desk.close()
      }
    },
    start: (rounds) =>
      measureStart(rounds, {
        executable: host.executable,
        product: { args: [join(outOf(variant), 'main/index.js'), `--user-data-dir=${data('start')}`], usable },
        empty: { args: echoArgs('start-empty'), usable: (page) => page.getByRole('button', { name: 'Start' }) },
      }),
    longLists: (rounds) => inPractice('long-lists', (desk, practice) => measureLongLists(rounds, desk, practice)),
    accountTables: (rounds) => inPractice('account-tables', (desk, practice) => measureAccountTables(rounds, desk, practice)),
    capturedEvents: (rounds) => inPractice('captured-events', (desk) => measureCapturedEvents(rounds, desk)),
    tableGrowth: (rounds) => measureTableGrowth(rounds, inPractice),
    market: (rounds) => onMarketPage('market', (page) => measureMarket(rounds, page)),
    candleGrowth: (rounds) => onMarketPage('candle-growth', (page) => measureCandleGrowth(rounds, page)),
    ticketToWallet: (rounds, folder) => inPractice('ticket', (desk, practice) => measureTicketToWallet(rounds, desk, practice, folder)),
    memory: () => inPractice('memory', measureMemory),
    async wholeApp({ rounds }) {
      // Without a tray on this desktop, closing the window would end the app.
      const watcher = await ownName(process.env, 'org.kde.StatusNotifierWatcher')
      try {
        return await inPractice('whole', async (desk, practice) => {
          const empty = await _electron.launch({ executablePath: host.executable, args: echoArgs('whole-empty') })
          try {
            await Promise.all([usable(desk.main).waitFor(), (await empty.firstWindow()).getByRole('button', { name: 'Start' }).waitFor()])
            return await measureWholeApp(rounds, desk, practice, empty)
          } finally {
            await empty.close()
          }
        })
      } finally {
        await watcher.release()
      }
    },
    close: () => rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }),
  }
}

/** Builds a page of `fixture/` for production into `folder`: `index.html` and its scripts. */
export async function buildPage(name: 'react' | 'react-viem' | 'market', folder: string): Promise<void> {
  // Ignores the project’s own configuration, because the reference is Vite’s default build.
  await build({
    configFile: false,
    root: join(import.meta.dirname, 'fixture', name),
    base: './',
    logLevel: 'error',
    build: { outDir: folder, emptyOutDir: true },
  })
}
