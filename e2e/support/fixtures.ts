import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test as base, expect } from '@playwright/test'
import { type Desk, type DeskOptions, isReveal, openDesk } from './desk.ts'
import { startKeyring } from './keyring/keyring.ts'
import { defaultSeed, type Practice, startPractice } from './practice.ts'
import { endRestarted, uncaughtInMain } from './restart.ts'

/** Practice exchanges, one of them ready before it is asked for: it starts while the test before runs. */
interface Stock {
  take(): Promise<Practice>
}

interface WorkerFixtures {
  /** Journeys of two workers at once must not meet in one keychain: practice profiles keep their entries under the same names. */
  readonly ownKeychain: undefined
  readonly stock: Stock
}

interface Fixtures {
  /** The app's data folder, thrown away afterwards. */
  readonly profileDir: string
  readonly practice: Practice
  /** Set by `test.use`: errors of the main process that no code catches are the test's own. */
  readonly plantsErrors: boolean
  /** Set by `test.use`: by how much the exchange's clock is ahead of this computer's. */
  readonly practiceAheadMs: number
  /** Set by `test.use`: the seed of the exchange's prices and of the past that it invents. */
  readonly practiceSeed: number
  /** Opens the app with no exchange at hand. */
  readonly launch: (options?: Partial<DeskOptions>) => Promise<Desk>
  /** Opens the app on the test's practice exchange; may be called again after a kill. */
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
        // The test that takes it learns about it.
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
  // The exchange is asked for first, so that it outlives the app.
  open: async ({ practice, launch }, use) => {
    await use((options = {}) => launch({ descriptorFile: practice.descriptorFile, ...options }))
  },
})

export { expect } from '@playwright/test'
