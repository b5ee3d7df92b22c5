import type { Session, WebContents, WebPreferences } from 'electron'
import { type Clock, minute } from '../../../shared/time.ts'

/** Keeps a page at its address: blocks navigation, new windows and webviews. The page may only reload itself. */
export function forbidNavigation(contents: Pick<WebContents, 'setWindowOpenHandler' | 'getURL' | 'on'>): void {
  contents.setWindowOpenHandler(() => ({ action: 'deny' }))
  contents.on('will-navigate', (event) => {
    if (!isSamePage(contents.getURL(), event.url)) event.preventDefault()
  })
  contents.on('will-redirect', (event) => event.preventDefault())
  contents.on('will-attach-webview', (event) => event.preventDefault())
}

/** Whether two addresses lead to the same page. Ignores the part after `#`, which the page may change. */
export function isSamePage(current: string, wanted: string): boolean {
  const [from, to] = [URL.parse(current), URL.parse(wanted)]
  if (from === null || to === null) return false
  from.hash = ''
  to.hash = ''
  return from.href === to.href
}

/** Reloads the page. If the user switched the app’s language, loads the page’s new address `url` instead. Keeps the part of the address after `#`. */
export function reopenPage(contents: Pick<WebContents, 'getURL' | 'loadURL' | 'reload'>, url: string): void {
  const current = contents.getURL()
  if (isSamePage(current, url)) contents.reload()
  else void contents.loadURL(`${url}${URL.parse(current)?.hash ?? ''}`).catch(() => undefined)
}

/** The web preferences of every window: sandboxed, isolated, without Node. `preload`: null if the page must not call the main process. */
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
    // Timers must keep running while the window is hidden, because WalletConnect must answer the relay’s pings.
    backgroundThrottling: false,
    devTools,
  }
}

/**
 * Denies every permission to every page, such as camera, notifications and clipboard. Electron needs two handlers: one for requests and one for
 * checks.
 */
export function denyPermissions(session: Pick<Session, 'setPermissionRequestHandler' | 'setPermissionCheckHandler'>): void {
  session.setPermissionRequestHandler((_contents, _permission, decide) => decide(false))
  session.setPermissionCheckHandler(() => false)
}

export interface Area {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

interface Size {
  readonly width: number
  readonly height: number
}

interface Sizes {
  readonly usual: Size
  readonly smallest: Size
}

export const mainSizes = { usual: { width: 1_440, height: 900 }, smallest: { width: 1_024, height: 680 } } as const satisfies Sizes
/** How many pixels of the title bar must be on a display, so that the user can move the window. */
const reachable = 64

/**
 * The size and position at which a window opens: those that the window had last. If no display contains that position any more, only the size is
 * used. `saved`: null if the window was never open.
 */
export function initialBounds(saved: Area | null, displays: readonly Area[], { usual, smallest }: Sizes): Size & { x?: number; y?: number } {
  if (saved === null) return usual
  const size = { width: Math.max(smallest.width, saved.width), height: Math.max(smallest.height, saved.height) }
  const shown = displays.some(
    (area) =>
      saved.x + saved.width > area.x + reachable &&
      saved.x < area.x + area.width - reachable &&
      saved.y >= area.y &&
      saved.y < area.y + area.height - reachable,
  )
  return shown ? { ...size, x: saved.x, y: saved.y } : size
}

export interface RevivePageParts {
  readonly clock: Pick<Clock, 'monotonic'>
  /** Called when the page’s process crashed and the page is reloaded. */
  readonly reloads: (how: Error) => void
  /** Called when the page’s process crashed so often that the app no longer reloads the page. */
  readonly givesUp: (how: Error) => void
}

/** If a page’s process crashes `times` times within `withinMs`, the app stops reloading the page. */
const tooOften = { times: 3, withinMs: 5 * minute }

/**
 * Reloads a page after its process crashed, but stops after several crashes in a short time. The reload is useful, because the user needs the page
 * to close positions and the main process still works.
 */
export function revivePage(contents: Pick<WebContents, 'on' | 'reload' | 'isDestroyed'>, { clock, reloads, givesUp }: RevivePageParts): void {
  let ended: number[] = []
  contents.on('render-process-gone', (_event, { reason, exitCode }) => {
    // The page’s process ended on request, or the window is closing, so do not reload the page.
    if (reason === 'clean-exit' || contents.isDestroyed()) return
    const how = new Error(`The process of the page ended: ${reason}, exit code ${exitCode}`)
    const now = clock.monotonic()
    ended = [...ended.filter((at) => now - at < tooOften.withinMs), now]
    if (ended.length >= tooOften.times) return givesUp(how)
    reloads(how)
    contents.reload()
  })
}
