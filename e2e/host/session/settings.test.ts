import { expect, test } from 'vitest'
import { readSettings } from './settings.ts'

test('the stand-in for Electron shows windows if there is a display, unless the variable SVC_DESK_HEADED says otherwise', () => {
  const headed = (env: NodeJS.ProcessEnv) => readSettings(env).headed
  expect([headed({}), headed({ DISPLAY: ':1' }), headed({ WAYLAND_DISPLAY: 'wayland-0' }), headed({ DISPLAY: '' })]).toEqual([false, true, true, false])
  expect([headed({ DISPLAY: ':1', SVC_DESK_HEADED: '0' }), headed({ SVC_DESK_HEADED: '1' })]).toEqual([false, true])
})

test('the stand-in for Electron lets Chromium resolve only the host of the public WalletConnect relay, and no host when offline', () => {
  expect(readSettings({}).reachableHosts).toEqual(['relay.walletconnect.org'])
  expect(readSettings({ SVC_DESK_HOST_OFFLINE: '1' }).reachableHosts).toEqual([])
})
