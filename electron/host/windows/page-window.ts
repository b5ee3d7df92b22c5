import { BrowserWindow, type BrowserWindowConstructorOptions, screen } from 'electron'
import type { Records } from '../../store/records/registry.ts'
import { offerContextMenu } from '../desktop/menu.ts'
import { forbidNavigation, initialBounds, pagePreferences, saveBounds, smallest } from './page-rules.ts'

export interface PageWindow {
  readonly url: string
  /** null if the page has no bridge. */
  readonly preload: string | null
  /** Whether scripts of the page run; true by default. */
  readonly script?: boolean
  readonly devTools: boolean
  /** 1 by default. */
  readonly zoomFactor?: number
  readonly options: BrowserWindowConstructorOptions
}

/** The only way to create a window: sandboxed, isolated, without Node, and fixed to its page. The window appears once it has painted. */
export function openPageWindow({ url, preload, script = true, devTools, zoomFactor = 1, options }: PageWindow): BrowserWindow {
  const window = new BrowserWindow({
    ...options,
    show: false,
    webPreferences: pagePreferences({ preload, script, devTools }),
  })
  forbidNavigation(window.webContents)
  // A page without a bridge shows a secret. Its text is copied only by its own button, which clears the clipboard again.
  if (preload !== null) offerContextMenu(window)
  // `seal.js` removes WebRTC from the page. This setting also covers a script that gets around `seal.js`.
  window.webContents.setWebRTCIPHandlingPolicy('disable_non_proxied_udp')
  // Before its first page, a window ignores the zoom. At the usual text size, the zoom that the user chose in the View menu stays.
  if (zoomFactor !== 1) window.webContents.once('did-navigate', () => window.webContents.setZoomFactor(zoomFactor))
  window.once('ready-to-show', () => window.show())
  // If loading fails, the window does not appear, and the next start tries again.
  void window.loadURL(url).catch(() => undefined)
  return window
}

interface AppWindowParts {
  readonly url: string
  readonly preload: string
  readonly devTools: boolean
  readonly zoomFactor: number
  readonly records: Records
  /** Called with the window's visibility whenever it may have changed. */
  readonly seen: (visible: boolean) => void
}

/** The main window, with its last size and position. */
export function openAppWindow({ url, preload, devTools, zoomFactor, records, seen }: AppWindowParts): BrowserWindow {
  const window = openPageWindow({
    url,
    preload,
    devTools,
    zoomFactor,
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
