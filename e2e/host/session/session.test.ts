import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { WebSocketServer } from 'ws'
import { type Fixture, launchFixture, makeProfile } from '../launch-fixture.ts'

vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 })
const { profile, removeProfile } = makeProfile()
let fixture: Fixture
/** The headless shell has no camera and no microphone, so it would refuse them before it asks for permission. */
const withDevices = { SVC_DESK_HOST_CHROMIUM: '/usr/lib/chromium/chromium' }
let server: Server
let sockets: WebSocketServer
let port: number
beforeAll(async () => {
  server = createServer((_request, response) => response.setHeader('access-control-allow-origin', '*').setHeader('x-from', 'server').end('answer'))
  sockets = new WebSocketServer({ server })
  sockets.on('connection', (socket, request) => socket.send(String(request.headers.origin)))
  await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve))
  port = (server.address() as AddressInfo).port
  fixture = await launchFixture(profile, {
    args: [`--connect=ws://127.0.0.1:${port} http://127.0.0.1:${port} http://127.0.0.2:${port}`],
    env: { HTTPS_PROXY: 'http://proxy.test:3128', ...withDevices },
  })
})
afterAll(async () => {
  await fixture.app.close()
  removeProfile()
  sockets.close()
  server.close()
})

const askForEverything = async () => {
  const name = (cause: unknown) => (cause as Error).name
  return {
    notifications: await Notification.requestPermission(),
    geolocation: await new Promise((resolve) =>
      navigator.geolocation.getCurrentPosition(
        () => resolve('given'),
        ({ code }) => resolve(code === 1 ? 'denied' : code),
      ),
    ),
    media: await navigator.mediaDevices.getUserMedia({ audio: true, video: true }).then(() => 'given', name),
    clipboard: await navigator.clipboard.readText().then(() => 'given', name),
    copying: await navigator.clipboard.writeText('x').then(() => 'given', name),
    midi: await navigator.requestMIDIAccess().then(() => 'given', name),
    states: await Promise.all(
      ['camera', 'microphone', 'geolocation', 'notifications', 'clipboard-read', 'idle-detection', 'persistent-storage'].map(
        async (each) => (await navigator.permissions.query({ name: each as PermissionName })).state,
      ),
    ),
  }
}
const nothing = {
  notifications: 'denied',
  geolocation: 'denied',
  media: 'NotAllowedError',
  clipboard: 'NotAllowedError',
  copying: 'NotAllowedError',
  midi: expect.stringMatching(/NotAllowedError|SecurityError/),
  states: Array(7).fill('denied'),
}

test('the stand-in for Electron asks the app’s permission handler about each permission of a page, and denies what the handler denies', async () => {
  const { app, page } = fixture
  expect(await page.evaluate(askForEverything)).toEqual(nothing)
  const asked = await app.evaluate(() => globalThis.seen.permissions)
  expect(asked.map(({ permission }) => permission)).toEqual(['notifications', 'geolocation', 'media', 'clipboard-read', 'clipboard-sanitized-write', 'midi'])
  expect(asked[0]).toEqual({ permission: 'notifications', url: 'app://bundle/index.html', contents: 1 })
})

test('without a permission handler, the stand-in for Electron denies every permission, even if a page bypasses the replaced browser functions', async () => {
  const { app, page } = fixture
  await app.evaluate(({ session }) => session.defaultSession.setPermissionRequestHandler(null))
  expect(await page.evaluate(askForEverything)).toEqual(nothing)
  const aroundIt = await page.evaluate(async () => {
    const frame = document.createElement('iframe')
    document.body.append(frame)
    const { navigator: untouched } = frame.contentWindow as Window
    return untouched.clipboard.readText().then(
      () => 'given',
      (cause: Error) => cause.name,
    )
  })
  expect(aroundIt).toBe('NotAllowedError')
})

