import { BrowserWindow, type BrowserWindowConstructorOptions } from 'electron'
import { forbidNavigation } from './navigation.ts'

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
    webPreferences: {
      ...(preload === null ? {} : { preload }),
      javascript: script,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webSecurity: true,
      allowRunningInsecureContent: false,
      experimentalFeatures: false,
      webviewTag: false,
      navigateOnDragDrop: false,
      spellcheck: false,
      // WalletConnect must keep its relay's pings while the window is hidden.
      backgroundThrottling: false,
      devTools,
    },
  })
  forbidNavigation(window.webContents)
  window.once('ready-to-show', () => window.show())
  // A failed load is told by the window staying away; the next start tries again.
  void window.loadURL(url).catch(() => undefined)
  return window
}
