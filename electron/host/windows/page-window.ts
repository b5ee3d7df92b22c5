import { app, BrowserWindow, type BrowserWindowConstructorOptions, type Rectangle, screen, shell } from 'electron'
import { errorText, windowText } from '../../../shared/text/desktop-text.ts'
import { minute } from '../../../shared/time.ts'
import type { Secret } from '../../kernel/secret.ts'
import { inUserLanguage } from '../../kernel/user-language.ts'
import { escaped, plainPage, type Reveals, revealCloseUrl } from '../../keys/delivery/reveal.ts'
import type { Records } from '../../store/records/registry.ts'
import { offerContextMenu } from '../desktop/menu.ts'
import { serveOnly } from '../desktop/protocol.ts'
import type { Starts } from '../presence/app-start.ts'
import { forbidNavigation, initialBounds, mainSizes, pagePreferences, reopenPage } from './page-rules.ts'

export interface PageWindow {
  readonly url: string
  /** Path of the preload script; null if the page must not call the main process. */
  readonly preload: string | null
  /** Whether scripts of the page run; true by default. */
  readonly script?: boolean
  readonly devTools: boolean
  /** The zoom of the page; 1 by default. */
  readonly zoomFactor?: number
  /** Whether the window takes the focus when it appears; true by default. */
  readonly takesFocus?: boolean
  /** Called once the window has painted. Returns whether the window appears now. Without this function, the window appears. */
  readonly appears?: () => boolean
  readonly options: BrowserWindowConstructorOptions
}

/**
 * Opens a window. The app creates all its windows here: sandboxed, isolated, without Node, and unable to leave their page. The window appears once
 * it has painted.
 */
export function openPageWindow({
  url,
  preload,
  script = true,
  devTools,
  zoomFactor = 1,
  takesFocus = true,
  appears = () => true,
  options,
}: PageWindow): BrowserWindow {
  const window = new BrowserWindow({
    ...options,
    show: false,
    webPreferences: pagePreferences({ preload, script, devTools }),
  })
  forbidNavigation(window.webContents)
  // A page without a preload shows a secret, so it gets no context menu. Only the page’s own button may copy the secret, because that button also
  // clears the clipboard later.
  if (preload !== null) offerContextMenu(window)
  // `seal.js` removes WebRTC from pages. This setting limits WebRTC even if a script evades `seal.js`.
  window.webContents.setWebRTCIPHandlingPolicy('disable_non_proxied_udp')
  // Set the zoom after the first navigation, because a window ignores it before. At a zoom of 1, set nothing, so that the zoom that the user chose
  // in the View menu remains.
  if (zoomFactor !== 1) window.webContents.once('did-navigate', () => window.webContents.setZoomFactor(zoomFactor))
  window.once('ready-to-show', () => {
    if (!appears()) return
    if (takesFocus) window.show()
    else window.showInactive()
  })
  // If loading fails, the window never appears. The user can start the app again.
  void window.loadURL(url).catch(() => undefined)
  return window
}

interface AppWindowParts {
  readonly url: string
  readonly preload: string
  readonly devTools: boolean
  readonly zoomFactor: number
  readonly appears: () => boolean
  readonly records: Pick<Records, 'windowBounds'>
}

