import type { BrowserWindow } from 'electron'
import { windowText } from '../../../shared/text/desktop-text.ts'
import { inUserLanguage } from '../../kernel/user-language.ts'
import { reopenPage } from './page-rules.ts'
import { openPageWindow } from './page-window.ts'

export interface PhoneWindow {
  /** Opens the window, or brings it forward. */
  show(): void
  windows(): readonly BrowserWindow[]
  /** Loads the page again, in the language of the settings. */
  reopen(): void
  close(): void
}

/** The practice wallet's own window, as large as a phone. Larger text makes it wider, so that the lines stay as long as on a phone. */
export function createPhoneWindow({
  url,
  preload,
  devTools,
  zoomFactor,
}: {
  readonly url: () => string
  readonly preload: string
  readonly devTools: boolean
  readonly zoomFactor: () => number
}): PhoneWindow {
  let window: BrowserWindow | null = null
  return {
    show() {
      if (window !== null && !window.isDestroyed()) {
        window.show()
        window.focus()
        return
      }
      const zoom = zoomFactor()
      const opened = openPageWindow({
        url: url(),
        preload,
        devTools,
        zoomFactor: zoom,
        options: {
          title: inUserLanguage(() => windowText.phone),
          width: Math.round(390 * zoom),
          height: 844,
          minWidth: Math.round(360 * zoom),
          minHeight: 640,
          maximizable: false,
          fullscreenable: false,
          autoHideMenuBar: true,
        },
      })
      opened.on('closed', () => {
        if (window === opened) window = null
      })
      window = opened
    },
    windows: () => (window === null ? [] : [window]),
    reopen() {
      if (window !== null && !window.isDestroyed()) reopenPage(window.webContents, url())
    },
    close() {
      window?.close()
      window = null
    },
  }
}