test('the stand-in for Electron grants a page only the permissions that the app’s handler grants', async () => {
  const { app, page } = fixture
  await app.evaluate(({ session }) =>
    session.defaultSession.setPermissionRequestHandler((_contents, permission, callback) => callback(permission === 'notifications')),
  )
  expect(await page.evaluate(() => Notification.requestPermission())).toBe('granted')
  expect(await page.evaluate(() => navigator.permissions.query({ name: 'geolocation' }).then(({ state }) => state))).toBe('denied')
})

test('on the stand-in, a page can reach loopback over ws and http as its content security policy allows, but no other address', async () => {
  const origin = await fixture.page.evaluate(
    (at) =>
      new Promise((resolve, reject) => {
        const socket = new WebSocket(`ws://127.0.0.1:${at}`)
        socket.addEventListener('message', ({ data }) => resolve(data))
        socket.addEventListener('error', () => reject(new Error('no connection')))
      }),
    port,
  )
  expect(origin).toBe('https://bundle.app-scheme.test')
  const fetched = await fixture.page.evaluate(async (at) => {
    const get = (host: string) =>
      fetch(`http://${host}:${at}/`).then(
        (response) => response.text(),
        (cause: Error) => cause.name,
      )
    return [await get('127.0.0.1'), await get('127.0.0.2')]
  }, port)
  expect(fetched).toEqual(['answer', 'TypeError'])
})

test('on the stand-in, the app can block requests of a page and change response headers', async () => {
  const { app, page } = fixture
  await app.evaluate(({ session }, at) => {
    session.defaultSession.webRequest.onBeforeRequest({ urls: [`http://127.0.0.1:${at}/refused*`] }, (_details, callback) => callback({ cancel: true }))
    session.defaultSession.webRequest.onHeadersReceived((details, callback) =>
      callback({ responseHeaders: { ...details.responseHeaders, 'access-control-expose-headers': ['*'], 'x-added': [details.resourceType] } }),
    )
  }, port)
  const results = () =>
    page.evaluate(async (at) => {
      const get = (url: string) =>
        fetch(url).then(
          ({ headers }) => [headers.get('x-from'), headers.get('x-added')],
          (cause: Error) => cause.name,
        )
      return [await get(`http://127.0.0.1:${at}/refused`), await get(`http://127.0.0.1:${at}/let`), await get('page.js')]
    }, port)
  // Chromium needs time to apply new request patterns and does not report when they are active.
  await expect.poll(results).toEqual(['TypeError', ['server', 'xhr'], [null, 'xhr']])
  await app.evaluate(({ session }) => {
    session.defaultSession.webRequest.onBeforeRequest(null)
    session.defaultSession.webRequest.onHeadersReceived(null)
  })
})

test('on the stand-in for Electron, net.fetch uses the app’s URL scheme handlers, and resolveProxy reports the proxy of the environment', async () => {
  const { app } = fixture
  const found = await app.evaluate(async ({ net, session }) => {
    const { defaultSession } = session
    const page = await (await net.fetch('app://bundle/page.js')).text()
    const proxies = [await defaultSession.resolveProxy('https://exchange.test/'), await defaultSession.resolveProxy('http://127.0.0.1:1/')]
    await defaultSession.setProxy({ mode: 'direct' })
    return { page: page.includes('window.pushed'), proxies: [...proxies, await defaultSession.resolveProxy('https://exchange.test/')], online: net.isOnline() }
  })
  expect(found).toEqual({ page: true, proxies: ['PROXY proxy.test:3128', 'DIRECT', 'DIRECT'], online: true })
})

test('on the stand-in, the app’s clipboard is separate from the system’s clipboard', async () => {
  const read = await fixture.app.evaluate(async ({ clipboard }) => {
    await clipboard.writeText('copied')
    const texts = [await clipboard.readText()]
    clipboard.clear()
    return [...texts, await clipboard.readText()]
  })
  expect(read).toEqual(['copied', ''])
})