/** The main window, with its last size and position. */
export function openAppWindow({ url, preload, devTools, zoomFactor, appears, records }: AppWindowParts): BrowserWindow {
  const window = openPageWindow({
    url,
    preload,
    devTools,
    zoomFactor,
    appears,
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
  /** Opens the window, or brings it to the front if it is open. */
  show(): void
  windows(): readonly BrowserWindow[]
  /** Loads the page again, in the language of the settings. */
  reopen(): void
  close(): void
}

/**
 * The window of the practice wallet, in the size of a phone. With larger text the window gets wider, so that a line contains as many words as on a
 * phone.
 */
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

/** How long the window stays open: as long as the countdown bar in `reveal.ts` (60 s). */
const lifeMs = minute

export interface RevealWindow {
  /** Opens a window with a secret, after closing an earlier one. Returns the milliseconds until the window closes automatically. */
  show(label: string, secret: Secret): { readonly closesInMs: number }
  /** Closes the window with the secret. Called when the app locks or quits, and when the profile changes. */
  close(): void
}

/**
 * A window that shows a secret. It has no scripts and no preload, and screenshots cannot capture it. It closes after a minute, on Escape, when the
 * user follows its link, or together with its parent window.
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

/** Host of the app’s scheme for the page that replaces a crashed window’s page. The app’s own pages use a different host. */
export const stoppedHost = 'stopped'
/**
 * The target of the only link on the page that replaces a crashed window’s page. If the user follows the link, the main process reopens the window.
 */
const againPath = '/again'
const againUrl = `app://${stoppedHost}${againPath}`

/** The page that replaces a page that crashed repeatedly. It shows where the log is. */
export const stoppedPage = (logFile: string): Response =>
  inUserLanguage(() =>
    plainPage({
      language: globalThis.spoken?.locale ?? 'en',
      title: windowText.stopped,
      body: `<p>${escaped(windowText.stoppedWhy)}</p>
<p>${escaped(windowText.stoppedLog)}</p>
<code>${escaped(logFile)}</code>
<nav><a href="${againPath}" autofocus>${escaped(windowText.openAgain)}</a></nav>`,
    }),
  )

/** Opens the page for crashed windows in a separate window without scripts. `again`: called when the user wants to reopen the app’s window. */
export function openStoppedWindow(again: () => void): BrowserWindow {
  const window = openPageWindow({
    url: `app://${stoppedHost}/`,
    preload: null,
    script: false,
    devTools: false,
    options: { title: inUserLanguage(() => windowText.stopped), width: 620, height: 320, autoHideMenuBar: true },
  })
  window.webContents.on('will-navigate', ({ url }) => {
    if (url !== againUrl) return
    again()
    window.destroy()
  })
  return window
}

/** The text of the window that explains why the app closed, in the user’s language. */
export interface ClosedText {
  readonly title: string
  readonly error: string
  readonly next: string
  readonly log: string
}

interface ClosedParts {
  readonly text: ClosedText
  readonly logFile: string
  /** The further starts of the app. While the window is open, each one restarts the app. */
  readonly starts: Pick<Starts, 'take'>
  /** Time limit in ms for the window to appear. */
  readonly patienceMs: number
}

const closedUrl = 'app://closed/'
/** The targets of the links on the page of a closed app. */
const closedPaths = { folder: '/folder', again: '/again', quit: '/quit' } as const

/**
 * Shows why the app closed, and closes all other windows. The window has no scripts and no preload. Resolves with the user’s choice once the window
 * closes. Rejects if the window does not appear in time.
 */
export function showClosedWindow({ text, logFile, starts, patienceMs }: ClosedParts): Promise<'again' | 'quit'> {
  const { promise, resolve, reject } = Promise.withResolvers<'again' | 'quit'>()
  const { language, links } = inUserLanguage(() => ({
    language: globalThis.spoken?.locale ?? 'en',
    links: { folder: errorText.openFolder, again: errorText.startAgain, quit: errorText.quit },
  }))
  const link = (name: keyof typeof links, more = '') => `<a href="${closedPaths[name]}"${more}>${escaped(links[name])}</a>`
  const body = `<p>${escaped(text.error)}</p>
<p>${escaped(text.next)}</p>
<p>${escaped(text.log)}</p>
<code>${escaped(logFile)}</code>
<nav>${link('folder')}${link('again')}${link('quit', ' autofocus')}</nav>`
  serveOnly(() => plainPage({ language, title: text.title, body }))
  const window = openPageWindow({
    url: closedUrl,
    preload: null,
    script: false,
    devTools: false,
    options: { title: text.title, width: 620, height: 420, autoHideMenuBar: true },
  })
  const late = setTimeout(() => reject(new Error('The window did not appear in time.')), patienceMs)
  window.once('ready-to-show', () => clearTimeout(late))
  window.webContents.on('render-process-gone', (_event, { reason }) => reject(new Error(`The process of the page ended: ${reason}`)))
  window.webContents.on('will-navigate', ({ url }) => {
    const { pathname } = new URL(url)
    if (pathname === closedPaths.folder) shell.showItemInFolder(logFile)
    else if (pathname === closedPaths.again) resolve('again')
    else if (pathname === closedPaths.quit) resolve('quit')
  })
  window.on('closed', () => resolve('quit'))
  // The listener also keeps Electron from quitting with exit code 0 when the last window closes.
  app.on('window-all-closed', () => resolve('quit'))
  app.on('before-quit', (event) => {
    event.preventDefault()
    resolve('quit')
  })
  // `take` first passes on the starts that came before this window. They did not ask for a restart.
  let isShowing = false
  starts.take(() => {
    if (isShowing) resolve('again')
  })
  isShowing = true
  for (const other of BrowserWindow.getAllWindows()) if (other !== window) other.destroy()
  return promise.finally(() => {
    clearTimeout(late)
    if (!window.isDestroyed()) window.destroy()
  })
}
