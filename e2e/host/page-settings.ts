import type { WebContents as ElectronWebContents, WebPreferences } from 'electron'
import { StrictEmitter } from './strict.ts'

type Members =
  | ('setZoomFactor' | 'getZoomFactor' | 'zoomFactor' | 'setVisualZoomLevelLimits' | 'setBackgroundThrottling' | 'getBackgroundThrottling')
  | ('setAudioMuted' | 'isAudioMuted' | 'openDevTools' | 'closeDevTools' | 'isDevToolsOpened')

/** What can be set on a page. Only the zoom changes what the page shows: pages here are never throttled, heard or inspected. */
export abstract class PageSettings extends StrictEmitter implements Pick<ElectronWebContents, Members> {
  #zoom: number
  #throttled: boolean
  #muted = false

  constructor({ zoomFactor = 1, backgroundThrottling = true }: WebPreferences) {
    super()
    this.#zoom = zoomFactor
    this.#throttled = backgroundThrottling
  }

  protected abstract runInPage(code: string): void

  get zoomFactor(): number {
    return this.#zoom
  }

  set zoomFactor(factor: number) {
    this.setZoomFactor(factor)
  }

  getZoomFactor(): number {
    return this.#zoom
  }

  setZoomFactor(factor: number): void {
    const changed = factor !== this.#zoom
    this.#zoom = factor
    if (changed) this.#setZoomOfPage()
  }

  async setVisualZoomLevelLimits(): Promise<void> {}

  setBackgroundThrottling(allowed: boolean): void {
    this.#throttled = allowed
  }

  getBackgroundThrottling(): boolean {
    return this.#throttled
  }

  setAudioMuted(muted: boolean): void {
    this.#muted = muted
  }

  isAudioMuted(): boolean {
    return this.#muted
  }

  openDevTools(): void {}

  closeDevTools(): void {}

  isDevToolsOpened(): boolean {
    return false
  }

  /** For a document that has just come. */
  protected applyZoom(): void {
    if (this.#zoom !== 1) this.#setZoomOfPage()
  }

  /** DevTools cannot set the browser's zoom; the page's CSS zoom looks the same to its reader. */
  #setZoomOfPage(): void {
    this.runInPage(`document.documentElement.style.zoom = '${this.#zoom}'`)
  }
}
