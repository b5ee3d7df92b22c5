import { expect, test } from 'vitest'
import { App } from './app.ts'
import { createSystemPreferences, DesktopLog } from './desktop.ts'
import { HostMenu, HostTray, trays } from './menu.ts'
import { NativeImage, nativeImage } from './windows/native-image.ts'

const picture = new NativeImage(Buffer.from('a picture'))

function openApp() {
  const log = new DesktopLog()
  const app = new App({
    invocation: { argv: ['--user-data-dir=/nowhere'], appPath: '/app', name: undefined, version: undefined } as never, // safe cast: the stand-in’s `App` reads only these fields
    env: {},
    log,
    closeWindows: () => true,
    shutdown: () => undefined,
    startAfterEnd: () => undefined,
  })
  return { app, log }
}

test('the stand-in for Electron creates no tray icon before the app is ready or without a usable picture, as in Electron', () => {
  expect(() => new HostTray(false, picture)).toThrow('Cannot create Tray before app is ready')
  for (const image of [undefined, new NativeImage(), nativeImage.createFromPath('/nowhere.png')])
    expect(() => new HostTray(true, image)).toThrow('Failed to load image')
  expect(() => new HostTray(true, '/icon.png')).toThrow('not implemented')
  expect(trays).toEqual([])
})

test('on the stand-in for Electron, a destroyed tray icon throws on every call except isDestroyed', () => {
  const menu = new HostMenu({ log: new DesktopLog(), quit: () => undefined, focusedWindow: () => undefined }, [{ label: 'Open' }])
  const tray = new HostTray(true, picture)
  tray.setContextMenu(menu)
  expect(trays.map(({ items }) => items.map(({ label }) => label))).toEqual([['Open']])
  tray.destroy()
  expect([trays.length, tray.isDestroyed()]).toEqual([0, true])
  for (const use of [() => tray.setToolTip('x'), () => tray.setContextMenu(menu), () => tray.setImage(picture), () => tray.popUpContextMenu()])
    expect(use).toThrow('Object has been destroyed')
})

test('the stand-in for Electron rejects invalid badge counts, and throws for functions that Electron lacks on Linux', () => {
  const { app, log } = openApp()
  expect([app.setBadgeCount(3), app.getBadgeCount()]).toEqual([true, 3])
  for (const count of [-1, 1.5, Number.NaN]) expect(() => app.setBadgeCount(count)).toThrow('Invalid badge count')
  for (const name of ['getLoginItemSettings', 'setLoginItemSettings', 'setJumpList', 'setAppUserModelId'] as const)
    expect(() => app[name]()).toThrow(`app.${name} on Linux`)
  expect(app.dock).toBeUndefined()
  expect(app.setAsDefaultProtocolClient('svcdesk', '/app', ['--'])).toBe(true)
  for (const scheme of ['', 'svcdesk:', 'svc desk', '1x']) expect(() => app.setAsDefaultProtocolClient(scheme)).toThrow('Not a scheme')
  expect(log.requests).toEqual([
    { kind: 'badge', count: 3 },
    { kind: 'protocol-client', scheme: 'svcdesk', path: '/app', words: ['--'] },
  ])
})

test('the stand-in for Electron has Touch ID only on a Mac, and refuses what Electron refuses', async () => {
  const log = new DesktopLog()
  const state = { ready: true }
  const hasTouchId = () => state.ready
  expect(createSystemPreferences(log, { isMac: false, hasTouchId })).toEqual({})
  const mac = createSystemPreferences(log, { isMac: true, hasTouchId })
  const ask = (reason: unknown) => mac.promptTouchID?.(reason as string)
  expect(() => ask(undefined)).toThrow('conversion failure')
  expect(() => ask(' ')).toThrow('empty reason')
  for (const isUser of [true, false]) {
    const prompt = ask('unlock the app')
    const shown = log.requests.at(-1)
    if (shown?.kind === 'touch-id') shown.answer(isUser)
    await (isUser ? expect(prompt).resolves.toBeUndefined() : expect(prompt).rejects.toThrow('canceled'))
  }
  expect(log.requests).toHaveLength(2)
  state.ready = false
  expect(mac.canPromptTouchID?.()).toBe(false)
  await expect(ask('unlock the app')).rejects.toThrow('not available')
})
