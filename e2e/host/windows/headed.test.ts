import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Fixture, launchFixture, makeProfile } from '../launch-fixture.ts'

vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 })
const { profile, removeProfile } = makeProfile()
let xServer: ChildProcess
let fixture: Fixture
beforeAll(async () => {
  xServer = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1280x800x24', '-nolisten', 'tcp'], { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] })
  const [display] = await once(createInterface({ input: xServer.stdio[3] as Readable }), 'line')
  fixture = await launchFixture(profile, { env: { DISPLAY: `:${display}`, SVC_DESK_HEADED: '1' } })
})
afterAll(async () => {
  await fixture.app.close()
  xServer.kill()
  removeProfile()
})

test('the stand-in for Electron opens windows without browser controls on a display, and works without a display', async () => {
  const { app, page } = fixture
  expect(await page.evaluate(() => matchMedia('(display-mode: browser)').matches)).toBe(false)
  const opened = app.waitForEvent('window')
  await app.evaluate(({ app: theApp }) => {
    theApp.removeAllListeners('window-all-closed')
    theApp.on('window-all-closed', () => {})
    Reflect.get(globalThis, 'openFixture')({ title: 'Second', width: 640, height: 480 })
  })
  const second = await opened
  await second.getByText('pong').waitFor()
  await expect.poll(() => second.evaluate(() => outerWidth)).toBe(640)
  expect(await second.evaluate(() => window.bridge.invoke('sender'))).toMatchObject({ same: true, window: 2 })
  await app.evaluate(({ BrowserWindow }) => {
    for (const window of BrowserWindow.getAllWindows()) window.destroy()
  })
  await expect.poll(() => app.windows()).toEqual([])
  const again = app.waitForEvent('window')
  await app.evaluate(() => void Reflect.get(globalThis, 'openFixture')({ title: 'Again' }))
  await (await again).getByText('pong').waitFor()
})

test('on the stand-in for Electron, the page of a hidden window reports itself as visible and runs its timers at full speed', async () => {
  const { app } = fixture
  const page = app.windows()[0]
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.hide())
  await expect.poll(() => page?.evaluate(() => document.visibilityState)).toBe('visible')
  const elapsed = await page?.evaluate(async () => {
    const start = performance.now()
    for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setTimeout(resolve, 50))
    return performance.now() - start
  })
  // A throttled page runs its timers once per second, which would take longer than this limit.
  expect(elapsed).toBeLessThan(5_000)
})
