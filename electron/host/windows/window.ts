import { type BrowserWindow, screen } from 'electron'
import type { Values } from '../../store/journal/journal.ts'
import { openPageWindow } from './page-window.ts'
import { initialBounds, saveBounds, smallest } from './window-bounds.ts'

export interface DeskWindowParts {
  readonly url: string
  readonly preload: string
  readonly devTools: boolean
  readonly values: Values
  /** Told whether it can be seen, whenever that may have changed. */
  readonly seen: (visible: boolean) => void
}

/** The main window, with the size and place that it had. */
export function openDeskWindow({ url, preload, devTools, values, seen }: DeskWindowParts): BrowserWindow {
  const window = openPageWindow({
    url,
    preload,
    devTools,
    options: {
      title: 'Svc Desk',
      ...initialBounds(
        values,
        screen.getAllDisplays().map((display) => display.workArea),
      ),
      minWidth: smallest.width,
      minHeight: smallest.height,
      autoHideMenuBar: true,
    },
  })
  window.on('close', () => {
    if (!window.isMinimized() && !window.isMaximized() && !window.isFullScreen()) saveBounds(values, window.getBounds())
  })
  const look = () => seen(window.isVisible() && !window.isMinimized())
  window.on('show', look)
  window.on('hide', look)
  window.on('minimize', look)
  window.on('restore', look)
  return window
}
