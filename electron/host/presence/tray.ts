import type { App, BrowserWindow, JumpListCategory, Menu, MenuItemConstructorOptions, NativeImage, Tray } from 'electron'
import { isCounted } from '../../../shared/attention.ts'
import { menuText } from '../../../shared/text/desktop-text.ts'
import type { Handlers } from '../../kernel/handlers.ts'
import { inUserLanguage } from '../../kernel/user-language.ts'
import { startWord } from './app-start.ts'

/** The information that the tray shows. It contains no name, amount or account, because the tray stays visible while the app is locked. */
export interface TrayFacts {
  readonly attention: number
  /** The state of the service. `none`: no exchange is open. */
  readonly service: 'none' | 'up' | 'slow' | 'failing' | 'down' | 'unknown'
  /** The state of the lock. `none`: no passphrase is set. */
  readonly lock: 'none' | 'open' | 'locked'
  /** Whether the gateway for bots is on. */
  readonly gateway: boolean
}

export interface TrayActions {
  readonly open: () => void
  readonly stop: () => void
  readonly pauseBots: () => void
  readonly practice: () => void
  readonly lockNow: () => void
  readonly quit: () => void
}

export interface DesktopIconParts {
  readonly platform: NodeJS.Platform
  readonly app: Pick<App, 'setBadgeCount' | 'dock' | 'setJumpList'>
  readonly hasTray: () => Promise<boolean>
  readonly makeTray: (image: NativeImage) => Pick<Tray, 'setToolTip' | 'setContextMenu' | 'on' | 'destroy'>
  readonly makeMenu: (items: MenuItemConstructorOptions[]) => Menu
  readonly images: { createFromDataURL(url: string): NativeImage; createFromBitmap(pixels: Buffer, size: { width: number; height: number }): NativeImage }
  /** Returns the main window, which owns the app’s button in the Windows taskbar. */
  readonly window: () => Pick<BrowserWindow, 'setOverlayIcon' | 'isDestroyed'> | null
  /** The program that starts the app, and its first arguments. */
  readonly program: { readonly path: string; readonly words: readonly string[] }
  readonly read: (before: TrayFacts) => Promise<TrayFacts>
  readonly actions: TrayActions
  readonly failed: (error: unknown) => void
}

export interface DesktopIcon {
  /** Shows the tray icon if the desktop has a tray. Returns whether the desktop has a tray. */
  ensureTray(): Promise<boolean>
  /** Reads the facts again and shows them in the tray icon, its menu, and the app’s icon in the Dock or taskbar. */
  refresh(): Promise<void>
  close(): void
}

interface ReadTrayParts {
  readonly handlers: Handlers<'app.attention' | 'app.health'>
  readonly hasProfile: () => boolean
  readonly isGatewayOn: () => boolean
  readonly lock: { isSet(): boolean; locked(): boolean; waiting(): number }
}

/**
 * Reads the facts that the tray shows. A locked app must not read the keychain, so it keeps the earlier facts (`before`) and only counts the
 * notices that arrived meanwhile.
 */
export async function readTrayFacts({ handlers, hasProfile, isGatewayOn, lock }: ReadTrayParts, before: TrayFacts): Promise<TrayFacts> {
  if (lock.locked()) return { ...before, attention: Math.max(before.attention, lock.waiting()), lock: 'locked', gateway: isGatewayOn() }
  const [attention, health] = await Promise.all([handlers['app.attention']({}), handlers['app.health']({})])
  return {
    attention: attention.ok ? attention.value.filter(isCounted).length : 0,
    service: !hasProfile() || !health.ok ? 'none' : health.value.service,
    lock: lock.locked() ? 'locked' : lock.isSet() ? 'open' : 'none',
    gateway: isGatewayOn(),
  }
}

/** The first lines of the tray's menu: what needs attention, and whether the exchange responds. */
const linesOf = ({ attention, service, lock }: TrayFacts): string[] => [
  attention === 0 ? menuText.allClear : menuText.needAttention(attention),
  menuText[`service_${service}`],
  ...(lock === 'locked' ? [menuText.locked] : []),
]

export function trayMenuOf(facts: TrayFacts, { open, stop, pauseBots, lockNow, quit }: TrayActions): MenuItemConstructorOptions[] {
  const lines = linesOf(facts).map((label) => ({ label, enabled: false }))
  return [
    ...lines,
    { type: 'separator' },
    { id: 'open', label: menuText.openApp, click: open },
    ...(facts.gateway ? [{ id: 'pauseBots', label: menuText.pauseAllBots, click: pauseBots }] : []),
    { id: 'stop', label: menuText.stopEverything, click: stop },
    { id: 'lock', label: menuText.lockNow, enabled: facts.lock === 'open', click: lockNow },
    { type: 'separator' },
    { id: 'quit', label: menuText.quit, click: quit },
  ]
}

