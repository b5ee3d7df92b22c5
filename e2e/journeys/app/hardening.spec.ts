import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { concealed } from '../../../electron/keys/delivery/clipboard.ts'
import { readSettings } from '../../host/session/settings.ts'
import { keyIdOf } from '../../pages/keys.ts'
import { openPhone, paired, signedIn } from '../../pages/ready.ts'
import { expect, firstKey, test, testPaired, testWithKey } from '../../support/fixtures.ts'
import { listen } from '../../support/listener.ts'
import { outOf } from '../../support/project.ts'
import { tryEveryExit } from '../../support/search/all-exits.ts'
import { ask, attempt } from '../../support/search/page-attempts.ts'

const patienceMs = 2_000
/** The ways of sending data that work in a page without the app’s protection. `stun` and `turn` mean WebRTC over UDP and TCP. */
const sentWithoutDefence = [
  ...['stun', 'turn', 'fetch', 'keepalive', 'xhr', 'socket', 'beacon', 'events', 'prefetch', 'preload', 'modulepreload', 'stylesheet', 'img', 'svg-image'],
  ...['iframe', 'object', 'embed', 'video', 'poster', 'script', 'style-import', 'css-url', 'font', 'import', 'worker', 'worker-inside', 'shared-worker'],
  ...['ping', 'window', 'location'],
]

testPaired('the page connects only to its WalletConnect relay, and never to the exchange [GEN-04]', async ({ open, practice }) => {
  const { hostUrl, secondHostUrl, relayUrl } = practice.descriptor
  const desk = await open()
  await paired(desk)
  await openPhone(desk)
  const page = desk.main
  const loaded = await page.reload()
  expect(loaded?.headers()['content-security-policy']).toBe(
    "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data:; " +
      `connect-src wss://relay.walletconnect.org ${relayUrl}; frame-src 'none'; worker-src 'none'; base-uri 'none'; ` +
      "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
  )
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible()
  const stray = (root: string) => `${root}/api/dex/markets?from=page`
  for (const root of [hostUrl, secondHostUrl]) {
    expect(await attempt(page, 'fetch', stray(root))).toBe('connect-src')
    expect(await attempt(page, 'socket', stray(root).replace('http', 'ws'))).toBe('connect-src')
    expect(await attempt(page, 'image', stray(root))).toBe('img-src')
    expect(await attempt(page, 'frame', stray(root))).toBe('refused by the page')
    expect(await attempt(page, 'form', stray(root))).toBe('form-action')
    expect(await attempt(page, 'foreign script', stray(root))).toBe('require-trusted-types-for')
  }
  expect(await attempt(page, 'fetch', 'https://pulse.walletconnect.org/e')).toBe('connect-src')
  expect(await attempt(page, 'fetch', page.url())).toBe('connect-src')
  expect(await attempt(page, 'inline script', '')).toBe('require-trusted-types-for')
  expect(await attempt(page, 'image', 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7')).toBe('allowed')

  const calls = await practice.calls()
  expect(calls.length).toBeGreaterThan(0)
  expect(calls.filter(({ path, userAgent }) => path.includes('from=page') || !userAgent?.startsWith('Svc-Desk/'))).toEqual([])
})

testPaired('a page cannot send data to a listening port in any known way, although an unprotected page can [V7]', async ({ open }) => {
  const listener = await listen()
  const control = await chromium.launch({ executablePath: readSettings(process.env).chromium, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] })
  try {
    // For comparison, an unprotected page tries to send data in the same ways for the same time.
    const bare = await control.newPage()
    await bare.goto(`http://127.0.0.1:${listener.port}/?by=itself`)
    await tryEveryExit(bare, listener.port, patienceMs).catch(() => undefined)
    await expect.poll(() => listener.arrived()).toEqual(expect.arrayContaining(sentWithoutDefence))
    await listener.close()

    const guarded = await listen()
    const desk = await open()
    await paired(desk)
    await openPhone(desk)
    const page = desk.main
    expect(
      await desk.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().map(({ webContents }) => webContents.getWebRTCIPHandlingPolicy())),
    ).toEqual(['disable_non_proxied_udp', 'disable_non_proxied_udp'])
    const left = await page.evaluate(() => {
      const names = ['SharedWorker', 'fetchLater', 'WebSocketStream', 'HTMLFencedFrameElement', 'XSLTProcessor', 'PushManager', 'documentPictureInPicture']
      return [...names, 'RTCPeerConnection', 'webkitRTCPeerConnection', 'RTCIceTransport'].filter((name) => Reflect.get(window, name) !== undefined)
    })
    expect(left).toEqual([])
    await tryEveryExit(page, guarded.port, patienceMs)
    expect(guarded.arrived()).toEqual([])
    expect(await ask(page, 'app.info')).toBe('ok')
    await guarded.close()
  } finally {
    await control.close()
  }
})

