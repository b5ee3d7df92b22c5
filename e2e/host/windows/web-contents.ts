import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { WebContents as ElectronWebContents, LoadFileOptions, WindowOpenHandlerResponse } from 'electron'
import { type IpcMain, ipcEvent } from '../ipc-main.ts'
import type { FromPage, PageSetup } from '../page/setup.ts'
import type { Schemes } from '../session/schemes.ts'
import type { Session } from '../session/session.ts'
import { makeEvent, type Preventable } from '../strict.ts'
import { type Chromium, isBirthPage } from './chromium.ts'
import type { Protocol } from './devtools-protocol.ts'
import type { Frame } from './frames.ts'
import { NativeImage } from './native-image.ts'
import { PageDriver, type PageListener } from './page-driver.ts'
import { PageSettings } from './page-settings.ts'
import type { WindowOptions } from './window-options.ts'

export interface WebContentsDependencies {
  chromium: Chromium
  schemes: Schemes
  ipcMain: IpcMain
  versions: () => PageSetup['versions']
  media: () => Protocol.Emulation.MediaFeature[]
  appPath: string
  openWindow: (options: Electron.BrowserWindowConstructorOptions, url: string) => void
  crashed: (contents: WebContents, details: { reason: string; exitCode: number }) => void
}

/** The functions of a window that its WebContents calls. */
export interface WebContentsOwner {
  painted(): void
  requestClose(): void
  contentsGone(): void
  focused(): boolean
}

type Members =
  | 'id'
  | 'loadURL'
  | 'loadFile'
  | 'reload'
  | 'reloadIgnoringCache'
  | 'getURL'
  | 'getTitle'
  | 'isLoading'
  | 'isDestroyed'
  | 'isCrashed'
  | 'forcefullyCrashRenderer'
  | 'getType'
  | 'send'
  | 'setWindowOpenHandler'
  | 'executeJavaScript'
  | 'focus'
  | 'isFocused'
  | 'close'
  | 'stop'

const EVENTS = [
  ...['did-start-loading', 'did-stop-loading', 'did-finish-load', 'did-fail-load', 'did-navigate', 'did-navigate-in-page', 'dom-ready', 'page-title-updated'],
  ...[
    'will-navigate',
    'will-frame-navigate',
    'will-redirect',
    'did-create-window',
    'console-message',
    'ipc-message',
    'preload-error',
    'render-process-gone',
    'destroyed',
  ],
  // This stand-in for Electron never emits the events in this list. It refuses `webviewTag` and off-screen rendering, Chromium shows no certificate or
  // login prompts for loopback, and a right click opens Chromium’s own menu.
  ...[
    'context-menu',
    'will-attach-webview',
    'did-attach-webview',
    'certificate-error',
    'select-client-certificate',
    'login',
    'unresponsive',
    'responsive',
    'will-prevent-unload',
    'devtools-opened',
  ],
  // Chromium reports key presses only to the page, and not at all if the page’s scripts are off. Tests emit `before-input-event` themselves.
  'before-input-event',
  // This stand-in for Electron emits `input-event` for clicks and key presses on pages whose scripts run, but never for moves and taps.
  'input-event',
]

/** One page of the stand-in for Electron: implements Electron’s API with a PageDriver. */
export class WebContents extends PageSettings implements Pick<ElectronWebContents, Members> {
  static override label = 'webContents'
  static override emits: ReadonlySet<string> = new Set(EVENTS)
  static #lastId = 0
  readonly id = ++WebContents.#lastId
  readonly session: Session
  readonly #dependencies: WebContentsDependencies
  readonly #owner: WebContentsOwner
  readonly #page: PageDriver
  readonly #preload: string | undefined
  #windowOpenHandler: ((details: Electron.HandlerDetails) => WindowOpenHandlerResponse) | undefined
  #title = ''
  #loading = false
  #crashed = false
  #destroyed = false

