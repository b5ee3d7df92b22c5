import { type BrowserWindow, screen } from 'electron'
import type { Records } from '../../store/records/registry.ts'
import { initialBounds, saveBounds, smallest } from './page-rules.ts'
import { openPageWindow } from './page-window.ts'

export interface DeskWindowParts {
  readonly url: string
  readonly preload: string
  readonly devTools: boolean
  readonly records: Records
  /** Told whether it can be seen, whenever that may have changed. */
  readonly seen: (visible: boolean) => void
}

/** The main window, with the size and place that it had. */
export function openDeskWindow({ url, preload, devTools, records, seen }: DeskWindowParts): BrowserWindow {
  const window = openPageWindow({
    url,
    preload,
    devTools,
    options: {
      title: 'Svc Desk',
      ...initialBounds(
        records,
        screen.getAllDisplays().map((display) => display.workArea),
      ),
      minWidth: smallest.width,
      minHeight: smallest.height,
      autoHideMenuBar: true,
    },
  })
  window.on('close', () => {
    if (!window.isMinimized() && !window.isMaximized() && !window.isFullScreen()) saveBounds(records, window.getBounds())
  })
  const look = () => seen(window.isVisible() && !window.isMinimized())
  window.on('show', look)
  window.on('hide', look)
  window.on('minimize', look)
  window.on('restore', look)
  return window
}
