import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Fixture, launchFixture, makeProfile } from '../launch-fixture.ts'

vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 })
const { profile, removeProfile } = makeProfile()
let fixture: Fixture
beforeAll(async () => {
  fixture = await launchFixture(profile)
})
afterAll(async () => {
  await fixture.app.close()
  removeProfile()
})

test('on the stand-in for Electron, a preload runs in an isolated JavaScript world, and the page sees only a frozen bridge', async () => {
  const found = await fixture.page.evaluate(() => ({
    leak: Reflect.get(globalThis, 'leak'),
    node: [typeof Reflect.get(globalThis, 'require'), typeof Reflect.get(globalThis, 'process')],
    ofTheHost: Object.getOwnPropertyNames(globalThis).filter((name) => /^(host_|inbox_)|stand-?in/i.test(name)),
    frozen: Object.isFrozen(window.bridge),
    sandboxed: window.bridge.sandboxed,
    electron: window.bridge.versions.electron,
    secure: isSecureContext,
  }))
  expect(found).toEqual({ leak: undefined, node: ['undefined', 'undefined'], ofTheHost: [], frozen: true, sandboxed: true, electron: '45.4.1', secure: true })
})

test('on the stand-in, a page counts as online even if the computer has no network', async () => {
  const { app, page } = fixture
  await app.context().setOffline(true)
  expect(await page.evaluate(() => navigator.onLine)).toBe(true)
  await app.context().setOffline(false)
})

test('on the stand-in, a page and the main process can call each other, send messages and reply', async () => {
  const { app, page } = fixture
  await app.evaluate(({ BrowserWindow }) => {
    const [window] = BrowserWindow.getAllWindows()
    for (const value of [1, { two: new Map([[2, 'two']]) }]) window?.webContents.send('push', value)
  })
  await expect
    .poll(() => page.evaluate(() => window.pushed.map((value) => (typeof value === 'object' ? (value as { two: Map<number, string> }).two.get(2) : value))))
    .toEqual([1, 'two'])
  const noted = await page.evaluate(
    () =>
      new Promise((resolve) => {
        window.bridge.on('noted', resolve)
        window.bridge.note('quiet')
      }),
  )
  expect(noted).toBe('QUIET')
})

test('on the stand-in, a failed IPC call reports Electron’s error message and nothing else about the main process', async () => {
  const messages = await fixture.page.evaluate(async () => {
    const messageOf = (cause: unknown) => (cause instanceof Error ? cause.message : 'not an error of this world')
    return [
      await window.bridge.invoke('fail').catch(messageOf),
      await window.bridge.invoke('nobody').catch(messageOf),
      await window.bridge.invoke('echo', () => 1).catch(messageOf),
    ]
  })
  expect(messages).toEqual([
    "Error invoking remote method 'fail': TypeError: refused by main",
    "Error invoking remote method 'nobody': Error: No handler registered for 'nobody'",
    expect.stringContaining('could not be cloned'),
  ])
})

test('on the stand-in, functions passed between page and preload can be called on the other side, and their errors reach the caller', async () => {
  const found = await fixture.page.evaluate(() => {
    try {
      return window.bridge.refuse()
    } catch (cause) {
      return [cause instanceof RangeError || cause instanceof Error, (cause as Error).message, ...window.bridge.twice((turn) => turn * 10)]
    }
  })
  expect(found).toEqual([true, 'refused by the preload', 10, 20])
})

test('on the stand-in, values of every cloneable type arrive unchanged between a page and the main process', async () => {
  const checks = await fixture.page.evaluate(async () => {
    const circle: Record<string, unknown> = { name: 'circle' }
    circle.self = circle
    const shared = { once: true }
    const sent = {
      bytes: new Uint8Array([0, 127, 255]),
      floats: new Float64Array([1.5]),
      buffer: new ArrayBuffer(4),
      view: new DataView(new ArrayBuffer(2)),
      map: new Map<unknown, unknown>([[1, new Set(['a'])]]),
      date: new Date(5),
      invalid: new Date(Number.NaN),
      pattern: /x/gi,
      big: 12_345_678_901_234_567_890n,
      negativeZero: -0,
      infinite: Number.NEGATIVE_INFINITY,
      missing: undefined,
      nothing: null,
      list: [1, undefined, 3],
      $: 'a tag',
      circle,
      shared: [shared, shared],
      error: new RangeError('too far', { cause: new Error('the cause') }),
    }
    const got = (await window.bridge.invoke('echo', sent)) as typeof sent
    return {
      bytes: got.bytes instanceof Uint8Array && [...got.bytes].join() === '0,127,255',
      floats: got.floats instanceof Float64Array && got.floats[0] === 1.5,
      buffer: got.buffer instanceof ArrayBuffer && got.buffer.byteLength === 4,
      view: got.view instanceof DataView && got.view.byteLength === 2,
      map: (got.map.get(1) as Set<string>).has('a'),
      date: got.date.getTime() === 5 && Number.isNaN(got.invalid.getTime()),
      pattern: got.pattern.source === 'x' && got.pattern.flags === 'gi',
      numbers: got.big === sent.big && Object.is(got.negativeZero, -0) && got.infinite === Number.NEGATIVE_INFINITY,
      absent: 'missing' in got && got.missing === undefined && got.nothing === null && got.list.length === 3,
      tag: got.$ === 'a tag',
      circle: got.circle.self === got.circle,
      shared: got.shared[0] === got.shared[1],
      error: got.error instanceof RangeError && got.error.message === 'too far' && (got.error.cause as Error).message === 'the cause',
    }
  })
  expect(Object.entries(checks).filter(([, holds]) => !holds)).toEqual([])
})

