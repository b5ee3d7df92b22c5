import { type BrowserWindow, screen } from 'electron'
import type { Records } from '../../store/records/registry.ts'
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

interface Area {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

const smallest = { width: 1_024, height: 680 } as const
const usual = { width: 1_440, height: 900 } as const
/** So much of the title bar must be on a display to be grabbed. */
const reachable = 64

/** The size of the last time, and its place if a display still shows it. */
export function initialBounds(
  { windowBounds }: Pick<Records, 'windowBounds'>,
  displays: readonly Area[],
): { width: number; height: number; x?: number; y?: number } {
  const saved = windowBounds.read({})
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

export function saveBounds({ windowBounds }: Pick<Records, 'windowBounds'>, { x, y, width, height }: Area): void {
  windowBounds.write({}, { x, y, width, height })
}
