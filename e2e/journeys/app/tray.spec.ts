import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { join as joinPath } from 'node:path'
import { goTo, openAddress } from '../../pages/frame.ts'
import { createCustomKey, keyIdOf } from '../../pages/keys.ts'
import { labPanel, listenInLab, openLab } from '../../pages/lab.ts'
import { lockForm, setPassphrase, unlock } from '../../pages/lock.ts'
import { expectKeyStored } from '../../pages/new-key.ts'
import { asksToConnect, asksToSign, phonePage } from '../../pages/phone.ts'
import { join, openPaired, pair, signIn } from '../../pages/ready.ts'
import { signToFinal } from '../../pages/rows.ts'
import { sendToWallet } from '../../pages/signing.ts'
import { reviewOrder, ticket } from '../../pages/ticket.ts'
import { marketHead } from '../../pages/trade.ts'
import { createWebhook, signingSecret } from '../../pages/webhooks.ts'
import { expectConnected, scanWithPhone, startPractising } from '../../pages/welcome.ts'
import { appValue, callApp } from '../../support/bridge.ts'
import { type Desk, host } from '../../support/desk.ts'
import { answerDialogs } from '../../support/dialogs.ts'
import { expect, test, testPaired } from '../../support/fixtures.ts'
import { freePort } from '../../support/free-port.ts'
import { ownName, sayLocked } from '../../support/keyring/fake-desktop.ts'
import { outOf, root } from '../../support/project.ts'
import { portFile, restartedOn } from '../../support/restart.ts'

declare global {
  /** The texts that changed on the page. */
  var changedTexts: string[]
}

const passphrase = 'four plain words here'
const dayMs = 86_400_000

/** The parts of the stand-in for Electron that these tests use. */
interface StandIn {
  readonly requests: { readonly kind: string; readonly title?: string; readonly count?: number; readonly click?: () => void }[]
  readonly trays: {
    getToolTip(): string
    emit(event: string): void
    readonly items: { readonly id: string; readonly label: string; click(): void }[]
  }[]
}

/** Starts the app again on the same data folder, as a user does who sees no window. Resolves with the exit code of the second instance. */
async function startAgain(profileDir: string, ...words: readonly string[]): Promise<number> {
  const child = spawn(host.executable, [joinPath(outOf('hooks'), 'main/index.js'), `--user-data-dir=${profileDir}`, ...words], { cwd: root, stdio: 'ignore' })
  const [code] = await once(child, 'exit')
  return code as number // safe cast: no signal kills the process, so it has an exit code
}

const isMainVisible = (desk: Desk): Promise<boolean> =>
  desk.app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows().some(
      (window) => /index|translated/.test(window.webContents.getURL()) && !/page=/.test(window.webContents.getURL()) && window.isVisible(),
    ),
  )
const expectVisible = (desk: Desk, isVisible: boolean) => expect.poll(() => isMainVisible(desk)).toBe(isVisible)

const closeMain = (desk: Desk): Promise<void> =>
  desk.app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()
      .find(({ webContents }) => webContents.getURL().includes('index.html'))
      ?.close(),
  )

const tray = (desk: Desk, press: string | null = null): Promise<{ readonly tip: string; readonly items: readonly string[] } | null> =>
  desk.app.evaluate((electron, id) => {
    const [icon] = (electron as unknown as { standIn: StandIn }).standIn.trays
    if (icon === undefined) return null
    if (id === 'icon') icon.emit('click')
    else if (id !== null) icon.items.find((item) => item.id === id)?.click()
    return { tip: icon.getToolTip(), items: icon.items.map(({ label }) => label) }
  }, press)

/** The system notifications so far. `click`: clicks the last one. */
const notifications = (desk: Desk, click = false): Promise<readonly string[]> =>
  desk.app.evaluate((electron, isClicked) => {
    const { requests } = (electron as unknown as { standIn: StandIn }).standIn
    const shown = requests.filter(({ kind }) => kind === 'notification')
    if (isClicked) shown.at(-1)?.click?.()
    return shown.map(({ title }) => title ?? '')
  }, click)