const dockMenuOf = ({ lock }: TrayFacts, { stop, practice, lockNow }: TrayActions): MenuItemConstructorOptions[] => [
  { id: 'lock', label: menuText.lockNow, enabled: lock === 'open', click: lockNow },
  { id: 'stop', label: menuText.closeEverything, click: stop },
  { id: 'practice', label: menuText.practice, click: practice },
]

/** The tasks in the menu of the app’s Windows taskbar button. Each task starts the app with an option, which the running copy of the app receives. */
function jumpListOf({ path, words }: DesktopIconParts['program']): JumpListCategory[] {
  const task = (title: string, word: string) =>
    ({ type: 'task', title, program: path, args: [...words, word].map((one) => `"${one}"`).join(' '), iconPath: path, iconIndex: 0 }) as const
  const items = [task(menuText.lockNow, startWord.lock), task(menuText.closeEverything, startWord.stop), task(menuText.practice, startWord.practice)]
  return [{ type: 'tasks', items }]
}

/** The app's icons on the desktop: in the tray, and in the Dock or taskbar with the number of items that need attention. */
export function createDesktopIcon(parts: DesktopIconParts): DesktopIcon {
  const { platform, app, hasTray, makeTray, makeMenu, images, window, program, read, actions, failed } = parts
  let tray: ReturnType<DesktopIconParts['makeTray']> | null = null
  let facts: TrayFacts = { attention: 0, service: 'none', lock: 'none', gateway: false }
  let isClosed = false
  /** The facts that the icon shows now. The app sets the menu only if they change, because setting a menu closes it while the user looks at it. */
  let shown = ''
  let run: Promise<void> = Promise.resolve()
  let isWaiting = false

  const showInTray = () =>
    inUserLanguage(() => {
      tray?.setToolTip(['Svc Desk', ...linesOf(facts)].join('\n'))
      tray?.setContextMenu(makeMenu(trayMenuOf(facts, actions)))
    })

  const showOnIcon = () =>
    inUserLanguage(() => {
      const { attention } = facts
      if (platform === 'win32') {
        const owner = window()
        const picture = attention === 0 ? null : images.createFromBitmap(badgePixels(attention), { width: badgeSize, height: badgeSize })
        if (owner !== null && !owner.isDestroyed()) owner.setOverlayIcon(picture, attention === 0 ? '' : menuText.needAttention(attention))
        app.setJumpList(jumpListOf(program))
        return
      }
      app.setBadgeCount(attention)
      app.dock?.setMenu(makeMenu(dockMenuOf(facts, actions)))
    })

  const show = async () => {
    isWaiting = false
    facts = await read(facts)
    const next = JSON.stringify([facts, globalThis.spoken?.locale, inUserLanguage(() => menuText.quit)])
    if (isClosed || next === shown) return
    shown = next
    showOnIcon()
    if (tray !== null) showInTray()
  }

  return {
    async ensureTray() {
      if (tray !== null && platform !== 'linux') return true
      const isThere = await hasTray()
      if (isClosed) return false
      if (!isThere) {
        tray?.destroy()
        tray = null
      } else if (tray === null) {
        tray = makeTray(images.createFromDataURL(trayIcon))
        tray.on('click', actions.open)
        showInTray()
      }
      return isThere
    },
    refresh() {
      // Run one read at a time. At most one more read waits.
      if (isWaiting) return run
      isWaiting = true
      run = run.then(show).catch(failed)
      return run
    },
    close() {
      isClosed = true
      tray?.destroy()
      tray = null
    },
  }
}

