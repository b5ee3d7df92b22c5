import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test as base, expect } from '@playwright/test'
import { type Desk, type DeskOptions, isReveal, openDesk } from './desk.ts'
import { startKeyring } from './keyring/keyring.ts'
import { defaultSeed, type Practice, startPractice } from './practice.ts'
import { endRestarted, uncaughtInMain } from './restart.ts'
import { type Start, type StoredStarts, storedStarts } from './stored/stored-start.ts'

interface WorkerFixtures {
  /** Gives each worker its own keychain, because the practice profiles of two workers would use the same entry names. */
  readonly ownKeychain: undefined
  readonly starts: StoredStarts
}

interface Fixtures {
  /** The app’s data folder. It is deleted after the test. */
  readonly profileDir: string
  readonly practice: Practice
  /** Set by `test.use`: whether the test causes uncaught errors in the main process on purpose. If false, such an error fails the test. */
  readonly plantsErrors: boolean
  /** Set by functions such as `testSignedIn`: what the user has done before the test. */
  readonly start: Start
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
  start: ['new', { option: true }],
  profileDir: async ({ start, starts }, use) => {
    const dir = mkdtempSync(join(tmpdir(), 'svc-desk-profile-'))
    await starts.prepare(start, dir)
    await use(dir)
    rmSync(dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
  },
  ownKeychain: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from this pattern
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
  starts: [
    async ({ ownKeychain: _ }, use) => {
      const starts = storedStarts()
      await use(starts)
      starts.remove()
    },
    { scope: 'worker' },
  ],
  plantsErrors: [false, { option: true }],
  practiceAheadMs: [0, { option: true }],
  practiceSeed: [defaultSeed, { option: true }],
  practice: async ({ practiceAheadMs: aheadMs, practiceSeed: seed, start, starts }, use) => {
    const practice = await startPractice({ aheadMs, seed, data: await starts.practiceData(start) })
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

// Tests that begin after the user paired, signed in or created a key. They wait for it with `paired` or `signedIn`. In a file in which most tests
// begin in one of these ways, that function has the name `test`, and a test that begins from nothing uses `testNew`.
export const testPaired = test.extend({ start: 'paired' })
export const testSignedIn = test.extend({ start: 'signed-in' })
export const testWithKey = test.extend({ start: 'with-key' })

export { expect } from '@playwright/test'
export { firstKey } from './stored/stored-start.ts'