test('the stand-in for Electron enforces the content security policy that the scheme handler sends', async () => {
  const found = await fixture.page.evaluate(async () => {
    const violated = new Promise<string>((resolve) =>
      document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) => resolve(effectiveDirective), { once: true }),
    )
    const inline = document.createElement('script')
    inline.textContent = 'window.inlineRan = true'
    document.head.append(inline)
    return {
      inlineRan: Reflect.get(window, 'inlineRan'),
      violated: await violated,
      remote: await fetch('https://elsewhere.test/').then(
        () => 'fetched',
        (cause: Error) => cause.name,
      ),
      own: await fetch('page.js').then(({ status }) => status),
      missing: await fetch('missing.js').then(({ status }) => status),
    }
  })
  expect(found).toEqual({ inlineRan: undefined, violated: 'script-src-elem', remote: 'TypeError', own: 200, missing: 404 })
})

test('on the stand-in, a page’s requests to addresses of the app reach the app’s scheme handler', async () => {
  await fixture.page.evaluate(() => fetch('/posted.txt?a=1', { method: 'POST', body: 'the body' }))
  const posted = await fixture.app.evaluate(() => globalThis.seen.requests.find(({ url }) => url.includes('posted')))
  expect(posted).toEqual({ url: 'app://bundle/posted.txt?a=1', method: 'POST', origin: 'app://bundle', body: 'the body' })
})

test('the stand-in asks the app’s handlers before a page navigates or opens a window, and obeys a refusal', async () => {
  const { app, page } = fixture
  await page.getByRole('link', { name: 'leave' }).click()
  await expect.poll(() => app.evaluate(() => globalThis.seen.navigations)).toEqual(['https://elsewhere.test/link'])
  await page.evaluate(() => location.assign('https://elsewhere.test/script'))
  await expect.poll(() => app.evaluate(() => globalThis.seen.navigations)).toHaveLength(2)
  await page.getByRole('link', { name: 'popup' }).click()
  await expect.poll(() => app.evaluate(() => globalThis.seen.opened)).toEqual(['https://elsewhere.test/popup'])
  expect(await page.evaluate(() => window.open('https://elsewhere.test/opened'))).toBeNull()
  await expect.poll(() => app.evaluate(() => globalThis.seen.opened)).toHaveLength(2)
  expect(app.windows()).toHaveLength(1)
  expect(await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().map(({ webContents }) => webContents.getURL()))).toEqual([
    'app://bundle/index.html',
  ])
})

test('on the stand-in, the sender frame of a page’s IPC message is the same object as the main frame of the page’s window', async () => {
  const { app, page } = fixture
  expect(await page.evaluate(() => window.bridge.invoke('sender'))).toEqual({
    same: true,
    url: 'app://bundle/index.html',
    origin: 'app://bundle',
    parentIsMain: false,
    window: 1,
  })
  await page.reload()
  await page.getByText('pong').waitFor()
  expect(await page.evaluate(() => window.bridge.invoke('sender'))).toMatchObject({ same: true })
  expect(await app.evaluate(() => new Set(globalThis.seen.frames).size)).toBe(1)
})

test('on the stand-in, a child frame runs the preload only if the app’s configuration allows it, and its messages name it as sender', async () => {
  const { app, page } = fixture
  const bridgeInFrame = async () => {
    const frame = await new Promise<HTMLIFrameElement>((resolve) => {
      const element = document.createElement('iframe')
      element.src = 'frame.html'
      element.addEventListener('load', () => resolve(element))
      document.body.append(element)
    })
    const { bridge } = frame.contentWindow as Window
    return bridge === undefined ? 'none' : await bridge.invoke('sender')
  }
  expect(await page.evaluate(bridgeInFrame)).toBe('none')
  const opened = app.waitForEvent('window')
  await app.evaluate(() => void Reflect.get(globalThis, 'openFixture')({ webPreferences: { nodeIntegrationInSubFrames: true } }))
  const second = await opened
  await second.getByText('pong').waitFor()
  expect(await second.evaluate(bridgeInFrame)).toEqual({ same: false, url: 'app://bundle/frame.html', origin: 'app://bundle', parentIsMain: true, window: 2 })
  await second.close()
})

