import type { BrowserWindowConstructorOptions, BrowserWindow as ElectronBrowserWindow } from 'electron'
import type { App } from '../app.ts'
import type { DesktopLog } from '../desktop.ts'
import type { Session } from '../session/session.ts'
import { makeEvent } from '../strict.ts'
import type { NativeImage } from './native-image.ts'
import { WebContents, type WebContentsDependencies } from './web-contents.ts'
import { WindowGeometry } from './window-geometry.ts'
import type { WindowList } from './window-list.ts'
import { readWindowOptions, type WindowOptions } from './window-options.ts'

export interface WindowDependencies {
  app: App
  windows: WindowList
  contents: WebContentsDependencies
  sessionOf: (preferences: Electron.WebPreferences) => Session
  headed: boolean
  log: DesktopLog
}

type Members =
  | (
      | 'id'
      | 'title'
      | 'loadURL'
      | 'loadFile'
      | 'reload'
      | 'show'
      | 'showInactive'
      | 'hide'
      | 'isVisible'
      | 'focus'
      | 'blur'
      | 'isFocused'
      | 'close'
      | 'destroy'
      | 'isDestroyed'
    )
  | ('setTitle' | 'getTitle' | 'isModal' | 'setBackgroundColor' | 'getBackgroundColor' | 'setContentProtection' | 'isContentProtected')

const EVENTS = [
  ...[
    'close',
    'closed',
    'ready-to-show',
    'show',
    'hide',
    'focus',
    'blur',
    'resize',
    'resized',
    'move',
    'moved',
    'minimize',
    'restore',
    'maximize',
    'unmaximize',
  ],
  ...['enter-full-screen', 'leave-full-screen', 'page-title-updated', 'unresponsive', 'responsive', 'session-end', 'query-session-end'],
]

/** A window of the stand-in for Electron. The object stores its own state, and applies it to Chromium’s window if there is a display. */
export class HostWindow extends WindowGeometry implements Pick<ElectronBrowserWindow, Members> {
  static override label = 'BrowserWindow'
  static override emits: ReadonlySet<string> = new Set(EVENTS)
  static #lastId = 0
  readonly id = ++HostWindow.#lastId
  readonly webContents: WebContents
  readonly #dependencies: WindowDependencies
  readonly #options: WindowOptions
  #title: string
  #backgroundColor: string
  #visible: boolean
  #contentProtected = false
  #painted = false
  #destroyed = false
  #chromiumWindow: number | undefined

