import type { NativeTheme as ElectronNativeTheme } from 'electron'
import { makeEvent, StrictEmitter } from '../strict.ts'
import type { Protocol } from './devtools-protocol.ts'

type Members =
  | 'themeSource'
  | 'shouldUseDarkColors'
  | 'shouldUseHighContrastColors'
  | 'shouldUseInvertedColorScheme'
  | 'inForcedColorsMode'
  | 'prefersReducedTransparency'

/** Sets the colour scheme (`prefers-color-scheme`) of all pages. */
export class NativeTheme extends StrictEmitter implements Pick<ElectronNativeTheme, Members> {
  static override label = 'nativeTheme'
  static override emits: ReadonlySet<string> = new Set(['updated'])
  readonly shouldUseHighContrastColors = false
  readonly shouldUseInvertedColorScheme = false
  readonly inForcedColorsMode = false
  readonly prefersReducedTransparency = false
  readonly #darkDesktop: boolean
  readonly #push: (media: Protocol.Emulation.MediaFeature[]) => void
  #source: 'system' | 'light' | 'dark' = 'system'

  constructor(darkDesktop: boolean, push: (media: Protocol.Emulation.MediaFeature[]) => void) {
    super()
    this.#darkDesktop = darkDesktop
    this.#push = push
  }

  get themeSource(): 'system' | 'light' | 'dark' {
    return this.#source
  }

  set themeSource(source: 'system' | 'light' | 'dark') {
    if (source === this.#source) return
    this.#source = source
    this.#push(this.media())
    this.emit('updated', makeEvent())
  }

  get shouldUseDarkColors(): boolean {
    return this.#source === 'system' ? this.#darkDesktop : this.#source === 'dark'
  }

  /** Not part of Electron’s API: the emulated media features (such as the colour scheme) of all pages. */
  media(): Protocol.Emulation.MediaFeature[] {
    return [{ name: 'prefers-color-scheme', value: this.shouldUseDarkColors ? 'dark' : 'light' }]
  }
}
