import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { argumentsOf, descendantsOf, isRunning } from '../../host/process-tree.ts'
import { intentDetail, takeUp } from '../../pages/activity.ts'
import { goTo } from '../../pages/frame.ts'
import { keyIdOf, keyRow } from '../../pages/keys.ts'
import { createUnanswered, join as joinIn, openPhone, pair, signedIn } from '../../pages/ready.ts'
import { expectSignedIn } from '../../pages/sign-in.ts'
import { sendToWallet } from '../../pages/signing.ts'
import { reviewOrder } from '../../pages/ticket.ts'
import { expectConnected } from '../../pages/welcome.ts'
import { type Desk, host } from '../../support/desk.ts'
import { expect, test, testSignedIn } from '../../support/fixtures.ts'
import { keptSecrets } from '../../support/keyring.ts'
import { outOf, root } from '../../support/project.ts'
import { age, closedWindow, isRunningOn, plantError, restartedOn, uncaughtInMain, windowOn } from '../../support/restart.ts'

test.use({ plantsErrors: true })

const relay = 'POST /api/dex/actions/relay'
/** Time limit in ms for the app to end, including the time in which the test detects this. */
const fewSeconds = 7_000

/** Closes the window that explains why the app closed. */
async function quitClosed(desk: Desk): Promise<void> {
  await (await closedWindow(desk)).getByRole('link', { name: 'Quit' }).click()
}

const notices = (page: Page) => page.getByRole('region', { name: 'Notifications' })

test('after an uncaught error during an order, the app restarts and reports the error once; the order was sent only once [FLOW-06, FLOW-07, V13]', async ({
  open,
  practice,
  profileDir,
}) => {
  const desk = await open()
  await joinIn(desk, 'survivor')
  const [secret = ''] = keptSecrets(await keyIdOf(desk.main, 'survivor'))
  expect(secret).toMatch(/^SVC/)
  await practice.faults({ delay: [{ route: relay, ms: null }] })
  await practice.wallet({ autoApprove: true })
  await goTo(desk.main, 'Trade')
  await reviewOrder(desk.main, { value: '330' })
  await sendToWallet(desk.main)
  await expect.poll(async () => (await practice.effects()).relayed.length).toBe(1)
  await age(desk)
  const plantedAt = Date.now()
  expect(await plantError(desk, profileDir, 'throws', `planted with ${secret}`)).toBe(1)
  expect(Date.now() - plantedAt).toBeLessThan(fewSeconds)
  await practice.faults({ delay: [] })

  const again = await restartedOn(profileDir)
  const [logged] = uncaughtInMain(profileDir)
  expect(uncaughtInMain(profileDir)).toHaveLength(1)
  expect(logged?.error.message).toContain('planted with')
  expect(again.words).toContain(`--restarted-after=${logged?.reference}`)
  await expect(notices(again.main)).toContainText('Svc Desk restarted after an error')
  await expect(notices(again.main)).toContainText(`The log has the error under ${logged?.reference}.`)
  await practice.chain({ mine: 8 })
  await goTo(again.main, 'Activity')
  await again.main.getByRole('main').getByText('Long 330.00 USDC at market').first().click()
  await expect(intentDetail(again.main).getByRole('status').filter({ hasText: '8 of 8 confirmations' })).toContainText('Final')
  const { positions, relayed, prepared } = await practice.effects()
  expect([relayed, positions].map((list) => list.length)).toEqual([1, 1])
  expect(prepared).toBe(1)
  expect(await practice.callsTo(relay)).toHaveLength(1)
  await again.main.reload()
  await expect(again.main.getByRole('navigation', { name: 'Main' })).toBeVisible()
  await expect(notices(again.main)).not.toContainText('restarted')
  await again.end()
  expect(readFileSync(join(profileDir, 'logs/main.log'), 'utf8')).not.toContain(secret)
})