/** The app's icon as a PNG of 32 × 32 pixels, drawn from `build/package/icon.svg`. */
const trayIcon = [
  'data:image/png;base64,',
  'iVBORw0KGgoAAAANSUhEUgAAACAAAAAgCAYAAABzenr0AAADVklEQVR4nMRX3UtUQRQ/c1dpZdesp8LSYMUMgjR8MCJ76CUfiso/IZLSCBMf7A+IXiIthOoh',
  'gl6CHpIeopdeIiroC9y+w48HBeshUBddXHdnpnNnZ+beO3fM3byLZ2HPnJm5v/Pbc86cuevAJosDmyxVtskjl3+nnBgdBALtwKGVEIhzDoAaipqg5j7b1Hp9',
  'BXUa7Y+0ULjx6uaeadMXMSc6B2fPAScjCJHkckNQ4wp+wvPrrZMlANb/crjx/poEOgdmLiDjO94v8GkBapkvc50B9L4eabwbInD40kyTE2NpZJsAXzjVT4jK',
  'Rr3MqNP6ZrRxyvXrFaGT7+GcJThDjsiTSR21jToBDu1RbnURcsYPcZEtybyCGt20WQiwNmvuKqBxYCEAvA6jIJkykaxK2TjYYYkAlUdIFgzmTB2pjn1JONBU',
  'A1rU2VpLcD09mYX3P7K+08EC+GECnEOoBvATwzK93rsbtlQTKEdyeQ5H+78LLI1r4BsRYP4ciV2uHUfHyvn0XA4WlgoA/2hDSv9ZzIuQm3jatkbAzRVIDBk2',
  'zmN68+0nv+DFeAZ0nK3OIbwucImBHyJADTDjIZRUfRwy2dIiMDGbxb1c43ha7bNEoNiqfBRFVLzNfad3QqnipupY/+cQXsAGXyd0a0CUoas503ZmOQ/zIu/l',
  'ybZkFSRrHNEB/XgKX4kRgWANKPvUlU+wtyEB9hwH7YPNtXCxe5fEpAKDG3jWGmBuHwhc7ExX7+ISh3ffFoz1oFadLhn3rhdR2Ew2Ic6Cz5sExCllMkeGPn+y',
  'Hjr210FJoa+t9hBl2BVOAN8kUGRa3ETEwItyX3dDoHuVKrk8FTVAfIdA44cIuCH3dUA5EHLtwRRs31oN5ch8Jg8ruYLEVk4MfAjUAFvz9nr4fC7yWzFEAFQn',
  'rOAtGLoVjQj8JA60eLegeStGaBPyNhwBwsaRYIsgo95qJdGobUzDuHKrD20B6FUM0ap4d8OdxQ5W1BHbq5QWRkMEph4d/8IoGxK1wKh8yK43so7fQ5OPu77q',
  'wIMhqTPPzjqE3EKYZOA933zvL9NGwT8mZGByrOue35+1vTR3P01RRgZx2I47WhErTvy9SXXh9e0V/Erj5IcY4cMTYyemTV//0d+ilU3/d/wXAAD//wfdhCAA',
  'AAAGSURBVAMAchq3MgW2TCAAAAAASUVORK5CYII=',
].join('')

export const badgeSize = 16

/** The pixels of each character: five rows of three pixels. */
const glyphs: Readonly<Record<string, readonly string[]>> = {
  0: ['###', '# #', '# #', '# #', '###'],
  1: [' # ', '## ', ' # ', ' # ', '###'],
  2: ['###', '  #', '###', '#  ', '###'],
  3: ['###', '  #', '###', '  #', '###'],
  4: ['# #', '# #', '###', '  #', '  #'],
  5: ['###', '#  ', '###', '  #', '###'],
  6: ['###', '#  ', '###', '# #', '###'],
  7: ['###', '  #', '  #', ' # ', ' # '],
  8: ['###', '# #', '###', '# #', '###'],
  9: ['###', '# #', '###', '  #', '###'],
  '+': ['   ', ' # ', '###', ' # ', '   '],
}

/** The size at which each pixel of a character is drawn, in pixels of the badge. */
const scale = 2
/** The badge’s colours, each as blue, green, red and alpha, because Electron reads bitmaps in this order. */
const colours = { ground: [38, 38, 196, 255], text: [255, 255, 255, 255] } as const

/** Draws a red disc with a number as raw pixels, for the taskbar of Windows. Numbers above nine appear as `9+`. */
export function badgePixels(count: number): Buffer {
  const pixels = Buffer.alloc(badgeSize * badgeSize * 4)
  const put = (x: number, y: number, colour: readonly number[]) => pixels.set(colour, (y * badgeSize + x) * 4)
  const middle = (badgeSize - 1) / 2
  for (let y = 0; y < badgeSize; y += 1)
    for (let x = 0; x < badgeSize; x += 1) if (Math.hypot(x - middle, y - middle) <= badgeSize / 2) put(x, y, colours.ground)
  const text = count > 9 ? '9+' : String(count)
  const rows = [0, 1, 2, 3, 4].map((row) => Array.from(text, (character) => glyphs[character]?.[row] ?? '').join(' '))
  const width = (rows[0]?.length ?? 0) * scale
  const [left, top] = [Math.floor((badgeSize - width) / 2), Math.floor((badgeSize - rows.length * scale) / 2)]
  for (let y = 0; y < rows.length * scale; y += 1)
    for (let x = 0; x < width; x += 1) if (rows[Math.floor(y / scale)]?.[Math.floor(x / scale)] === '#') put(left + x, top + y, colours.text)
  return pixels
}
