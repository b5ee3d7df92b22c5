import { app, type BrowserWindow, Menu, type MenuItemConstructorOptions } from 'electron'
import { menuText } from '../../../shared/text/desktop-text.ts'
import { inUserLanguage } from '../../kernel/user-language.ts'
import { contextMenuOf, item, line } from './menu-items.ts'

export interface MenuParts {
  readonly platform: string
  readonly packaged: boolean
  /** Locks the app. null if that is impossible: no passphrase is set, or the app is already locked. */
  readonly lockNow: (() => void) | null
  readonly checkForUpdates: () => void
}

/**
 * Sets the app’s menu. It contains only what text fields and windows need, and nothing that loads a page (no reload, no help links). Unpackaged apps
 * also get the developer tools.
 */
export const installMenu = (parts: MenuParts): void => inUserLanguage(() => Menu.setApplicationMenu(Menu.buildFromTemplate(menuOf(parts))))

function menuOf({ platform, packaged, lockNow, checkForUpdates }: MenuParts): MenuItemConstructorOptions[] {
  const lock: MenuItemConstructorOptions = {
    id: 'lock',
    label: menuText.lockNow,
    accelerator: 'CommandOrControl+Shift+L',
    enabled: lockNow !== null,
    click: () => lockNow?.(),
  }
  const update: MenuItemConstructorOptions = { id: 'updates', label: menuText.checkForUpdates, click: checkForUpdates }
  return [
    ...(platform === 'darwin' ? [appMenu(app.name, update)] : []),
    { label: menuText.file, submenu: platform === 'darwin' ? [lock] : [lock, update, line, item('quit')] },
    { label: menuText.edit, submenu: [item('undo'), item('redo'), line, item('cut'), item('copy'), item('paste'), item('selectAll')] },
    {
      label: menuText.view,
      submenu: [item('resetZoom'), item('zoomIn'), item('zoomOut'), line, item('togglefullscreen'), ...(packaged ? [] : [{ role: 'toggleDevTools' } as const])],
    },
    { label: menuText.window, submenu: [item('minimize'), item('close')] },
  ]
}

/** On macOS, the first menu, which is named after the app. */
const appMenu = (name: string, update: MenuItemConstructorOptions): MenuItemConstructorOptions => ({
  label: name,
  submenu: [
    { role: 'about', label: menuText.about(name) },
    update,
    line,
    { role: 'services', label: menuText.services },
    line,
    { role: 'hide', label: menuText.hide(name) },
    { role: 'hideOthers', label: menuText.hideOthers },
    { role: 'unhide', label: menuText.unhide },
    line,
    { role: 'quit', label: menuText.quitApp(name) },
  ],
})

/** Shows a context menu on right click: editing commands in text fields, Copy for selected text. Electron itself shows no context menu. */
export function offerContextMenu(window: BrowserWindow): void {
  window.webContents.on('context-menu', (_event, clicked) => {
    const items = inUserLanguage(() => contextMenuOf(clicked))
    if (items.length > 0) Menu.buildFromTemplate(items).popup({ window })
  })
}