testSignedIn(
  'an unhandled rejection shortly after the start, while a key is created, ends the app; the next start finds the key [KEY-05, KEY-16, V13]',
  async ({ open, practice, profileDir }) => {
    let desk = await open()
    await signedIn(desk)
    await openPhone(desk)
    await createUnanswered(desk.main, practice, 'orphan')
    expect(await plantError(desk, profileDir, 'rejects', 'planted', () => quitClosed(desk))).toBe(1)
    await practice.faults({ delay: [] })
    const [logged] = uncaughtInMain(profileDir)
    expect(desk.output()).toContain('Svc Desk closed after an error: planted')
    expect(desk.output()).toContain(`under ${logged?.reference}: ${join(profileDir, 'logs/main.log')}`)
    expect(isRunningOn(profileDir)).toBe(false)

    // Starts the app as it starts after an error. A second error soon afterwards must not cause another restart.
    desk = await open({ args: [`--restarted-after=${logged?.reference}`] })
    await expectSignedIn(desk.main)
    const [born] = (await practice.effects()).keys
    await expect(notices(desk.main)).toContainText('Svc Desk restarted after an error')
    await age(desk)
    expect(await plantError(desk, profileDir, 'throws', 'planted again', () => quitClosed(desk))).toBe(1)
    expect(isRunningOn(profileDir)).toBe(false)

    desk = await open()
    await expectSignedIn(desk.main)
    await expect(notices(desk.main)).not.toContainText('restarted')
    await takeUp(desk.main, 'orphan: a key may exist without its secret', 'Resolve')
    const note = desk.main.locator('[data-part=note]').filter({ hasText: 'The response to creating orphan was lost.' })
    await note.getByRole('button', { name: 'Rotate' }).click()
    await expect(keyRow(desk.main, 'orphan')).toContainText('Keychain')
    expect(await keyIdOf(desk.main, 'orphan')).toBe(born?.key_id)
    expect((await practice.effects()).keys).toHaveLength(1)
  },
)

test('when the app ends after an error, its child processes end too, and practice mode works after the restart', async ({ launch, profileDir }) => {
  const desk = await launch()
  await pair(desk)
  const below = descendantsOf(desk.app.process().pid ?? 0)
  expect(below.some((pid) => argumentsOf(pid).some((word) => word.endsWith('sandbox.js')))).toBe(true)
  await age(desk)
  expect(await plantError(desk, profileDir, 'throws', 'planted')).toBe(1)
  const again = await restartedOn(profileDir)
  await expect.poll(() => below.filter(isRunning)).toEqual([])
  await expect(notices(again.main)).toContainText('The app checked your orders and keys against the journal.')
  await expectConnected(again.main)
  await again.end()
})

test('an app that fails again soon after its restart ends in one plain window that names the log and opens its folder, and can restart the app', async ({
  launch,
  profileDir,
}) => {
  const logFile = join(profileDir, 'logs/main.log')
  const desk = await launch({ args: ['--restarted-after=e-00000000'] })
  await pair(desk)
  await desk.phone()
  const restarts = async () => {
    const window = await closedWindow(desk)
    const [logged] = uncaughtInMain(profileDir)
    await expect(window.getByRole('heading')).toHaveText('Svc Desk closed after an error')
    await expect(window.getByText('planted & <b>bold</b>')).toBeVisible()
    // A long path without spaces must wrap.
    expect(await window.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0)
    await expect(window.getByText(`The log has the details under ${logged?.reference}:`)).toBeVisible()
    await expect(window.getByText(logFile, { exact: true })).toBeVisible()
    expect(await window.evaluate(() => 'appBridge' in globalThis)).toBe(false)
    const shown = () => desk.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().map((one) => [one.webContents.getURL(), one.isVisible()]))
    await expect.poll(shown).toEqual([['app://closed/', true]])
    await window.getByRole('link', { name: 'Open log folder' }).click()
    const opened = () =>
      desk.app.evaluate((electron) => {
        const { requests } = (electron as unknown as { standIn: { readonly requests: readonly { readonly kind: string; readonly path?: string }[] } }).standIn
        return requests.filter(({ kind }) => kind === 'show-item' || kind === 'dialog').map(({ path }) => path)
      })
    await expect.poll(opened).toEqual([logFile])
    await window.getByRole('link', { name: 'Start again' }).click()
  }
  expect(await plantError(desk, profileDir, 'throws', `planted & <b>bold</b> in /${'folder'.repeat(40)}`, restarts)).toBe(1)
  const again = await restartedOn(profileDir)
  expect(again.words).not.toContain('--restarted-after=e-00000000')
  await expectConnected(again.main)
  await again.end()
})