test('on the stand-in, two windows are isolated from each other, and a child window closes with its parent', async () => {
  const { app, page } = fixture
  const opened = app.waitForEvent('window')
  await app.evaluate(
    ({ BrowserWindow }) => void Reflect.get(globalThis, 'openFixture')({ title: 'Second', width: 420, height: 310, parent: BrowserWindow.getAllWindows()[0] }),
  )
  const second = await opened
  await second.getByText('pong').waitFor()
  const numbers = await Promise.all(
    [page, second].map((each) => each.evaluate(() => window.bridge.invoke('sender').then((sender) => (sender as { window: number }).window))),
  )
  expect(numbers[0]).not.toBe(numbers[1])
  await expect.poll(() => second.evaluate(() => [innerWidth, innerHeight])).toEqual([420, 310])
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().at(-1)?.webContents.send('push', 'to the second'))
  await expect.poll(() => second.evaluate(() => window.pushed)).toEqual(['to the second'])
  expect(await page.evaluate(() => window.pushed)).not.toContain('to the second')
  const states = await app.evaluate(({ BrowserWindow }) => {
    const [first, child] = BrowserWindow.getAllWindows()
    child?.hide()
    const hidden = child?.isVisible()
    child?.show()
    return { parent: child?.getParentWindow() === first, hidden, shown: child?.isVisible(), focused: BrowserWindow.getFocusedWindow() === child }
  })
  expect(states).toEqual({ parent: true, hidden: false, shown: true, focused: true })
  const handle = await app.browserWindow(second)
  await handle.evaluate((window) => window.destroy())
  await expect.poll(() => app.windows().length).toBe(1)
})

test('on the stand-in, pages get the colour theme that the app sets', async () => {
  const { app, page } = fixture
  const isDark = () => page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches)
  expect(await isDark()).toBe(false)
  const told = app.evaluate(
    ({ nativeTheme }) =>
      new Promise<boolean>((resolve) => {
        nativeTheme.once('updated', () => resolve(nativeTheme.shouldUseDarkColors))
        nativeTheme.themeSource = 'dark'
      }),
  )
  expect(await told).toBe(true)
  await expect.poll(isDark).toBe(true)
})

test('on the stand-in, pages get the zoom that the app sets', async () => {
  const { app, page } = fixture
  const window = await app.browserWindow(page)
  const choose = (factor: number) =>
    window.evaluate(({ webContents }, to) => {
      webContents.setZoomFactor(to)
      return webContents.getZoomFactor()
    }, factor)
  const shown = () => page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('zoom'))
  expect(await choose(1.3)).toBe(1.3)
  await expect.poll(shown).toBe('1.3')
  expect(await choose(1)).toBe(1)
  await expect.poll(shown).toBe('1')
})

test('the stand-in throws for every Electron feature that it does not implement', async () => {
  const messages = await fixture.app.evaluate(({ app, BrowserWindow, safeStorage, session, clipboard, dialog, Menu }) => {
    const [window] = BrowserWindow.getAllWindows()
    const attempts: (() => unknown)[] = [
      () => app.getGPUInfo('basic'),
      () => window?.setVibrancy('menu'),
      () => window?.webContents.printToPDF({}),
      () => session.defaultSession.cookies,
      () => safeStorage.isEncryptionAvailable(),
      () => clipboard.selection,
      () => dialog.showCertificateTrustDialog,
      () => Menu.sendActionToFirstResponder,
      () => window?.webContents.on('paint', () => {}),
      () => new BrowserWindow({ webPreferences: { sandbox: false } }),
      () => new BrowserWindow({ vibrancy: 'menu' }),
    ]
    return attempts.map((attempt) => {
      try {
        return attempt()
      } catch (cause) {
        return String(cause)
      }
    })
  })
  const refused = (what: string) => `Error: stand-in: ${what} is not implemented`
  expect(messages).toEqual([
    refused('app.getGPUInfo'),
    refused('BrowserWindow.setVibrancy'),
    refused('webContents.printToPDF'),
    refused('session.cookies'),
    refused('safeStorage.isEncryptionAvailable'),
    refused('clipboard.selection'),
    refused('dialog.showCertificateTrustDialog'),
    refused('Menu.sendActionToFirstResponder'),
    refused("the event 'paint' of webContents"),
    refused('webPreferences.sandbox: false'),
    refused('the window option vibrancy'),
  ])
})
