import type { MenuItemConstructorOptions } from 'electron'
import type { DesktopLog } from './desktop.ts'
import { makeEvent, notImplemented, StrictEmitter } from './strict.ts'
import { NativeImage } from './windows/native-image.ts'
import type { HostWindow } from './windows/window.ts'

export interface MenuDependencies {
  log: DesktopLog
  quit: () => void
  focusedWindow: () => HostWindow | undefined
}

type Click = (item: HostMenuItem, window: HostWindow | undefined, event: object) => void

/** A menu item that is never displayed. Tests find the item and click it. */
export class HostMenuItem extends StrictEmitter {
  static override label = 'MenuItem'
  readonly id: string
  readonly type: NonNullable<MenuItemConstructorOptions['type']>
  readonly role: MenuItemConstructorOptions['role']
  readonly accelerator: string | undefined
  readonly submenu: HostMenu | undefined
  label: string
  enabled: boolean
  visible: boolean
  checked: boolean
  readonly #dependencies: MenuDependencies
  readonly #onClick: Click | undefined

  constructor(dependencies: MenuDependencies, options: MenuItemConstructorOptions) {
    super()
    this.#dependencies = dependencies
    this.id = options.id ?? ''
    this.type = options.type ?? (options.submenu === undefined ? 'normal' : 'submenu')
    this.role = options.role
    this.accelerator = options.accelerator
    this.label = options.label ?? options.role ?? ''
    this.enabled = options.enabled ?? true
    this.visible = options.visible ?? true
    this.checked = options.checked ?? false
    this.submenu = Array.isArray(options.submenu) ? new HostMenu(dependencies, options.submenu) : (options.submenu as HostMenu | undefined)
    this.#onClick = options.click as Click | undefined
  }

  click(event: object = {}, window: HostWindow | undefined = this.#dependencies.focusedWindow()): void {
    if (!this.enabled) return
    if (this.type === 'checkbox') this.checked = !this.checked
    if (this.#onClick !== undefined) this.#onClick(this, window, event)
    else if (this.role === 'quit') this.#dependencies.quit()
    else if (this.role === 'close') window?.close()
    else if (this.role === 'minimize') window?.minimize()
    else if (this.role === 'reload') window?.reload()
  }
}

export class HostMenu extends StrictEmitter {
  static override label = 'Menu'
  static override emits: ReadonlySet<string> = new Set(['menu-will-show', 'menu-will-close'])
  readonly items: HostMenuItem[]
  readonly #log: DesktopLog

  constructor(dependencies: MenuDependencies, template: (MenuItemConstructorOptions | HostMenuItem)[] = []) {
    super()
    this.#log = dependencies.log
    this.items = template.map((entry) => (entry instanceof HostMenuItem ? entry : new HostMenuItem(dependencies, entry)))
  }

  append(item: HostMenuItem): void {
    this.items.push(item)
  }

  insert(position: number, item: HostMenuItem): void {
    this.items.splice(position, 0, item)
  }

  getMenuItemById(id: string): HostMenuItem | null {
    for (const item of this.items) {
      const found = item.id === id ? item : item.submenu?.getMenuItemById(id)
      if (found) return found
    }
    return null
  }

  popup(options: { callback?: () => void } = {}): void {
    this.#log.record({ kind: 'menu-popup', labels: this.items.map(({ label }) => label) })
    this.emit('menu-will-show', makeEvent())
    this.closePopup()
    options.callback?.()
  }

  closePopup(): void {
    this.emit('menu-will-close', makeEvent())
  }
}

const emptyMenu: readonly HostMenuItem[] = []

/** The tray icons that exist, for tests: `app.evaluate(({ standIn }) => standIn.trays)`. */
export const trays: HostTray[] = []

export class HostTray extends StrictEmitter {
  static override label = 'Tray'
  static override emits: ReadonlySet<string> = new Set(['click', 'right-click', 'double-click', 'balloon-click', 'mouse-enter', 'mouse-leave'])
  #destroyed = false
  #toolTip = ''
  #menu: HostMenu | null = null

  /** As in Electron, a tray icon needs a picture that can be shown, and an app that is ready. */
  constructor(isReady: boolean, image: unknown) {
    super()
    if (!isReady) throw new Error('Cannot create Tray before app is ready')
    this.#check(image)
    trays.push(this)
  }

  /** Not part of Electron’s API: the items of the tray icon’s menu. */
  get items(): readonly HostMenuItem[] {
    return this.#menu?.items ?? emptyMenu
  }

  setToolTip(text: string): void {
    this.#use()
    this.#toolTip = text
  }

  getToolTip(): string {
    return this.#toolTip
  }

  setContextMenu(menu: HostMenu | null): void {
    this.#use()
    this.#menu = menu
  }

  setImage(image: unknown): void {
    this.#use()
    this.#check(image)
  }

  popUpContextMenu(menu: HostMenu | null = this.#menu): void {
    this.#use()
    menu?.popup()
  }

  destroy(): void {
    this.#destroyed = true
    const at = trays.indexOf(this)
    if (at >= 0) trays.splice(at, 1)
  }

  isDestroyed(): boolean {
    return this.#destroyed
  }

  #use(): void {
    if (this.#destroyed) throw new TypeError('Object has been destroyed')
  }

  #check(image: unknown): void {
    if (typeof image === 'string') notImplemented('a Tray from a file')
    if (!(image instanceof NativeImage) || image.isEmpty()) throw new TypeError('Failed to load image for the tray')
  }
}
