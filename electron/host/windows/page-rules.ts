import type { Session, WebContents, WebPreferences } from 'electron'
import { type Clock, minute } from '../../../shared/time.ts'

/** Keeps a page where it was loaded: no other page, no new window and no webview. The page may only reload itself. */
export function forbidNavigation(contents: Pick<WebContents, 'setWindowOpenHandler' | 'getURL' | 'on'>): void {
  contents.setWindowOpenHandler(() => ({ action: 'deny' }))
  contents.on('will-navigate', (event) => {
    if (!isSamePage(contents.getURL(), event.url)) event.preventDefault()
  })
  contents.on('will-redirect', (event) => event.preventDefault())
  contents.on('will-attach-webview', (event) => event.preventDefault())
}

/** Compares addresses without the part after `#`, which the page may change. */
export function isSamePage(current: string, wanted: string): boolean {
  const [from, to] = [URL.parse(current), URL.parse(wanted)]
  if (from === null || to === null) return false
  from.hash = ''
  to.hash = ''
  return from.href === to.href
}

/** Reloads the page, or loads `url` if the page's language has changed. Keeps the part of the address after `#`. */
export function reopenPage(contents: Pick<WebContents, 'getURL' | 'loadURL' | 'reload'>, url: string): void {
  const current = contents.getURL()
  if (isSamePage(current, url)) contents.reload()
  else void contents.loadURL(`${url}${URL.parse(current)?.hash ?? ''}`).catch(() => undefined)
}

/** The preferences for every window: sandboxed, isolated, without Node. If `preload` is null, the page has no bridge. */
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
    // WalletConnect must answer its relay's pings while the window is hidden.
    backgroundThrottling: false,
    devTools,
  }
}

/** Denies every permission that Chromium asks for: no camera, no notifications, no clipboard. Devices also need the check handler. */
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
/** This much of the title bar must be on a display, so that the user can grab it. */
const reachable = 64

/** A window’s last size, and its last position if that is still on a display. `saved` null: the window was never open. */
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
  /** Called when the page's process ended and the page reloads. */
  readonly reloads: (how: Error) => void
  /** Called when the page's process ended too often to reload the page. */
  readonly givesUp: (how: Error) => void
}

const mostAMinute = 3

/** Reloads a page whose process ended, but not in a loop. The main process still works, and the user needs the page to close an order. */
export function revivePage(contents: Pick<WebContents, 'on' | 'reload' | 'isDestroyed'>, { clock, reloads, givesUp }: RevivePageParts): void {
  let ended: number[] = []
  contents.on('render-process-gone', (_event, { reason, exitCode }) => {
    // The process ended on request, or its window is closing.
    if (reason === 'clean-exit' || contents.isDestroyed()) return
    const how = new Error(`The process of the page ended: ${reason}, exit code ${exitCode}`)
    const now = clock.monotonic()
    ended = [...ended.filter((at) => now - at < minute), now]
    if (ended.length > mostAMinute) return givesUp(how)
    reloads(how)
    contents.reload()
  })
}