test('on the stand-in, a clipboard item has several formats, and unknown formats and values throw', async () => {
  const read = await fixture.app.evaluate(async ({ clipboard, ClipboardItem }) => {
    const raw = 'electron application/osclipboard;format="x-hint"'
    await clipboard.write([new ClipboardItem({ 'text/plain': 'copied', [raw]: new Blob(['secret']) })])
    const [item] = await clipboard.read()
    const has = [await clipboard.has(raw), await clipboard.readText(), item?.types, item === undefined ? '' : await ((await item.getType(raw)) as Blob).text()]
    await clipboard.writeText('other')
    const attempts: readonly (() => unknown)[] = [
      () => new ClipboardItem({}),
      () => new ClipboardItem({ 'x-hint': 'secret' }),
      () => new ClipboardItem({ 'text/plain': { title: '', url: '' } }),
      () => clipboard.write([]),
      () => clipboard.write(['text' as never]),
      () => item?.getType('text/html'),
    ]
    const refused = await Promise.all(
      attempts.map((attempt) =>
        Promise.try(attempt).then(
          () => 'done',
          () => 'refused',
        ),
      ),
    )
    return { has, hasLater: await clipboard.has(raw), refused }
  })
  const raw = 'electron application/osclipboard;format="x-hint"'
  expect(read).toEqual({ has: [true, 'copied', ['text/plain', raw], 'secret'], hasLater: false, refused: Array(6).fill('refused') })
})

test('the stand-in for Electron stores the data of each session partition separately, and persistent data survives a restart', async () => {
  const store = async (value: string) => {
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      const opening = indexedDB.open('kept', 1)
      opening.onupgradeneeded = () => opening.result.createObjectStore('values')
      opening.onsuccess = () => resolve(opening.result)
      opening.onerror = () => reject(opening.error)
    })
    const inTransaction = <T>(mode: IDBTransactionMode, act: (values: IDBObjectStore) => IDBRequest<T>) =>
      new Promise<T>((resolve) => {
        const request = act(database.transaction('values', mode).objectStore('values'))
        request.onsuccess = () => resolve(request.result)
      })
    const before = [localStorage.getItem('kept'), await inTransaction('readonly', (values) => values.get('kept'))]
    localStorage.setItem('kept', value)
    await inTransaction('readwrite', (values) => values.put(value, 'kept'))
    database.close()
    return before
  }
  const pageOf = async ({ app }: Fixture, partition: string) => {
    const opened = app.waitForEvent('window')
    await app.evaluate((_electron, name) => void Reflect.get(globalThis, 'openFixture')({ webPreferences: { partition: name } }), partition)
    const page = await opened
    await page.getByText('pong').waitFor()
    return page
  }
  expect(await fixture.page.evaluate(store, 'default')).toEqual([null, undefined])
  expect(await (await pageOf(fixture, 'persist:other')).evaluate(store, 'persistent')).toEqual([null, undefined])
  const inMemory = await pageOf(fixture, 'memory')
  expect(await inMemory.evaluate(store, 'in memory')).toEqual([null, undefined])
  expect(await inMemory.evaluate(() => navigator.permissions.query({ name: 'geolocation' }).then(({ state }) => state))).toBe('denied')
  await fixture.app.close()

  fixture = await launchFixture(profile, { args: ['--no-permission-handler'], env: withDevices })
  expect(await fixture.page.evaluate(store, 'again')).toEqual(['default', 'default'])
  expect(await (await pageOf(fixture, 'persist:other')).evaluate(store, 'again')).toEqual(['persistent', 'persistent'])
  expect(await (await pageOf(fixture, 'memory')).evaluate(store, 'again')).toEqual([null, undefined])
  await fixture.app.evaluate(({ session }) => session.defaultSession.clearStorageData())
  expect(await fixture.page.evaluate(store, 'once more')).toEqual([null, undefined])
})
