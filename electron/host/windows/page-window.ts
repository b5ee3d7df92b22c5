import { BrowserWindow, type BrowserWindowConstructorOptions, type WebContents, type WebPreferences } from 'electron'

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

/** A page stays where it was loaded: no other page, no new window, no webview, whoever asks. It may only load itself anew. */
export function forbidNavigation(contents: Pick<WebContents, 'setWindowOpenHandler' | 'getURL' | 'on'>): void {
  contents.setWindowOpenHandler(() => ({ action: 'deny' }))
  contents.on('will-navigate', (event) => {
    if (!isSamePage(contents.getURL(), event.url)) event.preventDefault()
  })
  contents.on('will-redirect', (event) => event.preventDefault())
  contents.on('will-attach-webview', (event) => event.preventDefault())
}

/** The same address but for what follows `#`, which is the page's own. */
export function isSamePage(current: string, wanted: string): boolean {
  const [from, to] = [URL.parse(current), URL.parse(wanted)]
  if (from === null || to === null) return false
  from.hash = ''
  to.hash = ''
  return from.href === to.href
}

/** What a page may do, for every window alike: sandboxed, isolated, without Node. `preload` null: the page has no bridge. */
export function pagePreferences({ preload, script, devTools }: { preload: string | null; script: boolean; devTools: boolean }): WebPreferences {
  return {
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
  }
}
