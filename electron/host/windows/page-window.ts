import { BrowserWindow, type BrowserWindowConstructorOptions, screen } from 'electron'
import type { Records } from '../../store/records/registry.ts'
import { forbidNavigation, initialBounds, pagePreferences, saveBounds, smallest } from './page-rules.ts'

export interface PageWindow {
  readonly url: string
  /** null if the page has no bridge. */
  readonly preload: string | null
  /** Whether scripts of the page run; true by default. */
  readonly script?: boolean
  readonly devTools: boolean
  readonly options: BrowserWindowConstructorOptions
}

/** The only way to create a window: sandboxed, isolated, without Node, and fixed to its page. The window appears once it has painted. */
export function openPageWindow({ url, preload, script = true, devTools, options }: PageWindow): BrowserWindow {
  const window = new BrowserWindow({
    ...options,
    show: false,
    webPreferences: pagePreferences({ preload, script, devTools }),
  })
  forbidNavigation(window.webContents)
  // The page's seal removes WebRTC. This setting covers anything that gets past the seal.
  window.webContents.setWebRTCIPHandlingPolicy('disable_non_proxied_udp')
  window.once('ready-to-show', () => window.show())
  // If loading fails, the window does not appear, and the next start tries again.
  void window.loadURL(url).catch(() => undefined)
  return window
}

interface AppWindowParts {
  readonly url: string
  readonly preload: string
  readonly devTools: boolean
  readonly records: Records
  /** Called with the window's visibility whenever it may have changed. */
  readonly seen: (visible: boolean) => void
}

/** The main window, with its last size and position. */
export function openAppWindow({ url, preload, devTools, records, seen }: AppWindowParts): BrowserWindow {
  const window = openPageWindow({
    url,
    preload,
    devTools,
    options: {
      title: 'Svc Desk',
      ...initialBounds(
        records,
        screen.getAllDisplays().map((display) => display.workArea),
      ),
      minWidth: smallest.width,
      minHeight: smallest.height,
      autoHideMenuBar: true,
    },
  })
  window.on('close', () => {
    if (!window.isMinimized() && !window.isMaximized() && !window.isFullScreen()) saveBounds(records, window.getBounds())
  })
  const look = () => seen(window.isVisible() && !window.isMinimized())
  window.on('show', look)
  window.on('hide', look)
  window.on('minimize', look)
  window.on('restore', look)
  return window
}
