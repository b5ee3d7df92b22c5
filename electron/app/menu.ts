import { Menu, type MenuItemConstructorOptions } from 'electron'

/**
 * The roles that text fields and windows need, and nothing that opens a page: no reload, no help links. Developer tools
 * only where the app is not packaged.
 */
export function installMenu({ platform, packaged }: { readonly platform: string; readonly packaged: boolean }): void {
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
  const first: MenuItemConstructorOptions = platform === 'darwin' ? { role: 'appMenu' } : { label: 'File', submenu: [{ role: 'quit' }] }
  Menu.setApplicationMenu(Menu.buildFromTemplate([first, edit, view, window]))
}
