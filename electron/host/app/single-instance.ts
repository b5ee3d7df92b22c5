import type { App, BrowserWindow } from 'electron'

/** False in a second instance, which must quit; the first is told and brings its window forward. */
export function claimSingleInstance(app: App, window: () => BrowserWindow | null): boolean {
  if (!app.requestSingleInstanceLock()) return false
  app.on('second-instance', () => bringForward(window()))
  return true
}

export function bringForward(window: BrowserWindow | null): void {
  if (window === null) return
  if (window.isMinimized()) window.restore()
  window.show()
  window.focus()
}
