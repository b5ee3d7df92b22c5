import { expect, test } from 'vitest'
import { featuresOff, hardenChromium } from '../desktop/chromium-switches.ts'
import { denyPermissions, pagePreferences } from './page-rules.ts'

test('the app sets Electron’s security settings for every page explicitly instead of relying on defaults [V7]', () => {
  expect(pagePreferences({ preload: '/preload.cjs', script: true, devTools: false })).toEqual({
    preload: '/preload.cjs',
    javascript: true,
    sandbox: true,
    contextIsolation: true,
    nodeIntegration: false,
    nodeIntegrationInWorker: false,
    nodeIntegrationInSubFrames: false,
    webSecurity: true,
    allowRunningInsecureContent: false,
    experimentalFeatures: false,
    webviewTag: false,
    navigateOnDragDrop: false,
    spellcheck: false,
    backgroundThrottling: false,
    devTools: false,
  })
  expect(pagePreferences({ preload: null, script: false, devTools: false })).not.toHaveProperty('preload')
})

test('the app disables DNS prefetching and unneeded Chromium features for its pages [V7]', () => {
  const switches = new Map<string, string | undefined>()
  hardenChromium({ appendSwitch: (name, value) => void switches.set(name, value) })
  expect(Object.fromEntries(switches)).toEqual({ 'blink-settings': 'dnsPrefetchingEnabled=false', 'disable-blink-features': featuresOff.join(',') })
  expect(featuresOff).toEqual(expect.arrayContaining(['SharedWorker', 'FetchLaterAPI', 'WebSocketStream', 'FencedFrames', 'XSLT']))
})

test('the app denies every permission, such as camera or location, that one of its pages requests or asks about', () => {
  const answers: unknown[] = []
  denyPermissions({
    setPermissionRequestHandler: (handler) => handler?.(null as never, 'media', (granted) => answers.push(granted), null as never),
    setPermissionCheckHandler: (handler) => answers.push(handler?.(null, 'media', 'app://bundle', null as never)),
  })
  expect(answers).toEqual([false, false])
})
