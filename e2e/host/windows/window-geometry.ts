import type { BrowserWindow as ElectronBrowserWindow, Rectangle } from 'electron'
import { StrictEmitter } from '../strict.ts'
import type { WindowOptions } from './window-options.ts'

export type WindowState = 'normal' | 'minimized' | 'maximized' | 'fullscreen'

type Members =
  | ('minimize' | 'restore' | 'isMinimized' | 'maximize' | 'unmaximize' | 'isMaximized' | 'setFullScreen' | 'isFullScreen' | 'isNormal')
  | ('getBounds' | 'setBounds' | 'getNormalBounds' | 'getContentBounds' | 'setContentBounds' | 'getSize' | 'setSize' | 'getContentSize' | 'setContentSize')
  | (
      | 'getPosition'
      | 'setPosition'
      | 'center'
      | 'setMinimumSize'
      | 'getMinimumSize'
      | 'setResizable'
      | 'setAlwaysOnTop'
      | 'setSkipTaskbar'
      | 'setMenuBarVisibility'
    )
  | ('setAutoHideMenuBar' | 'setMenu' | 'removeMenu' | 'setTitleBarOverlay' | 'flashFrame' | 'setProgressBar' | 'moveTop')

/** A window’s position, size and state (minimised and so on). The object stores them, and applies them to the real window if there is a display. */
export abstract class WindowGeometry extends StrictEmitter implements Pick<ElectronBrowserWindow, Members> {
  #bounds: Rectangle
  #minimumSize: [number, number]
  #state: WindowState = 'normal'

  constructor({ x, y, width, height, minimumSize }: WindowOptions) {
    super()
    this.#bounds = { x: x ?? 0, y: y ?? 0, width, height }
    this.#minimumSize = minimumSize
  }

  protected abstract reflectBounds(): void
  protected abstract reflectState(): void

  protected get state(): WindowState {
    return this.#state
  }

  minimize(): void {
    this.#enter('minimized', 'minimize')
  }

  restore(): void {
    if (this.#state === 'minimized') this.#enter('normal', 'restore')
  }

  isMinimized(): boolean {
    return this.#state === 'minimized'
  }

  maximize(): void {
    this.#enter('maximized', 'maximize')
  }

  unmaximize(): void {
    if (this.#state === 'maximized') this.#enter('normal', 'unmaximize')
  }

  isMaximized(): boolean {
    return this.#state === 'maximized'
  }

  setFullScreen(on: boolean): void {
    this.#enter(on ? 'fullscreen' : 'normal', on ? 'enter-full-screen' : 'leave-full-screen')
  }

  isFullScreen(): boolean {
    return this.#state === 'fullscreen'
  }

  isNormal(): boolean {
    return this.#state === 'normal'
  }

  getBounds(): Rectangle {
    return { ...this.#bounds }
  }

  setBounds(bounds: Partial<Rectangle>): void {
    const [minWidth, minHeight] = this.#minimumSize
    const wanted = { ...this.#bounds, ...bounds }
    this.#bounds = { ...wanted, width: Math.max(wanted.width, minWidth), height: Math.max(wanted.height, minHeight) }
    this.reflectBounds()
    if (bounds.width !== undefined || bounds.height !== undefined) {
      this.emit('resize')
      this.emit('resized')
    }
    if (bounds.x !== undefined || bounds.y !== undefined) {
      this.emit('move')
      this.emit('moved')
    }
  }

  getNormalBounds(): Rectangle {
    return this.getBounds()
  }

  getContentBounds(): Rectangle {
    return this.getBounds()
  }

  setContentBounds(bounds: Rectangle): void {
    this.setBounds(bounds)
  }

  getSize(): number[] {
    return [this.#bounds.width, this.#bounds.height]
  }

  setSize(width: number, height: number): void {
    this.setBounds({ width, height })
  }

  getContentSize(): number[] {
    return this.getSize()
  }

  setContentSize(width: number, height: number): void {
    this.setSize(width, height)
  }

  getPosition(): number[] {
    return [this.#bounds.x, this.#bounds.y]
  }

  setPosition(x: number, y: number): void {
    this.setBounds({ x, y })
  }

  center(): void {}

  setMinimumSize(width: number, height: number): void {
    this.#minimumSize = [width, height]
  }

  getMinimumSize(): number[] {
    return this.#minimumSize
  }

  // No visible effect, because tests run without a window manager.
  setResizable(_resizable: boolean): void {}
  setAlwaysOnTop(_on: boolean): void {}
  setSkipTaskbar(_skip: boolean): void {}
  setMenuBarVisibility(_visible: boolean): void {}
  setAutoHideMenuBar(_hide: boolean): void {}
  setMenu(_menu: unknown): void {}
  removeMenu(): void {}
  setTitleBarOverlay(_options: unknown): void {}
  flashFrame(_on: boolean): void {}
  setProgressBar(_progress: number): void {}
  moveTop(): void {}

  #enter(state: WindowState, event: string): void {
    if (this.#state === state) return
    this.#state = state
    this.reflectState()
    this.emit(event)
  }
}