  constructor(dependencies: WindowDependencies, options: BrowserWindowConstructorOptions = {}) {
    const { app, windows } = dependencies
    if (!app.isReady()) throw new Error('Cannot create BrowserWindow before app is ready')
    const known = readWindowOptions(options, app.getName())
    super(known)
    this.#dependencies = dependencies
    this.#options = known
    const { title, backgroundColor, show, webPreferences } = known
    this.#title = title
    this.#backgroundColor = backgroundColor
    this.#visible = show
    const owner = {
      painted: () => this.#paintedOnce(),
      requestClose: () => void this.requestClose(),
      contentsGone: () => this.destroy(),
      focused: () => this.isFocused(),
    }
    this.webContents = new WebContents(dependencies.contents, owner, dependencies.sessionOf(webPreferences), this.#options)
    this.webContents.on('page-title-updated', (event: object, pageTitle: string) => {
      if (this.emit('page-title-updated', event, pageTitle, true) && Reflect.get(event, 'defaultPrevented')) return
      this.#title = pageTitle
    })
    windows.add(this)
    app.emit('web-contents-created', makeEvent(), this.webContents)
    app.emit('browser-window-created', makeEvent(), this)
    if (show) this.focus()
    this.webContents.page.opened.then(
      () => this.#place(),
      () => this.destroy(),
    )
  }

  get title(): string {
    return this.#title
  }

  set title(title: string) {
    this.#title = title
  }

  loadURL(url: string): Promise<void> {
    return this.webContents.loadURL(url)
  }

  loadFile(path: string, options?: Electron.LoadFileOptions): Promise<void> {
    return this.webContents.loadFile(path, options)
  }

  reload(): void {
    this.webContents.reload()
  }

  show(): void {
    this.showInactive()
    this.focus()
  }

  showInactive(): void {
    if (this.#visible) return
    this.#visible = true
    this.reflectState()
    this.emit('show')
  }

  hide(): void {
    if (!this.#visible) return
    this.#visible = false
    this.reflectState()
    this.emit('hide')
    this.blur()
  }

  isVisible(): boolean {
    return this.#visible
  }

  focus(): void {
    const { windows, app } = this.#dependencies
    const previous = windows.focused
    if (previous === this) return
    previous?.blur()
    windows.focused = this
    if (this.#chromiumWindow !== undefined && this.#dependencies.headed) this.webContents.focus()
    this.emit('focus', makeEvent())
    app.emit('browser-window-focus', makeEvent(), this)
  }

  blur(): void {
    const { windows, app } = this.#dependencies
    if (windows.focused !== this) return
    windows.focused = undefined
    this.emit('blur', makeEvent())
    app.emit('browser-window-blur', makeEvent(), this)
  }

  isFocused(): boolean {
    return this.#dependencies.windows.focused === this
  }

  close(): void {
    this.requestClose()
  }

  destroy(): void {
    if (this.#destroyed) return
    const { windows, app } = this.#dependencies
    for (const child of this.getChildWindows()) child.destroy()
    this.blur()
    this.#destroyed = true
    this.webContents.destroy()
    windows.remove(this)
    this.emit('closed')
    if (windows.all().length > 0 || app.ending || windows.closingAll) return
    if (app.listenerCount('window-all-closed') > 0) app.emit('window-all-closed')
    else app.quit()
  }

  isDestroyed(): boolean {
    return this.#destroyed
  }

  setTitle(title: string): void {
    this.#title = title
  }

  getTitle(): string {
    return this.#title
  }

  setBackgroundColor(color: string): void {
    this.#backgroundColor = color
  }

  getBackgroundColor(): string {
    return this.#backgroundColor
  }

  setContentProtection(on: boolean): void {
    this.#contentProtected = on
    this.#dependencies.log.record({ kind: 'content-protection', window: this.id, on })
  }

  isContentProtected(): boolean {
    return this.#contentProtected
  }

  getParentWindow(): HostWindow | null {
    return this.#dependencies.windows.all().find((window) => window === (this.#options.parent as unknown)) ?? null
  }

  getChildWindows(): HostWindow[] {
    return this.#dependencies.windows.all().filter((window) => window.getParentWindow() === this)
  }

  isModal(): boolean {
    return this.#options.modal
  }

  capturePage(): Promise<NativeImage> {
    return this.webContents.capturePage()
  }

  /** Not part of Electron’s API: asks the window to close. Returns false when a listener of `close` refused. */
  requestClose(): boolean {
    if (this.#destroyed) return true
    const event = makeEvent()
    this.emit('close', event)
    if (event.defaultPrevented) return false
    this.destroy()
    return true
  }

  #paintedOnce(): void {
    if (this.#painted) return
    this.#painted = true
    this.emit('ready-to-show', makeEvent())
  }

  async #place(): Promise<void> {
    this.#chromiumWindow = (await this.webContents.page.session.send('Browser.getWindowForTarget')).windowId
    this.reflectBounds()
    this.reflectState()
  }

  /** Without a display, Chromium’s windows are at least 500 px wide and include a frame, so the page’s size is set directly instead. */
  protected override reflectBounds(): void {
    const windowId = this.#chromiumWindow
    if (windowId === undefined || this.#destroyed) return
    const { session } = this.webContents.page
    const { width, height, x, y } = this.getBounds()
    if (!this.#dependencies.headed) {
      session.tell('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 0, mobile: false })
      return
    }
    const position = this.#options.x === undefined ? {} : { left: x, top: y }
    session.tell('Browser.setWindowBounds', { windowId, bounds: { width, height, ...position } })
  }

  protected override reflectState(): void {
    if (this.#chromiumWindow === undefined || !this.#dependencies.headed) return
    const windowState = this.#visible ? this.state : 'minimized'
    this.webContents.page.session.tell('Browser.setWindowBounds', { windowId: this.#chromiumWindow, bounds: { windowState } })
  }
}
