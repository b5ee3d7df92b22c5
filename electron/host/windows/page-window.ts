import { BrowserWindow, type BrowserWindowConstructorOptions, screen } from 'electron'
import type { Records } from '../../store/records/registry.ts'
import { forbidNavigation, initialBounds, pagePreferences, saveBounds, smallest } from './page-rules.ts'

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

interface AppWindowParts {
  readonly url: string
  readonly preload: string
  readonly devTools: boolean
  readonly records: Records
  /** Told whether it can be seen, whenever that may have changed. */
  readonly seen: (visible: boolean) => void
}

/** The main window, with the size and place that it had. */
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
