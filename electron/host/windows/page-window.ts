import { BrowserWindow, type BrowserWindowConstructorOptions, type Rectangle, screen } from 'electron'
import { windowText } from '../../../shared/text/desktop-text.ts'
import { minute } from '../../../shared/time.ts'
import type { Secret } from '../../kernel/secret.ts'
import { inUserLanguage } from '../../kernel/user-language.ts'
import { type Reveals, revealCloseUrl } from '../../keys/delivery/reveal.ts'
import type { Records } from '../../store/records/registry.ts'
import { offerContextMenu } from '../desktop/menu.ts'
import { forbidNavigation, initialBounds, mainSizes, pagePreferences, reopenPage } from './page-rules.ts'

export interface PageWindow {
  readonly url: string
  /** null if the page has no bridge. */
  readonly preload: string | null
  /** Whether scripts of the page run; true by default. */
  readonly script?: boolean
  readonly devTools: boolean
  /** 1 by default. */
  readonly zoomFactor?: number
  /** Whether the window takes the focus when it appears; true by default. */
  readonly takesFocus?: boolean
  readonly options: BrowserWindowConstructorOptions
}

/** The only way to create a window: sandboxed, isolated, without Node, and fixed to its page. The window appears once it has painted. */
export function openPageWindow({ url, preload, script = true, devTools, zoomFactor = 1, takesFocus = true, options }: PageWindow): BrowserWindow {
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
  window.once('ready-to-show', () => (takesFocus ? window.show() : window.showInactive()))
  // If loading fails, the window does not appear, and the next start tries again.
  void window.loadURL(url).catch(() => undefined)
  return window
}

interface AppWindowParts {
  readonly url: string
  readonly preload: string
  readonly devTools: boolean
  readonly zoomFactor: number
  readonly records: Pick<Records, 'windowBounds'>
}

/** The main window, with its last size and position. */
export function openAppWindow({ url, preload, devTools, zoomFactor, records }: AppWindowParts): BrowserWindow {
  const window = openPageWindow({
    url,
    preload,
    devTools,
    zoomFactor,
    options: {
      title: 'Svc Desk',
      ...initialBounds(records.windowBounds.read({}), workAreas(), mainSizes),
      minWidth: mainSizes.smallest.width,
      minHeight: mainSizes.smallest.height,
      autoHideMenuBar: true,
    },
  })
  window.on('close', () => {
    if (!window.isMinimized() && !window.isMaximized() && !window.isFullScreen()) records.windowBounds.write({}, window.getBounds())
  })
  return window
}

/** The parts of the displays that windows may cover. */
export const workAreas = (): Rectangle[] => screen.getAllDisplays().map((display) => display.workArea)

export const isSeen = (window: BrowserWindow): boolean => !window.isDestroyed() && window.isVisible() && !window.isMinimized()

/** Calls `look` whenever the window's visibility may have changed. */
export function followVisibility(window: BrowserWindow, look: () => void): void {
  window.on('show', look)
  window.on('hide', look)
  window.on('minimize', look)
  window.on('restore', look)
  window.on('closed', look)
}

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

/** As long as the countdown bar in `reveal.ts` runs (60 s). */
const lifeMs = minute

export interface RevealWindow {
  /** Shows one secret and closes an earlier one. Returns the milliseconds until the window closes automatically. */
  show(label: string, secret: Secret): { readonly closesInMs: number }
  /** Called on lock, on quit, and when the profile changes. */
  close(): void
}

/**
 * A window without script and without a preload, excluded from screen captures. It closes after a minute, on Escape, through its own link, or with
 * its parent window.
 */
export function createRevealWindow({ reveals, parent }: { readonly reveals: Reveals; readonly parent: () => BrowserWindow | null }): RevealWindow {
  let closeShown: () => void = () => undefined
  return {
    show(label, secret) {
      closeShown()
      const owner = parent()
      const offered = reveals.offer(label, secret)
      const window = openPageWindow({
        url: offered.url,
        preload: null,
        script: false,
        devTools: false,
        options: {
          ...(owner === null ? {} : { parent: owner }),
          title: inUserLanguage(() => windowText.secret),
          width: 520,
          height: 280,
          resizable: false,
          minimizable: false,
          maximizable: false,
          fullscreenable: false,
          autoHideMenuBar: true,
        },
      })
      window.setContentProtection(true)
      const close = () => {
        if (!window.isDestroyed()) window.destroy()
      }
      const timer = setTimeout(close, lifeMs)
      window.webContents.on('before-input-event', (_event, { type, key }) => {
        if (type === 'keyDown' && key === 'Escape') close()
      })
      window.webContents.on('will-navigate', ({ url }) => {
        if (url === revealCloseUrl) close()
      })
      window.on('closed', () => {
        clearTimeout(timer)
        offered.withdraw()
      })
      closeShown = close
      return { closesInMs: lifeMs }
    },
    close: () => closeShown(),
  }
}
