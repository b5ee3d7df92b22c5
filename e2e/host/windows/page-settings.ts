import type { WebContents as ElectronWebContents, WebPreferences } from 'electron'
import { StrictEmitter } from '../strict.ts'

type Members =
  | ('setZoomFactor' | 'getZoomFactor' | 'zoomFactor' | 'setVisualZoomLevelLimits' | 'setBackgroundThrottling' | 'getBackgroundThrottling')
  | ('getWebRTCIPHandlingPolicy' | 'setWebRTCIPHandlingPolicy')
  | ('setAudioMuted' | 'isAudioMuted' | 'openDevTools' | 'closeDevTools' | 'isDevToolsOpened')

type WebRtcPolicy = Parameters<ElectronWebContents['setWebRTCIPHandlingPolicy']>[0]
const webRtcPolicies: readonly WebRtcPolicy[] = ['default', 'default_public_interface_only', 'default_public_and_private_interfaces', 'disable_non_proxied_udp']

/** Settings of a page. Only the zoom has an effect, because this stand-in for Electron never throttles or inspects pages and plays no sound. */
export abstract class PageSettings extends StrictEmitter implements Pick<ElectronWebContents, Members> {
  #zoom: number
  #throttled: boolean
  #muted = false
  #webRtcPolicy: WebRtcPolicy = 'default'

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

  getWebRTCIPHandlingPolicy(): string {
    return this.#webRtcPolicy
  }

  /** Has no effect, because in tests Chromium always uses the strictest policy. Tests can only check which policy the app sets. */
  setWebRTCIPHandlingPolicy(policy: WebRtcPolicy): void {
    if (!webRtcPolicies.includes(policy)) throw new TypeError(`Error processing argument at index 0, conversion failure from ${policy}`)
    this.#webRtcPolicy = policy
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

  protected applyZoom(): void {
    if (this.#zoom !== 1) this.#setZoomOfPage()
  }

  /** DevTools cannot set Chromium’s zoom, so CSS zoom is used, which looks the same. */
  #setZoomOfPage(): void {
    this.runInPage(`document.documentElement.style.zoom = '${this.#zoom}'`)
  }
}
