import { readFileSync } from 'node:fs'
import { host } from '../../support/desk.ts'
import { expect, test } from '../../support/fixtures.ts'

/** Tests that need the real Electron. See build/adr/0005-electron-security.md. */
const onElectron = { tag: '@electron' }
const why = 'only real Electron can prove it, and its binary is not here'
// biome-ignore lint/suspicious/noSkippedTests: where the binary is, they always run; where it is not, they are counted with the reason
test.skip(host.kind !== 'electron', why)

test('the app’s pages all run in the operating system’s sandbox', onElectron, async ({ launch }) => {
  // biome-ignore lint/suspicious/noSkippedTests: Chromium refuses root a sandbox
  test.skip(process.platform === 'linux' && process.getuid?.() === 0, 'for root Electron runs without the sandbox')
  const { app, main: page } = await launch()
  await expect(page.getByRole('heading', { name: 'Connect your exchange' })).toBeVisible()
  const pages = await app.evaluate(({ app: own }) => own.getAppMetrics().flatMap(({ type, pid, sandboxed }) => (type === 'Tab' ? [{ pid, sandboxed }] : [])))
  expect(pages).toHaveLength(1)
  // On Linux, the sandbox shows in /proc: the kernel filters the process’s system calls, and the process cannot gain privileges. On macOS and
  // Windows, Electron reports the sandbox.
  for (const { pid, sandboxed } of pages)
    if (process.platform === 'linux') expect(readFileSync(`/proc/${pid}/status`, 'utf8')).toMatch(/NoNewPrivs:\t1[\s\S]*Seccomp:\t2/)
    else expect(sandboxed).toBe(true)
})

test('a page cannot create or attach a webview', onElectron, async ({ launch }) => {
  const { app, main: page } = await launch()
  await expect(page.getByRole('heading', { name: 'Connect your exchange' })).toBeVisible()
  const contents = () => app.evaluate(({ webContents }) => webContents.getAllWebContents().length)
  const before = await contents()
  const made = await page.evaluate(async () => {
    const view = document.createElement('webview')
    view.setAttribute('src', 'about:blank')
    view.setAttribute('allowpopups', '')
    const attached = new Promise((resolve) => {
      view.addEventListener('did-attach', () => resolve('attached'))
      // Waits two frames, because an attached webview would have reported by then.
      requestAnimationFrame(() => requestAnimationFrame(() => resolve('nothing')))
    })
    document.body.append(view)
    return { kind: view.constructor.name, heard: await attached, reach: 'getWebContentsId' in view }
  })
  expect(made).toEqual({ kind: 'HTMLElement', heard: 'nothing', reach: false })
  expect(await contents()).toBe(before)
  await app.evaluate(({ BrowserWindow }) => {
    const [window] = BrowserWindow.getAllWindows()
    const event = { prevented: false, preventDefault: () => Object.assign(event, { prevented: true }) }
    window?.webContents.emit('will-attach-webview', event, {}, {})
    if (!event.prevented) throw new Error('a webview would be attached')
  })
})

test('the main process trusts the certificate authorities of the operating system, as Node does', onElectron, async ({ launch }) => {
  const { app } = await launch()
  const known = await app.evaluate(() => {
    const tls = process.getBuiltinModule('node:tls')
    return { bundled: tls.getCACertificates('default').length, system: tls.getCACertificates('system').length }
  })
  expect(known.bundled).toBeGreaterThan(100)
  expect(known.system).toBeGreaterThan(0)
})
