import type { Codec } from '../codec.ts'
import type { MakePeer, Peer } from './peer.ts'
import type { FromPage, OFFERED, PageSetup, ToPage } from './setup.ts'

export type Preload = (require: (name: string) => unknown, module: { exports: object }, exports: object, process: object, global: object) => void

interface Listener {
  call: (event: object, ...parameters: unknown[]) => void
  once: boolean
}

/**
 * Provides `ipcRenderer`, `contextBridge` and the small `require` of a sandboxed preload. Its source text runs in the preload’s isolated world, so
 * this function must not use anything outside itself.
 */
export function isolatedWorld(makePeer: MakePeer, makeCodec: () => Codec, setup: PageSetup, offered: typeof OFFERED, preload: Preload | null): void {
  if (location.protocol === 'data:' || location.href === 'about:blank') return
  if (window !== window.top && !setup.subframes) return
  const globals = globalThis as unknown as Record<string, unknown>
  const toHost = globals[setup.binding] as (text: string) => void
  delete globals[setup.binding]
  const codec = makeCodec()
  const post = (message: FromPage) => toHost(codec.encode(message))
  const refuse = (what: string) => {
    throw new Error(`stand-in: ${what} is not implemented`)
  }
  const strict = <T extends object>(label: string, target: T): T =>
    new Proxy(target, {
      get: (object, key) =>
        typeof key === 'symbol' || key in object || key === 'then' || key === 'toJSON' ? Reflect.get(object, key) : refuse(`${label}.${key}`),
    })

  const pending = new Map<number, { resolve: (value: never) => void; reject: (cause: Error) => void }>()
  const listeners = new Map<string, Listener[]>()
  let lastId = 0

  function request<T>(makeMessage: (id: number) => FromPage): Promise<T> {
    lastId += 1
    const id = lastId
    return new Promise<T>((resolve, reject) => {
      post(makeMessage(id))
      pending.set(id, { resolve, reject })
    })
  }
  function listen(channel: string, listener: Listener['call'], once: boolean): object {
    listeners.set(channel, [...(listeners.get(channel) ?? []), { call: listener, once }])
    return ipcRenderer
  }
  function unlisten(channel: string, listener: Listener['call']): object {
    const known = listeners.get(channel) ?? []
    const at = known.findIndex(({ call }) => call === listener)
    listeners.set(
      channel,
      known.filter((_, index) => index !== at),
    )
    return ipcRenderer
  }
  const ipcRenderer: object = strict('ipcRenderer', {
    invoke: (channel: string, ...parameters: unknown[]) => request((id) => ({ type: 'invoke', id, channel, parameters: structuredClone(parameters) })),
    send: (channel: string, ...parameters: unknown[]) => post({ type: 'send', channel, parameters: structuredClone(parameters) }),
    on: (channel: string, listener: Listener['call']) => listen(channel, listener, false),
    once: (channel: string, listener: Listener['call']) => listen(channel, listener, true),
    addListener: (channel: string, listener: Listener['call']) => listen(channel, listener, false),
    off: unlisten,
    removeListener: unlisten,
    removeAllListeners: (channel?: string) => {
      if (channel === undefined) listeners.clear()
      else listeners.delete(channel)
      return ipcRenderer
    },
    listenerCount: (channel: string) => listeners.get(channel)?.length ?? 0,
  })

  function receive(message: ToPage): void {
    if (message.type === 'event') {
      for (const { call, once } of listeners.get(message.channel) ?? []) {
        if (once) unlisten(message.channel, call)
        call({ sender: ipcRenderer, ports: [] }, ...message.parameters)
      }
      return
    }
    const promise = pending.get(message.id)
    pending.delete(message.id)
    if (message.ok) promise?.resolve(message.value as never)
    else promise?.reject(new Error(message.message))
  }
  Object.defineProperty(globals, setup.inbox, { value: (text: string) => receive(codec.decode(text) as ToPage) })

  let peer: Peer | undefined
  const contextBridge = strict('contextBridge', {
    exposeInMainWorld: (key: string, api: unknown) => void peer?.call(offered.expose, [key, api]),
  })
  const electron = strict('electron', { contextBridge, ipcRenderer })
  const require = (name: string) =>
    ['electron', 'electron/renderer', 'electron/common'].includes(name) ? electron : refuse(`require('${name}') in a sandboxed preload`)
  const process = strict('process', {
    type: 'renderer',
    sandboxed: true,
    contextIsolated: true,
    isMainFrame: window === window.top,
    platform: setup.platform,
    arch: setup.arch,
    versions: setup.versions,
    argv: setup.arguments,
    env: {},
  })

  // DevTools does not report the user’s clicks and key presses, so these listeners do. They run before any script of the page. They ignore events
  // that scripts created (`isTrusted`), so a page cannot fake input.
  const inputs = { mousedown: 'mouseDown', mouseup: 'mouseUp', keydown: 'rawKeyDown', keyup: 'keyUp' } as const
  for (const [name, event] of Object.entries(inputs))
    window.addEventListener(
      name,
      (given) => {
        if (given.isTrusted) post({ type: 'input', event, repeated: (given as KeyboardEvent).repeat === true })
      },
      true,
    )

  function start(): void {
    post({ type: 'hello', url: location.href })
    if (preload === null) return
    const module = { exports: {} }
    try {
      preload(require, module, module.exports, process, globals)
    } catch (cause) {
      console.error('Unable to load preload script', cause)
      post({ type: 'preload-error', stack: String((cause instanceof Error && cause.stack) || cause) })
    }
  }
  document.addEventListener(
    setup.greeting,
    (event) => {
      peer = makePeer((event as MouseEvent).relatedTarget as EventTarget, 'isolated', 'main')
      peer.offer(offered.openWindow, (url: string, frameName: string, features: string) => post({ type: 'window-open', url, frameName, features }))
      peer.offer(offered.askPermission, (permission: string) => request<boolean>((id) => ({ type: 'permission', id, permission })))
      start()
    },
    { once: true },
  )
}
