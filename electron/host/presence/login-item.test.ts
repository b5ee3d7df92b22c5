import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createLoginItem, desktopFile, ownProgram } from './app-start.ts'

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'svc-desk-login-'))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

test('Linux: the app creates an autostart file that starts it hidden at login, and removes the file with the setting', async () => {
  // On Linux, the app uses none of Electron’s functions for login items, so this fake is empty.
  const item = createLoginItem({ platform: 'linux', app: {} as never, program: { path: '/opt/Svc Desk/svc-desk-app', words: [] }, env: {}, home })
  const file = join(home, '.config/autostart/org.svcdesk.desktop.desktop')
  expect(item.isOn()).toBe(false)
  expect(await item.set(true)).toEqual({ ok: true, value: undefined })
  expect(item.isOn()).toBe(true)
  expect(readFileSync(file, 'utf8')).toContain('Exec="/opt/Svc Desk/svc-desk-app" "--hidden"\n')
  await item.set(false)
  expect([item.isOn(), existsSync(file)]).toEqual([false, false])
  expect((await item.set(false)).ok).toBe(true)
})

test('Linux: the app’s autostart file quotes every character of the app’s path that has a special meaning in such a file', () => {
  expect(desktopFile(['/a "b" $c `d` \\e %f'])).toContain('Exec="/a \\\\"b\\\\" \\\\$c \\\\`d\\\\` \\\\\\\\e %%f"\n')
})

test.each([
  ['darwin', {}],
  ['win32', { path: 'C:\\desk.exe', args: ['--hidden'] }],
] as const)('on %s, the operating system stores whether the app starts at login', async (platform, entry) => {
  const calls: unknown[] = []
  const app = {
    getLoginItemSettings: (asked: unknown) => {
      calls.push(asked)
      return { openAtLogin: true }
    },
    setLoginItemSettings: (asked: unknown) => calls.push(asked),
  }
  const item = createLoginItem({ platform, app: app as never, program: { path: 'C:\\desk.exe', words: [] }, env: {}, home })
  expect(item.isOn()).toBe(true)
  await item.set(false)
  expect(calls).toEqual([entry, { ...entry, openAtLogin: false }])
})

test('Linux: the autostart file of an AppImage starts the AppImage file, because its contents are unpacked to another folder each time', () => {
  const at = { execPath: '/tmp/.mount_x/svc-desk-app', appPath: '/tmp/.mount_x/app.asar' }
  expect(ownProgram({ ...at, packaged: true, env: { APPIMAGE: '/home/u/desk.AppImage' } })).toEqual({ path: '/home/u/desk.AppImage', words: [] })
  expect(ownProgram({ ...at, packaged: true, env: {} })).toEqual({ path: at.execPath, words: [] })
  expect(ownProgram({ ...at, packaged: false, env: {} })).toEqual({ path: at.execPath, words: [at.appPath] })
})