test('a page of the app cannot navigate to another address, open another window or get a browser permission', async ({ launch }) => {
  const { app, main: page } = await launch()
  await expect(page.getByRole('heading', { name: 'Connect your exchange' })).toBeVisible()
  const address = page.url()
  expect(await page.evaluate(() => window.open('https://example.org/', '_blank'))).toBeNull()
  expect(await page.evaluate(() => window.open('about:blank'))).toBeNull()
  await page.evaluate(() => {
    Object.assign(window, { stayed: true })
    const link = document.createElement('a')
    link.href = 'https://example.org/'
    link.target = '_blank'
    document.body.append(link)
    link.click()
    window.location.assign('https://example.org/')
  })
  expect(await ask(page, 'app.info')).toBe('ok')
  expect(await page.evaluate(() => 'stayed' in window)).toBe(true)
  expect(page.url()).toBe(address)
  expect(await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(1)

  const granted = await page.evaluate(async () => {
    const names = ['geolocation', 'notifications', 'camera', 'microphone', 'clipboard-read', 'midi'] as const
    const states = await Promise.all(names.map(async (name) => (await navigator.permissions.query({ name: name as PermissionName })).state))
    const location = new Promise((resolve) =>
      navigator.geolocation.getCurrentPosition(
        () => resolve('given'),
        ({ code }) => resolve(code),
      ),
    )
    return {
      states: [...new Set(states)],
      location: await location,
      notifications: await Notification.requestPermission(),
      clipboard: await navigator.clipboard.readText().then(
        () => 'read',
        (error: Error) => error.name,
      ),
    }
  })
  expect(granted).toEqual({ states: ['denied'], location: 1, notifications: 'denied', clipboard: 'NotAllowedError' })

  // This request handler grants everything, so that only the app’s separate permission check can refuse.
  await app.evaluate(({ session }) => session.defaultSession.setPermissionRequestHandler((_contents, _permission, decide) => decide(true)))
  expect(await page.evaluate(() => Notification.requestPermission())).toBe('denied')
})

test('a window of the app follows no redirect, and loads only addresses that the app’s session allows', async ({ launch }) => {
  const { app, main: page } = await launch()
  await expect(page.getByRole('heading', { name: 'Connect your exchange' })).toBeVisible()
  const listener = await listen()
  const load = (url: string) =>
    app.evaluate(async ({ BrowserWindow }, wanted) => {
      const [window] = BrowserWindow.getAllWindows()
      return window?.loadURL(wanted).then(
        () => 'loaded',
        (error: Error) => error.message.split(' ')[0],
      )
    }, url)
  const redirect = `http://127.0.0.1:${listener.port}/?by=redirect&to=${encodeURIComponent(`http://127.0.0.1:${listener.port}/?by=target`)}`
  expect(await load(redirect)).toBe('ERR_BLOCKED_BY_CLIENT')
  expect(listener.arrived()).toEqual([])

  await app.evaluate(({ session }) => session.defaultSession.webRequest.onBeforeRequest(null))
  expect(await load(redirect)).toBe('ERR_ABORTED')
  expect(listener.arrived()).toEqual(['redirect', 'tcp'])
  await listener.close()
})

test('the main process does not answer a window that the app did not create, even if the window has the app’s page and preload', async ({ launch }) => {
  const { app, main } = await launch()
  await expect(main.getByRole('heading', { name: 'Connect your exchange' })).toBeVisible()
  expect(await ask(main, 'app.info')).toBe('ok')
  const opened = app.waitForEvent('window')
  await app.evaluate(
    async ({ BrowserWindow }, { preload, url }) => {
      await new BrowserWindow({ webPreferences: { preload } }).loadURL(url)
    },
    { preload: join(outOf('hooks'), 'preload/index.cjs'), url: 'app://bundle/index.html' },
  )
  const foreign = await opened
  await foreign.waitForURL((url) => url.pathname === '/index.html')
  expect(await ask(foreign, 'app.info')).toBe('thrown')
})

testPaired('a window can call only those functions of the main process that the window’s own list allows, and only with valid input', async ({ open }) => {
  const desk = await open()
  await paired(desk)
  const { page: phone } = await openPhone(desk)
  const { main } = desk
  expect(await ask(main, 'app.info')).toBe('ok')
  expect(await ask(phone, 'phone.state', { since: null })).toBe('ok')

  for (const page of [main, phone])
    for (const name of [
      'toString',
      '__proto__',
      'constructor',
      'hasOwnProperty',
      'app.info ',
      'keys.reveal',
      '',
      7,
      null,
      ['app.info'],
      { toString: 'app.info' },
    ])
      expect(await ask(page, name), JSON.stringify(name)).toBe('not_found')
  for (const name of ['phone.state', 'phone.approve', 'phone.reject']) expect(await ask(main, name, { id: '1', since: null })).toBe('not_found')
  for (const name of ['app.info', 'keys.list', 'keys.copySecret', 'intents.prepare', 'wallet.storage'])
    expect(await ask(phone, name, { keyId: 'key_1' })).toBe('not_found')

  for (const input of [null, 'x', [], {}, { keyId: 7 }, { keyId: { toString: 'key_1' } }]) expect(await ask(main, 'keys.use', input)).toBe('bad_input')
  expect(await ask(main, 'app.copyText', { text: 'x'.repeat(65_537) })).toBe('bad_input')
  expect(await ask(main, 'app.openExternal', { page: 'https://example.org', id: null })).toBe('bad_input')
  expect(await ask(main, 'app.openExternal', { page: 'transaction', id: 'javascript:alert(1)' })).toBe('bad_input')

  for (const page of [main, phone]) {
    const reach = await page.evaluate(() => {
      const names = (of: object | null | undefined) => (of ? Object.keys(of).sort() : null)
      const bridge = (window as unknown as { appBridge: object }).appBridge
      return {
        bridge: names(bridge),
        frozen: Object.isFrozen(bridge),
        node: ['require', 'process', 'module', 'Buffer', 'electron', 'ipcRenderer'].filter((name) => name in window),
      }
    })
    expect(reach).toEqual({ bridge: ['call', 'on'], frozen: true, node: [] })
  }
})

testWithKey(
  'a copied secret is marked as one, and a script cannot copy it unnoticed: each click or key press of the user allows only one copy [V10]',
  async ({ open }) => {
    const desk = await open()
    await signedIn(desk)
    await openPhone(desk)
    const page = desk.main
    const keyId = await keyIdOf(page, firstKey)
    const copy = () => ask(page, 'keys.copySecret', { keyId })
    const clear = () => desk.app.evaluate(({ clipboard }) => clipboard.clear())
    await page.keyboard.press('Shift')
    expect(await copy()).toBe('ok')
    const formats = Object.keys(concealed('', process.platform))
    expect(formats.length).toBeGreaterThan(1)
    const has = (all: readonly string[]) => desk.app.evaluate(({ clipboard }, names) => Promise.all(names.map((name) => clipboard.has(name))), all)
    expect(await has(formats)).toEqual(formats.map(() => true))
    await clear()
    expect(await copy()).toBe('gesture_required')
    // Scripts try to copy the secret without a user action. All attempts must fail.
    await page.evaluate(() => {
      for (const type of ['mousedown', 'mouseup', 'click', 'pointerup']) document.body.dispatchEvent(new MouseEvent(type, { bubbles: true }))
      for (const type of ['keydown', 'keyup']) document.body.dispatchEvent(new KeyboardEvent(type, { key: 'Enter', bubbles: true }))
      document.querySelector('button')?.focus()
      const off = document.createElement('button')
      document.body.append(off)
      off.click()
      off.remove()
    })
    expect(await copy()).toBe('gesture_required')
    expect(await ask(page, 'webhooks.copySecret', { webhookId: 'wh_1' })).toBe('gesture_required')
    expect(await desk.app.evaluate(({ clipboard }) => clipboard.readText())).toBe('')
  },
)

/** Words that occur only in the test hooks, which must not be in the product. */
const hookWords = ['SVC_DESK_PRACTICE_DESCRIPTOR', 'autoApprove', 'advanceMs', 'POST /faults', 'GET /effects']

function codeOf(folder: string): string {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => /\.(c?js|html|map)$/.test(name))
  return files.map((name) => readFileSync(join(folder, name), 'utf8')).join('\n')
}

test('the product build of the app contains no trace of the test hooks, unlike the build for tests', () => {
  const built = (variant: 'product' | 'hooks') => ['main', 'preload', 'renderer'].map((part) => codeOf(join(outOf(variant), part))).join('\n')
  const [product, hooks] = [built('product'), built('hooks')]
  expect(hookWords.filter((word) => !hooks.includes(word))).toEqual([])
  expect(hookWords.filter((word) => product.includes(word))).toEqual([])
  for (const code of [product, hooks]) expect(code).toContain('API_KEY_REQUIRED')
})

test('the app’s pages cannot create code from text, because their policy forbids it, and the main process validates every call', () => {
  const renderer = codeOf(join(outOf('product'), 'renderer'))
  expect(renderer).not.toMatch(/\bnew Function\(|\beval\(/)
  // The main bundle contains the validation library (zod), which tries to create code from text when it loads.
  expect(codeOf(join(outOf('product'), 'main'))).toContain('ZodError')
  expect(renderer).not.toContain('ZodError')
})
