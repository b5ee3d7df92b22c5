import type { MakePeer } from './peer.ts'
import type { OFFERED, PageSetup } from './setup.ts'

/**
 * Puts what contextBridge exposes onto `window`, and replaces the few functions for which Electron asks the main process first. Its source text runs
 * in the page’s own JavaScript world before the page’s first script, so this function must not use anything outside itself.
 */
export function mainWorld(makePeer: MakePeer, setup: PageSetup, offered: typeof OFFERED): void {
  if (location.protocol === 'data:') return
  // Makes the page always report that it is online. On a computer with only loopback, Chromium reports offline, and WalletConnect then refuses to
  // connect even to a local relay.
  Object.defineProperty(Navigator.prototype, 'onLine', { get: () => true, enumerable: true, configurable: true })
  if (window !== window.top && !setup.subframes) return
  const target = new EventTarget()
  const peer = makePeer(target, 'main', 'isolated')

  function freeze(value: unknown): unknown {
    if (value !== null && (typeof value === 'object' || typeof value === 'function')) {
      for (const item of Object.values(value)) freeze(item)
      Object.freeze(value)
    }
    return value
  }

  peer.offer(offered.expose, (key: string, api: unknown) => {
    if (Object.getOwnPropertyDescriptor(window, key)?.configurable === false)
      throw new Error('Cannot bind an API on top of an existing property on the window object')
    Object.defineProperty(window, key, { value: freeze(api), enumerable: true, writable: false, configurable: false })
  })
  document.dispatchEvent(new MouseEvent(setup.greeting, { relatedTarget: target }))

  const replace = (owner: object | undefined, name: string, implementation: (...parameters: never[]) => unknown) => {
    if (owner !== undefined && name in owner)
      Object.defineProperty(owner, name, { value: implementation, writable: true, enumerable: true, configurable: true })
  }
  replace(window, 'open', (url?: string, name?: string, features?: string) => {
    peer.call(offered.openWindow, [String(new URL(url ?? 'about:blank', document.baseURI)), String(name ?? ''), String(features ?? '')])
    return null
  })

  // DevTools does not report permission requests of a page. So the page’s own functions are replaced, and the replacements ask the app’s permission
  // handler.
  const ask = (permission: string) => peer.call(offered.askPermission, [permission]) as Promise<boolean>
  const asking = (permission: string, original: (...parameters: never[]) => Promise<unknown>) =>
    async function (this: unknown, ...parameters: never[]): Promise<unknown> {
      await ask(permission)
      return original.apply(this, parameters)
    }
  const guard = (owner: object | undefined, name: string, permission: string) => {
    const original = owner === undefined ? undefined : Reflect.get(owner, name)
    if (typeof original === 'function') replace(owner, name, asking(permission, original))
  }
  const prototypeOf = (name: string): object | undefined => (Reflect.get(globalThis, name) as { prototype: object } | undefined)?.prototype
  guard(typeof Notification === 'undefined' ? undefined : Notification, 'requestPermission', 'notifications')
  guard(prototypeOf('MediaDevices'), 'getUserMedia', 'media')
  guard(prototypeOf('MediaDevices'), 'getDisplayMedia', 'display-capture')
  guard(prototypeOf('Clipboard'), 'readText', 'clipboard-read')
  guard(prototypeOf('Clipboard'), 'read', 'clipboard-read')
  guard(prototypeOf('Clipboard'), 'writeText', 'clipboard-sanitized-write')
  guard(prototypeOf('Clipboard'), 'write', 'clipboard-sanitized-write')
  guard(prototypeOf('Navigator'), 'requestMIDIAccess', 'midi')
  for (const name of ['getCurrentPosition', 'watchPosition']) {
    const original = prototypeOf('Geolocation') === undefined ? undefined : Reflect.get(Geolocation.prototype, name)
    if (typeof original !== 'function') continue
    replace(Geolocation.prototype, name, function (this: Geolocation, ...parameters: never[]) {
      void ask('geolocation').then(() => original.apply(this, parameters))
      return 0
    })
  }
}
