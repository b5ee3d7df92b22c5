import { Menu, type MenuItemConstructorOptions } from 'electron'

export interface MenuParts {
  readonly platform: string
  readonly packaged: boolean
  /** null if there is nothing to lock: no passphrase is set, or the app is already locked. */
  readonly lockNow: (() => void) | null
}

/**
 * Offers only the roles that text fields and windows need, and nothing that opens a page: no reload, no help links. Adds developer tools only in an
 * unpackaged app.
 */
export function installMenu({ platform, packaged, lockNow }: MenuParts): void {
  const edit: MenuItemConstructorOptions = {
    label: 'Edit',
    submenu: [{ role: 'undo' }, { role: 'redo' }, { type: 'separator' }, { role: 'cut' }, { role: 'copy' }, { role: 'paste' }, { role: 'selectAll' }],
  }
  const view: MenuItemConstructorOptions = {
    label: 'View',
    submenu: [
      { role: 'resetZoom' },
      { role: 'zoomIn' },
      { role: 'zoomOut' },
      { type: 'separator' },
      { role: 'togglefullscreen' },
      ...(packaged ? [] : [{ role: 'toggleDevTools' } as const]),
    ],
  }
  const window: MenuItemConstructorOptions = { label: 'Window', submenu: [{ role: 'minimize' }, { role: 'close' }] }
  const lock: MenuItemConstructorOptions = {
    id: 'lock',
    label: 'Lock now',
    accelerator: 'CommandOrControl+Shift+L',
    enabled: lockNow !== null,
    click: () => lockNow?.(),
  }
  const file: MenuItemConstructorOptions = {
    label: 'File',
    submenu: platform === 'darwin' ? [lock] : [lock, { type: 'separator' }, { role: 'quit' }],
  }
  const own: MenuItemConstructorOptions[] = platform === 'darwin' ? [{ role: 'appMenu' }] : []
  Menu.setApplicationMenu(Menu.buildFromTemplate([...own, file, edit, view, window]))
}
