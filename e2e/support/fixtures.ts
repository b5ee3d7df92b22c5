import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test as base, expect } from '@playwright/test'
import { type Desk, type DeskOptions, isReveal, openDesk } from './desk.ts'
import { startKeyring } from './keyring/keyring.ts'
import { defaultSeed, type Practice, startPractice } from './practice.ts'
import { endRestarted, uncaughtInMain } from './restart.ts'

/** Practice exchanges for the tests of one worker. The next exchange starts while a test runs, so that the next test does not have to wait. */
interface Stock {
  take(): Promise<Practice>
}

interface WorkerFixtures {
  /** Gives each worker its own keychain, because the practice profiles of two workers would use the same entry names. */
  readonly ownKeychain: undefined
  readonly stock: Stock
}

interface Fixtures {
  /** The app’s data folder. It is deleted after the test. */
  readonly profileDir: string
  readonly practice: Practice
  /** Set by `test.use`: whether the test causes uncaught errors in the main process on purpose. If false, such an error fails the test. */
  readonly plantsErrors: boolean
  /** Set by `test.use`: how far the exchange’s clock is ahead of this computer’s clock, in ms. */
  readonly practiceAheadMs: number
  /** Set by `test.use`: the seed from which the exchange generates its prices and its past. */
  readonly practiceSeed: number
  /** Opens the app without connecting it to the test’s practice exchange. */
  readonly launch: (options?: Partial<DeskOptions>) => Promise<Desk>
  /** Opens the app on the test’s practice exchange. A test may call this again after it killed the app. */
  readonly open: (options?: Partial<DeskOptions>) => Promise<Desk>
}

export const test = base.extend<Fixtures, WorkerFixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from this pattern
  profileDir: async ({}, use) => {
    const dir = mkdtempSync(join(tmpdir(), 'svc-desk-profile-'))
    await use(dir)
    rmSync(dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
  },
  ownKeychain: [
    // biome-ignore lint/correctness/noEmptyPattern: as above
    async ({}, use) => {
      const keyring = process.platform === 'linux' ? await startKeyring() : null
      for (const name of ['HOME', 'XDG_RUNTIME_DIR', 'XDG_DATA_HOME', 'DBUS_SESSION_BUS_ADDRESS']) {
        if (keyring !== null) process.env[name] = keyring.env[name]
      }
      await use(undefined)
      await keyring?.stop()
    },
    { scope: 'worker', auto: true },
  ],
  stock: [
    // biome-ignore lint/correctness/noEmptyPattern: as above
    async ({}, use) => {
      const start = () => {
        const practice = startPractice()
        // The test that uses this exchange gets the error. Without this handler, Node would report an unhandled rejection before that test starts.
        practice.catch(() => undefined)
        return practice
      }
      let next = start()
      await use({
        take: async () => {
          const taken = next
          next = taken.then(start, start)
          next.catch(() => undefined)
          return taken
        },
      })
      const left = await next.catch(() => null)
      await left?.stop()
    },
    { scope: 'worker' },
  ],
  plantsErrors: [false, { option: true }],
  practiceAheadMs: [0, { option: true }],
  practiceSeed: [defaultSeed, { option: true }],
  practice: async ({ practiceAheadMs: aheadMs, practiceSeed: seed, stock }, use) => {
    const practice = aheadMs === 0 && seed === defaultSeed ? await stock.take() : await startPractice({ aheadMs, seed })
    await use(practice)
    await practice.stop()
  },
  launch: async ({ profileDir, plantsErrors }, use, testInfo) => {
    const desks: Desk[] = []
    await use(async (options = {}) => {
      const desk = await openDesk({ profileDir, variant: 'hooks', ...options })
      desks.push(desk)
      return desk
    })
    if (testInfo.status !== testInfo.expectedStatus) {
      const windows = desks.flatMap((desk) => desk.app.windows()).filter((page) => !isReveal(page))
      for (const [index, page] of windows.entries()) await page.screenshot({ path: testInfo.outputPath(`window-${index}.png`) }).catch(() => undefined)
    }
    for (const desk of desks) await desk.close()
    if (process.platform === 'linux') await endRestarted(profileDir)
    if (!plantsErrors) expect(uncaughtInMain(profileDir), 'no error in the main process was left uncaught').toEqual([])
    expect(
      desks.flatMap((desk) => desk.uncaught()),
      'no error in a window was left uncaught',
    ).toEqual([])
  },
  // `practice` comes before `launch`, so that the exchange stops only after the app has closed.
  open: async ({ practice, launch }, use) => {
    await use((options = {}) => launch({ descriptorFile: practice.descriptorFile, ...options }))
  },
})

export { expect } from '@playwright/test'
