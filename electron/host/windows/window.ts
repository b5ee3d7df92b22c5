import { type BrowserWindow, screen } from 'electron'
import { z } from 'zod'
import type { Values } from '../../store/journal/journal.ts'
import { openPageWindow } from './page-window.ts'

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

interface Area {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

const Bounds = z.object({ x: z.number().int(), y: z.number().int(), width: z.number().int().min(1), height: z.number().int().min(1) })

const smallest = { width: 1_024, height: 680 } as const
const usual = { width: 1_440, height: 900 } as const
const name = 'window.bounds'
/** So much of the title bar must be on a display to be grabbed. */
const reachable = 64

/** The size of the last time, and its place if a display still shows it. */
export function initialBounds(values: Values, displays: readonly Area[]): { width: number; height: number; x?: number; y?: number } {
  const saved = read(values)
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

export function saveBounds(values: Values, bounds: Area): void {
  values.set(name, JSON.stringify({ x: bounds.x, y: bounds.y, width: bounds.width, height: bounds.height }))
}

function read(values: Values): Area | null {
  try {
    return Bounds.parse(JSON.parse(values.get(name) ?? 'null'))
  } catch {
    return null
  }
}
