import type { App, BrowserWindow } from 'electron'

/** False in a second instance, which must quit; the first is told and brings its window forward. */
export function claimSingleInstance(app: App, window: () => BrowserWindow | null): boolean {
  if (!app.requestSingleInstanceLock()) return false
  app.on('second-instance', () => {
    const open = window()
    if (open === null) return
    if (open.isMinimized()) open.restore()
    open.show()
    open.focus()
  })
  return true
}
