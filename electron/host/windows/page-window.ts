import { BrowserWindow, type BrowserWindowConstructorOptions } from 'electron'
import { forbidNavigation, pagePreferences } from './page-rules.ts'

export interface PageWindow {
  readonly url: string
  /** null: the page has no bridge. */
  readonly preload: string | null
  /** Whether scripts of the page run; they do unless said otherwise. */
  readonly script?: boolean
  readonly devTools: boolean
  readonly options: BrowserWindowConstructorOptions
}

/** The one way a window is made: sandboxed, isolated, without Node, and staying on its page. Shown when it has painted. */
export function openPageWindow({ url, preload, script = true, devTools, options }: PageWindow): BrowserWindow {
  const window = new BrowserWindow({
    ...options,
    show: false,
    webPreferences: pagePreferences({ preload, script, devTools }),
  })
  forbidNavigation(window.webContents)
  // The seal of the page takes WebRTC away altogether; this holds for what might get round it.
  window.webContents.setWebRTCIPHandlingPolicy('disable_non_proxied_udp')
  window.once('ready-to-show', () => window.show())
  // A failed load is told by the window staying away; the next start tries again.
  void window.loadURL(url).catch(() => undefined)
  return window
}