/** Makes the app's work with this interval (ms) run every 0.3 seconds. Call it before a profile opens. */
const shortenInterval = (desk: Desk, longMs: number): Promise<void> =>
  desk.app.evaluate((_electron, long) => {
    const { setInterval: real } = globalThis
    Object.assign(globalThis, { setInterval: (work: () => void, ms: number) => real(work, ms === long ? 300 : ms) })
  }, longMs)

test('the user can reopen the closed main window: by starting the app again, from the tray, from the Dock, and while the app is locked', async ({
  launch,
  profileDir,
}) => {
  test.slow()
  const watcher = await ownName(process.env, 'org.kde.StatusNotifierWatcher')
  const desk = await launch()
  await startPractising(desk.main)
  await scanWithPhone(desk.main)
  await desk.phone()
  await expect.poll(() => tray(desk)).toMatchObject({ items: expect.arrayContaining(['Open Svc Desk', 'Stop everything…', 'Lock now', 'Quit']) })
  const asked = await answerDialogs(desk.app, { agree: true })

  await test.step('closing the main window while the phone is open asks once, and a second start brings the window back', async () => {
    await closeMain(desk)
    await expectVisible(desk, false)
    expect((await asked()).map(({ title }) => title)).toEqual(['Keep Svc Desk running?'])
    expect(await startAgain(profileDir)).toBe(0)
    await expectVisible(desk, true)
    await closeMain(desk)
    await expectVisible(desk, false)
    expect(await asked()).toHaveLength(1)
  })
  await test.step('with the phone closed too, the app still runs, and the tray icon and its menu bring the window back', async () => {
    await (await desk.phone()).close()
    for (const press of ['icon', 'open']) {
      await expectVisible(desk, false)
      await tray(desk, press)
      await expectVisible(desk, true)
      await closeMain(desk)
    }
    await expectVisible(desk, false)
  })
  await test.step('the macOS Dock brings the window back', async () => {
    await desk.app.evaluate(({ app }) => void app.emit('activate'))
    await expectVisible(desk, true)
  })
  await test.step('the tray locks the app and opens the kill switch after the unlock', async () => {
    await scanWithPhone(desk.main)
    await phonePage(await desk.phone()).approve(asksToConnect)
    await expectConnected(desk.main)
    await setPassphrase(desk.main, passphrase)
    await closeMain(desk)
    await expectVisible(desk, false)
    await expect.poll(async () => (await appValue(desk.main, 'lock.state', {})).state).toBe('open')
    await tray(desk, 'lock')
    await expect(lockForm(desk.main)).toBeVisible()
    await expect.poll(async () => (await tray(desk))?.tip).toContain('Locked')
    await tray(desk, 'stop')
    await expectVisible(desk, true)
    await unlock(desk.main, passphrase)
    await expect.poll(() => desk.main.url()).toContain('#/trade/stop')
  })
  await test.step('links and the words of the taskbar open a page of the list, and nothing else', async () => {
    await startAgain(profileDir, '--', 'svcdesk://open/keys')
    await expect.poll(() => desk.main.url()).toContain('#/keys')
    for (const link of ['svcdesk://open/keys/new', 'svcdesk://send/all', 'wc:1@2?relay-protocol=irn', '--lock-now']) await startAgain(profileDir, '--', link)
    expect((await appValue(desk.main, 'lock.state', {})).state).toBe('open')
    expect(desk.main.url()).toMatch(/#\/keys$/)
    await startAgain(profileDir, '--lock-now')
    await expect(lockForm(desk.main)).toBeVisible()
    await unlock(desk.main, passphrase)
  })
  await test.step('the screen saver locks the app', async () => {
    await expect.poll(async () => (await appValue(desk.main, 'app.info', {})).seesScreenLock).toBe(true)
    await sayLocked(process.env, 'org.freedesktop.ScreenSaver', true)
    await expect(lockForm(desk.main)).toBeVisible()
    await unlock(desk.main, passphrase)
  })
  await test.step('the settings show and change whether the app keeps running; without a tray, closing the window ends the app', async () => {
    await goTo(desk.main, 'Settings')
    const background = desk.main.getByRole('region', { name: 'Background' })
    await expect(background.getByRole('radio', { name: 'Keep running' })).toBeChecked()
    await watcher.release()
    await closeMain(desk)
    await desk.ended()
  })
})

testPaired('while the app is in the tray, the times on its page do not run; when its window is back, they are current', async ({ open }) => {
  const watcher = await ownName(process.env, 'org.kde.StatusNotifierWatcher')
  const { desk, page } = await openPaired(open)
  await expect.poll(() => tray(desk)).not.toBeNull()
  await answerDialogs(desk.app, { agree: true })
  await page.clock.install()
  await goTo(page, 'Trade')
  const age = marketHead(page).getByText(/ ago/)
  await expect(age).toBeVisible()
  await (await desk.phone()).close()
  await closeMain(desk)
  await expectVisible(desk, false)
  // The page now reads prices only every 30 seconds. The last price becomes old after 8 s, which changes the page once.
  await expect.poll(async () => (await appValue(page, 'app.pollingRate', {})).state).toBe('hidden')
  await page.clock.runFor(10_000)
  await page.evaluate(() => {
    globalThis.changedTexts = []
    new MutationObserver((changes) => globalThis.changedTexts.push(...changes.map(({ target }) => target.textContent ?? ''))).observe(document.body, {
      subtree: true,
      characterData: true,
    })
  })
  await page.clock.runFor(8_000)
  expect(await page.evaluate(() => globalThis.changedTexts)).toEqual([])
  await tray(desk, 'open')
  await expectVisible(desk, true)
  await expect.poll(() => page.evaluate(() => globalThis.changedTexts.some((text) => / ago/.test(text)))).toBe(true)
  await watcher.release()
})

test('without a system tray, Settings disables the choice of what closing the window does, and says why', async ({ launch }) => {
  const { main: page } = await launch()
  await startPractising(page)
  await page.getByRole('button', { name: 'Look around first' }).click()
  await openAddress(page, 'settings/background')
  const whenClosed = page.getByRole('radiogroup', { name: 'Closing the window' })
  await expect(whenClosed.getByRole('radio', { name: 'Keep running' })).toBeDisabled()
  await expect(whenClosed.getByRole('radio', { name: 'Quit' })).toBeDisabled()
  await expect(page.getByText('This desktop has no tray, so closing the window quits Svc Desk.')).toBeVisible()
})

test('without a system tray, closing the main window closes the practice phone and ends the app; starting it meanwhile reopens it', async ({
  launch,
  profileDir,
}) => {
  const desk = await launch()
  await startPractising(desk.main)
  await scanWithPhone(desk.main)
  await desk.phone()
  expect((await appValue(desk.main, 'app.info', {})).hasTray).toBe(false)
  await desk.app.evaluate(({ app }) => {
    // Delays the app’s end until the second start has happened.
    const quit = app.quit.bind(app)
    let isHeld = true
    app.on('second-instance', () => {
      isHeld = false
      quit()
    })
    app.quit = () => {
      if (isHeld) app.emit('before-quit', { preventDefault: () => undefined })
      else quit()
    }
  })
  rmSync(portFile(profileDir), { force: true })
  await closeMain(desk)
  await expect.poll(() => desk.main.isClosed()).toBe(true)
  expect(await startAgain(profileDir)).toBe(0)
  await desk.ended()
  const again = await restartedOn(profileDir)
  await again.end()
})

test('an app that was started at login stays in the tray until a second start opens its window; the setting for login is saved', async ({
  launch,
  profileDir,
}) => {
  const watcher = await ownName(process.env, 'org.kde.StatusNotifierWatcher')
  const desk = await launch({ args: ['--hidden'] })
  await expect.poll(() => tray(desk)).not.toBeNull()
  await expect(desk.main.getByRole('button', { name: 'Start practice' })).toBeAttached()
  expect(await isMainVisible(desk)).toBe(false)
  await startAgain(profileDir)
  await expectVisible(desk, true)
  const saved = await callApp(desk.main, 'app.saveSettings', { startAtLogin: true })
  expect(saved).toMatchObject({ ok: true, value: { startAtLogin: true } })
  expect(await callApp(desk.main, 'app.saveSettings', { startAtLogin: false })).toMatchObject({ value: { startAtLogin: false } })
  await watcher.release()
})

test('a crashed page of the app is back at the same place within 3 s; after the third crash, a plain page says where the log is [V13]', async ({
  launch,
  profileDir,
}) => {
  const desk = await launch()
  await pair(desk)
  await goTo(desk.main, 'Markets')
  const urls = () => desk.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().map(({ webContents }) => webContents.getURL()))
  const textOf = (part: string) =>
    desk.app
      .evaluate(({ BrowserWindow }, wanted) => {
        const window = BrowserWindow.getAllWindows().find(({ webContents }) => webContents.getURL().includes(wanted))
        return window?.webContents.executeJavaScript('document.body.innerText') as Promise<string> | undefined
      }, part)
      // While a page is loading, it cannot be queried. The next poll tries again.
      .catch(String)
  const crash = () =>
    desk.app.evaluate(({ BrowserWindow }) => {
      for (const { webContents } of BrowserWindow.getAllWindows()) if (webContents.getURL().includes('index.html')) webContents.forcefullyCrashRenderer()
    })
  for (const times of [1, 2]) {
    await crash()
    await expect
      .poll(() => textOf('index.html'), { message: `after crash ${times}`, timeout: 3_000, intervals: [50] })
      .toContain('The window reloaded after an error')
    expect((await urls()).find((url) => url.includes('index.html'))).toMatch(/#\/markets/)
  }
  await crash()
  await expect.poll(() => textOf('app://stopped/')).toContain(joinPath(profileDir, 'logs/main.log'))
  expect((await urls()).filter((url) => url.includes('index.html'))).toEqual([])
  const stopped = desk.app.windows().find((window) => window.url().includes('stopped'))
  expect(await stopped?.evaluate(() => 'appBridge' in globalThis)).toBe(false)
  await stopped?.getByRole('link', { name: 'Open the window again' }).click()
  await expect.poll(async () => (await urls()).map((url) => url.replace(/[?#].*/, ''))).toContain('app://bundle/index.html')
  await expect.poll(async () => (await urls()).some((url) => url.startsWith('app://stopped'))).toBe(false)
})

test('while the window is closed, the app notifies once of each key expiry; a click opens the key’s page, after the unlock if locked [KEY-08]', async ({
  open,
  practice,
}) => {
  test.slow()
  const watcher = await ownName(process.env, 'org.kde.StatusNotifierWatcher')
  const desk = await open()
  // The app looks for expired keys once a minute.
  await shortenInterval(desk, 60_000)
  const page = desk.main
  await signIn(page, await pair(desk))
  await createCustomKey(page, { label: 'watch', preset: 'Read-only monitor' })
  await expectKeyStored(page, 'watch')
  const keyId = await keyIdOf(page, 'watch')
  await setPassphrase(page, passphrase)
  expect(await callApp(page, 'keys.setExpiry', { keyId, days: 90 })).toMatchObject({ ok: true })
  await answerDialogs(desk.app, { agree: true })
  await goTo(page, 'Markets')
  const about = async () => (await notifications(desk)).filter((title) => /watch|An account needs you/.test(title))
  const pass = async (days: number) => {
    await practice.advance(days * dayMs)
    // After a simulated wake-up, the app measures the exchange’s time again.
    await desk.app.evaluate(({ powerMonitor }) => void powerMonitor.emit('resume'))
  }
  const steps = [
    { days: 60.5, place: `#/keys/${keyId}/extend` },
    { days: 23, place: `#/keys/${keyId}/extend` },
    { days: 6, place: `#/keys/${keyId}/extend` },
    { days: 1, place: `#/keys/${keyId}`, isLocked: true },
  ]
  for (const [index, { days, place, isLocked = false }] of steps.entries()) {
    await closeMain(desk)
    await expectVisible(desk, false)
    if (isLocked) await tray(desk, 'lock')
    await pass(days)
    await expect.poll(about, { timeout: 20_000 }).toHaveLength(index + 1)
    await notifications(desk, true)
    await expectVisible(desk, true)
    if (isLocked) await unlock(page, passphrase)
    await expect.poll(() => new URL(page.url()).hash).toBe(place)
  }
  expect(new Set(await about()).size).toBe(4)
  expect((await about()).at(-1)).toBe('An account needs you')
  await watcher.release()
})

test('while the window is closed, account alerts, a final order, a refused delivery and a disabled webhook each notify once; a click opens its page', async ({
  open,
  practice,
}) => {
  test.slow()
  const watcher = await ownName(process.env, 'org.kde.StatusNotifierWatcher')
  const desk = await open()
  // The app reads an account with alerts every half minute.
  await shortenInterval(desk, 30_000)
  // The app looks for disabled webhooks every three minutes.
  await shortenInterval(desk, 180_000)
  const page = desk.main
  const phone = await join(desk, 'away')
  await answerDialogs(desk.app, { agree: true })
  /** Closes the window, lets something happen, and clicks the notice about it. */
  const whileAway = async (happen: () => Promise<unknown>, title: RegExp, place: RegExp) => {
    const about = async () => (await notifications(desk)).filter((shown) => title.test(shown))
    await closeMain(desk)
    await expectVisible(desk, false)
    expect(await about()).toEqual([])
    await happen()
    await expect.poll(about, { timeout: 20_000 }).toHaveLength(1)
    expect((await notifications(desk)).at(-1)).toMatch(title)
    expect(await isMainVisible(desk)).toBe(false)
    await notifications(desk, true)
    await expectVisible(desk, true)
    await expect.poll(() => new URL(page.url()).hash).toMatch(place)
    expect(await about()).toHaveLength(1)
  }

  await test.step('an order that becomes final opens its own page', async () => {
    await goTo(page, 'Trade')
    await reviewOrder(page, { value: '500' })
    await sendToWallet(page)
    await phone.approve(asksToSign)
    await expect.poll(async () => (await practice.effects()).relayed.length).toBe(1)
    await whileAway(() => practice.chain({ mine: 8 }), /^Long 500\.00 USDC at market/, /^#\/activity\/[^/]+$/)
    await expect(page.getByRole('main')).toContainText('Final')
  })
  await test.step('a health factor below its threshold opens the account', async () => {
    await goTo(page, 'Markets')
    const thresholds = { watch: null, healthBelow: '100000', distanceBelow: null }
    await whileAway(() => appValue(page, 'account.saveAlerts', thresholds), /^Health factor/, /^#\/account$/)
    await expect(page.getByRole('heading', { level: 1, name: 'Account' })).toBeVisible()
  })
  await test.step('a position near liquidation opens the account', async () => {
    await goTo(page, 'Trade')
    await ticket(page).getByRole('radio', { name: 'Isolated' }).click()
    await reviewOrder(page, { value: '500', leverage: '10' })
    await signToFinal(page, phone, practice)
    await goTo(page, 'Markets')
    const thresholds = { watch: null, healthBelow: null, distanceBelow: '50' }
    await whileAway(() => appValue(page, 'account.saveAlerts', thresholds), /is \d+(\.\d+)? % from liquidation$/, /^#\/account$/)
    await expect(page.getByRole('heading', { level: 1, name: 'Account' })).toBeVisible()
  })
  await test.step('a delivery that the receiver refuses opens the receiver lab', async () => {
    await createWebhook(page, `http://127.0.0.1:${await freePort()}/deliveries`)
    await expect(signingSecret(page)).toContainText('In the system keychain')
    await openLab(page)
    await listenInLab(page)
    const { settings } = await appValue(page, 'lab.state', {})
    if (settings === null) throw new Error('the lab has no settings')
    await appValue(page, 'lab.open', { ...settings, answer: { kind: 'fixed', status: 500, delayS: 0 } })
    await goTo(page, 'Markets')
    await whileAway(() => practice.deliver('transaction.confirmed'), /^Your receiver did not accept an event$/, /^#\/webhooks\/lab$/)
    await expect(labPanel(page)).toBeVisible()
  })
  await test.step('a webhook that another program disabled opens its page', async () => {
    const [webhook] = (await practice.effects()).webhooks
    if (webhook === undefined) throw new Error('there is no webhook')
    await goTo(page, 'Markets')
    await whileAway(() => practice.disableWebhook(webhook.webhook_id), /^A webhook was disabled$/, new RegExp(`^#/webhooks/${webhook.webhook_id}$`))
    await expect(page.getByRole('main')).toContainText('Disabled')
  })
  await watcher.release()
})