test('the window that explains why the app closed speaks the user’s language, and starting the app while it is open restarts the app', async ({
  launch,
  profileDir,
}) => {
  const desk = await launch({ env: { SVC_DESK_LANGUAGE: 'de' } })
  const meanwhile = async () => {
    const window = await closedWindow(desk)
    await expect(window.getByRole('heading')).toHaveText('Svc Desk wurde nach einem Fehler beendet')
    await expect(window.getByRole('link')).toHaveText(['Protokollordner öffnen', 'Neu starten', 'Beenden'])
    expect(await window.evaluate(() => document.documentElement.lang)).toMatch(/^de/)
    const second = spawn(host.executable, [join(outOf('hooks'), 'main/index.js'), `--user-data-dir=${profileDir}`], { cwd: root, stdio: 'ignore' })
    expect(await once(second, 'exit')).toEqual([0, null])
  }
  expect(await plantError(desk, profileDir, 'throws', 'planted', meanwhile)).toBe(1)
  expect(desk.output()).toContain('Svc Desk closed after an error: planted')
  const { page, browser } = await windowOn(profileDir, /translated\.html/)
  await expect(page.locator('html')).toHaveAttribute('lang', /^de/)
  await browser.close()
})

test('if the window that explains the error cannot open, a dialog explains it [V13]', async ({ launch, profileDir }) => {
  const desk = await launch()
  await desk.app.evaluate(({ app, dialog, protocol }) => {
    protocol.handle = () => {
      throw new Error('no page')
    }
    dialog.showErrorBox = (title, content) => void process.stdout.write(`dialog ${title}: ${content}\n`)
    app.relaunch = () => undefined
  })
  expect(await plantError(desk, profileDir, 'throws', 'planted')).toBe(1)
  const [logged] = uncaughtInMain(profileDir)
  expect(desk.output()).toContain('dialog Svc Desk closed after an error: planted')
  expect(desk.output()).toContain(`The log has the details under ${logged?.reference}: ${join(profileDir, 'logs/main.log')}`)
})

test('an error before the window exists stops the app’s start, and a window names the error and the log file [V13]', async ({ profileDir }) => {
  const planted = `const timer = setInterval(() => {
    if (process.listenerCount('uncaughtException') === 0) return
    clearInterval(timer)
    throw new Error('planted at the start')
  }, 1)`
  const child = spawn(host.executable, [join(outOf('hooks'), 'main/index.js'), `--user-data-dir=${profileDir}`, '--remote-debugging-port=0'], {
    cwd: root,
    env: { ...process.env, NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(planted)}` },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let printed = ''
  child.stderr.on('data', (chunk: Buffer) => {
    printed += chunk.toString()
  })
  const late = setTimeout(() => child.kill('SIGKILL'), 30_000)
  const closed = once(child, 'close')
  const { page, browser } = await windowOn(profileDir)
  await expect(page.getByRole('heading')).toHaveText('Svc Desk cannot start')
  await expect(page.getByText('planted at the start')).toBeVisible()
  await page.getByRole('link', { name: 'Quit' }).click()
  expect(await closed).toEqual([1, null])
  await browser.close()
  clearTimeout(late)
  expect(printed).toContain('Svc Desk cannot start: planted at the start')
  expect(printed).toContain(join(profileDir, 'logs/main.log'))
  expect(uncaughtInMain(profileDir).map(({ error }) => error.message)).toEqual(['planted at the start'])
})

test('after a page’s process crashes, the app reloads the page and reports the crash', async ({ launch }) => {
  const desk = await launch()
  await expect(desk.main.getByRole('heading', { name: 'Connect your exchange' })).toBeVisible()
  const devtools = await desk.main.context().newCDPSession(desk.main)
  // Not awaited, because the page crashes and the call never returns.
  devtools.send('Page.crash').catch(() => undefined)
  const text = () =>
    desk.app
      .evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.executeJavaScript('document.body.innerText') as Promise<string>)
      .catch(String)
  await expect.poll(text).toContain('The window reloaded after an error')
  expect(await text()).toContain('Connect your exchange')
})