  constructor(dependencies: WebContentsDependencies, owner: WebContentsOwner, session: Session, options: WindowOptions) {
    super(options.webPreferences)
    this.#dependencies = dependencies
    this.#owner = owner
    this.session = session
    this.#preload = options.webPreferences.preload
    this.#page = new PageDriver(
      dependencies.chromium,
      {
        title: options.title,
        backgroundColor: options.backgroundColor,
        width: options.width,
        height: options.height,
        preload: options.webPreferences.preload,
        subframes: options.webPreferences.nodeIntegrationInSubFrames === true,
        javascript: options.webPreferences.javascript !== false,
        preloadArguments: options.webPreferences.additionalArguments ?? [],
        versions: dependencies.versions,
        media: dependencies.media,
        toApp: (url) => (isBirthPage(url) ? '' : dependencies.schemes.toApp(url)),
      },
      session.browserContext(),
      this.#pageListener(),
    )
  }

  get mainFrame(): Frame {
    return this.#page.frames.main
  }

  get page(): PageDriver {
    return this.#page
  }

  /** Rejects with Chromium’s error code when the page cannot be loaded or closes before it has loaded. */
  async loadURL(url: string): Promise<void> {
    const loaded = new Promise<void>((resolve, reject) => {
      this.once('did-stop-loading', resolve)
      this.once('destroyed', () => reject(Object.assign(new Error(`ERR_FAILED (-2) loading '${url}'`), { code: 'ERR_FAILED', errno: -2, url })))
    })
    loaded.catch(() => {})
    this.#startLoading()
    const { errorText, newDocument } = await this.#page.navigate(this.#dependencies.schemes.toChromium(url, this.session.hostMark))
    if (errorText !== undefined) {
      const code = errorText.replace('net::', '')
      this.emit('did-fail-load', makeEvent(), -2, code, url, true)
      this.#stopLoading()
      throw Object.assign(new Error(`${code} (-2) loading '${url}'`), { code, errno: -2, url })
    }
    if (newDocument) await loaded
    else this.#stopLoading()
  }

  loadFile(path: string, options: LoadFileOptions = {}): Promise<void> {
    const url = pathToFileURL(resolve(this.#dependencies.appPath, path))
    if (options.hash !== undefined) url.hash = options.hash
    for (const [name, value] of Object.entries(options.query ?? {})) url.searchParams.set(name, String(value))
    return this.loadURL(url.href)
  }

  reload(): void {
    this.#startLoading()
    this.#page.reload(false)
  }

  reloadIgnoringCache(): void {
    this.#startLoading()
    this.#page.reload(true)
  }

  stop(): void {
    this.#page.session.tell('Page.stopLoading')
  }

  getURL(): string {
    return this.mainFrame.url
  }

  getTitle(): string {
    return this.#title
  }

  isLoading(): boolean {
    return this.#loading
  }

  isDestroyed(): boolean {
    return this.#destroyed
  }

  /** Ends the page’s process, as a crash would. */
  forcefullyCrashRenderer(): void {
    this.#page.session.tell('Page.crash')
  }

  isCrashed(): boolean {
    return this.#crashed
  }

  getType(): 'window' {
    return 'window'
  }

  send(channel: string, ...parameters: unknown[]): void {
    if (this.#destroyed) throw new TypeError('Object has been destroyed')
    this.mainFrame.send(channel, ...parameters)
  }

  setWindowOpenHandler(handler: (details: Electron.HandlerDetails) => WindowOpenHandlerResponse): void {
    this.#windowOpenHandler = handler
  }

  executeJavaScript(code: string): Promise<unknown> {
    return this.#page.evaluate(code)
  }

  focus(): void {
    this.#page.session.tell('Page.bringToFront')
  }

  isFocused(): boolean {
    return this.#owner.focused()
  }

  async capturePage(): Promise<NativeImage> {
    await this.#page.opened
    const { data } = await this.#page.session.send('Page.captureScreenshot', { format: 'png' })
    return new NativeImage(Buffer.from(data, 'base64'))
  }

  close(): void {
    this.#owner.requestClose()
  }

  destroy(): void {
    if (this.#destroyed) return
    this.#destroyed = true
    this.#page.close()
    this.#page.frames.removeAll()
    this.emit('destroyed')
  }

  /** Not part of Electron’s API: called when a page requests a navigation. Returns false if the app forbids it. */
  allowsNavigation(frameId: string, url: string): boolean {
    const frame = this.#page.frames.find(frameId)
    const isMainFrame = frameId === this.#page.targetId
    const details = { url, isSameDocument: false, isMainFrame, frame: frame ?? null, initiator: frame ?? null }
    const perFrame = makeEvent(details)
    this.emit('will-frame-navigate', perFrame)
    if (perFrame.defaultPrevented || !isMainFrame) return !perFrame.defaultPrevented
    const event = makeEvent(details)
    this.emit('will-navigate', event, url, false, true)
    return !event.defaultPrevented
  }

  /** Not part of Electron’s API: called when a navigation was redirected. Returns false when the app forbids it. */
  allowsRedirect(frameId: string, url: string): boolean {
    const isMainFrame = frameId === this.#page.targetId
    const event: Preventable = makeEvent({ url, isSameDocument: false, isMainFrame, frame: this.#page.frames.find(frameId) ?? null })
    this.emit('will-redirect', event, url, false, isMainFrame)
    return !event.defaultPrevented
  }

  #pageListener(): PageListener {
    return {
      message: (message, frameId, context) => void this.#receive(message, frameId, context),
      navigated: (frameId, sameDocument) => this.#navigated(frameId, sameDocument),
      windowOpen: (url, frameName, features) => this.#windowOpen(url, frameName, features),
      domReady: () => {
        this.applyZoom()
        this.emit('dom-ready', makeEvent())
      },
      loaded: () => {
        if (this.getURL() === '') return
        this.emit('did-finish-load', makeEvent())
        this.#stopLoading()
      },
      painted: () => {
        if (this.getURL() !== '') this.#owner.painted()
      },
      console: ({ level, message, line, source }) => {
        const frame = this.#page.frames.find(this.#page.targetId)
        if (frame === undefined) return
        const url = this.#dependencies.schemes.toApp(source)
        const name = level === 'error' ? 'error' : level === 'warning' ? 'warning' : level === 'debug' ? 'debug' : 'info'
        const number = ['debug', 'info', 'warning', 'error'].indexOf(name)
        this.emit('console-message', makeEvent({ level: name, message, lineNumber: line, sourceId: url, frame }), number, message, line, url)
      },
      crashed: (exitCode) => {
        this.#crashed = true
        const details = { reason: 'crashed', exitCode }
        this.emit('render-process-gone', makeEvent(), details)
        this.#dependencies.crashed(this, details)
      },
      gone: () => {
        this.destroy()
        this.#owner.contentsGone()
      },
    }
  }

  #navigated(frameId: string, sameDocument: boolean): void {
    // The event may come after the page has closed. Then the page has no frames any more.
    const frame = frameId === this.#page.targetId ? this.#page.frames.find(frameId) : undefined
    if (frame === undefined || frame.url === '') return
    const { url } = frame
    this.#crashed = false
    this.session.visited(url)
    if (sameDocument) this.emit('did-navigate-in-page', makeEvent(), url, true, frame.processId, frame.routingId)
    else this.emit('did-navigate', makeEvent(), url, 200, 'OK')
  }

  async #receive(message: FromPage, frameId: string | undefined, context: number): Promise<void> {
    const frame = frameId === undefined ? undefined : this.#page.frames.find(frameId)
    switch (message.type) {
      case 'hello':
        return
      case 'preload-error':
        this.emit('preload-error', makeEvent(), this.#preload, Object.assign(new Error(message.stack.split('\n')[0]), { stack: message.stack }))
        return
      case 'input':
        this.emit('input-event', makeEvent(), { type: message.event, modifiers: message.repeated ? ['isautorepeat'] : [] })
        return
      case 'window-open':
        this.#windowOpen(message.url, message.frameName, message.features)
        return
      case 'permission': {
        const granted = await this.session.askPermission(this as unknown as ElectronWebContents, message.permission, frame?.url ?? '')
        this.#page.deliver(context, { type: 'reply', id: message.id, ok: true, value: granted })
        return
      }
      case 'send': {
        const event = ipcEvent(this, frame)
        this.emit('ipc-message', event, message.channel, ...message.parameters)
        this.#dependencies.ipcMain.emit(message.channel, event, ...message.parameters)
        return
      }
      case 'invoke':
        this.#page.deliver(context, await this.#dependencies.ipcMain.answer(message, ipcEvent(this, frame)))
    }
  }

  #windowOpen(chromiumUrl: string, frameName: string, features: string): void {
    const url = this.#dependencies.schemes.toApp(chromiumUrl)
    const details: Electron.HandlerDetails = { url, frameName, features, disposition: 'foreground-tab', referrer: { url: '', policy: 'default' } }
    const response = this.#windowOpenHandler === undefined ? { action: 'allow' as const } : this.#windowOpenHandler(details)
    if (response.action === 'allow') this.#dependencies.openWindow(response.overrideBrowserWindowOptions ?? {}, url)
  }

  protected override runInPage(code: string): void {
    this.#page.evaluate(code).catch(() => {})
  }

  #startLoading(): void {
    this.#loading = true
    this.emit('did-start-loading')
  }

  #stopLoading(): void {
    this.#loading = false
    this.emit('did-stop-loading')
  }

  titled(title: string): void {
    if (title === this.#title || this.getURL() === '') return
    this.#title = title
    this.emit('page-title-updated', makeEvent(), title, true)
  }
}
