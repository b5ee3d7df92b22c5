import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ownName, sayLocked, sayLogin } from '../../../e2e/support/keyring/fake-desktop.ts'
import { startKeyring, type TestKeyring } from '../../../e2e/support/keyring/keyring.ts'
import { createDesktopBus, createLockReader, sessionPath } from './desktop-bus.ts'

const onLinux = process.platform === 'linux'
let bus: TestKeyring
let env: NodeJS.ProcessEnv
beforeAll(async () => {
  if (!onLinux) return
  bus = await startKeyring({ keyring: false })
  // In these tests, one D-Bus daemon acts as both the session bus and the system bus.
  env = { ...bus.env, DBUS_SYSTEM_BUS_ADDRESS: bus.env.DBUS_SESSION_BUS_ADDRESS, XDG_SESSION_ID: '2' }
})
afterAll(() => bus?.stop())

const none = () => undefined

/** Creates a folder that contains only links to these programs, and returns it as a PATH. */
function pathTo(...programs: readonly string[]): { readonly PATH: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'svc-desk-path-'))
  for (const program of programs) symlinkSync(join('/usr/bin', program), join(folder, program))
  return { PATH: folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

test.runIf(onLinux)('Linux: the app notices when the desktop’s tray appears and disappears, with either gdbus or dbus-send alone', async () => {
  for (const program of ['gdbus', 'dbus-send']) {
    const path = pathTo(program)
    const desktop = createDesktopBus({ platform: 'linux', env: { ...env, PATH: path.PATH } })
    expect([program, await desktop.hasTray()]).toEqual([program, false])
    const tray = await ownName(env, 'org.kde.StatusNotifierWatcher')
    expect([program, await desktop.hasTray()]).toEqual([program, true])
    await tray.release()
    await expect.poll(desktop.hasTray, { timeout: 10_000 }).toBe(false)
    desktop.stop()
    path.remove()
  }
})

test.runIf(onLinux)('Linux: the app notices within a second that this login session’s screen was locked, and ignores other login sessions', async () => {
  const desktop = createDesktopBus({ platform: 'linux', env })
  const seen: [isLocked: boolean, atMs: number][] = []
  expect(await desktop.followScreen((isLocked) => seen.push([isLocked, performance.now()]), none)).toBe(true)
  // The monitor programs do not report when they start to listen. So the test sends signals until the app notices one.
  const session = '/org/freedesktop/login1/session/_32'
  for (const say of [() => sayLocked(env, 'org.gnome.ScreenSaver', false), () => sayLogin(env, session, 'Unlock')]) {
    const from = seen.length
    const isHeard = async () => {
      await say()
      return seen.length > from
    }
    await expect.poll(isHeard, { timeout: 20_000 }).toBe(true)
  }
  const heard = async (say: () => Promise<unknown>, isLocked: boolean) => {
    const from = seen.length
    await say()
    const saidAt = performance.now()
    await expect.poll(() => seen.slice(from).map(([state]) => state), { timeout: 5_000 }).toContain(isLocked)
    expect((seen.slice(from).find(([state]) => state === isLocked)?.[1] ?? Number.POSITIVE_INFINITY) - saidAt).toBeLessThan(1_000)
  }
  await heard(() => sayLocked(env, 'org.gnome.ScreenSaver', true), true)
  await heard(() => sayLocked(env, 'org.freedesktop.ScreenSaver', true), true)
  await heard(() => sayLogin(env, session, 'Lock'), true)
  const before = seen.length
  await sayLogin(env, '/org/freedesktop/login1/session/_33', 'Lock')
  await heard(() => sayLogin(env, session, 'Unlock'), false)
  expect(seen.slice(before).map(([state]) => state)).toEqual([false])
  desktop.stop()
  await sayLocked(env, 'org.gnome.ScreenSaver', true)
  expect(seen).toHaveLength(before + 1)
})

test.runIf(onLinux)('Linux: the app notices that its D-Bus connection has ended, so that it can connect again to watch for the screen lock', async () => {
  const other = await startKeyring({ keyring: false })
  const desktop = createDesktopBus({ platform: 'linux', env: other.env })
  const { promise, resolve } = Promise.withResolvers<void>()
  expect(await desktop.followScreen(none, resolve)).toBe(true)
  await other.stop()
  await promise
  desktop.stop()
})

test.runIf(onLinux)('Linux: without the D-Bus programs or the bus, the app assumes no tray, and reports that it cannot detect the screen lock', async () => {
  const path = pathTo()
  for (const given of [{ ...env, PATH: path.PATH }, { PATH: process.env.PATH }]) {
    const desktop = createDesktopBus({ platform: 'linux', env: given })
    expect([await desktop.hasTray(), await desktop.followScreen(none, none)]).toEqual([false, false])
  }
  path.remove()
})

test.each(['darwin', 'win32'] as const)('on %s, the app assumes that the desktop has a tray and that Electron reports the screen lock', async (platform) => {
  const desktop = createDesktopBus({ platform, env: {} })
  expect([await desktop.hasTray(), await desktop.followScreen(none, none)]).toEqual([true, true])
})

test('Linux: the app reads screen-lock signals from the output of dbus-monitor and gdbus, and ignores all other lines', () => {
  const seen: boolean[] = []
  const read = createLockReader((isLocked) => seen.push(isLocked))
  const head = 'signal time=1.5 sender=:1.1 -> destination=(null destination) serial=2 path=/x;'
  for (const line of [
    `${head} interface=org.gnome.ScreenSaver; member=ActiveChanged`,
    '   boolean true',
    '/org/gnome/ScreenSaver: org.gnome.ScreenSaver.ActiveChanged (false,)',
    `${head} interface=org.freedesktop.login1.Session; member=Lock`,
    '/org/freedesktop/login1/session/_32: org.freedesktop.login1.Session.Unlock ()',
  ])
    read(line)
  expect(seen).toEqual([true, false, true, false])
  for (const line of [
    '   boolean true',
    `${head} interface=org.evil.ScreenSaver; member=ActiveChanged`,
    '   boolean true',
    `${head} interface=org.gnome.ScreenSaver; member=ActiveChanged`,
    '   string "true"',
    '   boolean true',
    `${head} interface=org.freedesktop.login1.Session; member=PropertiesChanged`,
    'The name org.gnome.ScreenSaver is owned by :1.3',
    '',
  ])
    read(line)
  expect(seen).toHaveLength(4)
})

test('Linux: the app builds the D-Bus path of a login session in the same way as systemd', () => {
  expect(['2', '12', 'c1', undefined, '', '../x'].map(sessionPath)).toEqual([
    '/org/freedesktop/login1/session/_32',
    '/org/freedesktop/login1/session/_312',
    '/org/freedesktop/login1/session/c1',
    null,
    null,
    null,
  ])
})
