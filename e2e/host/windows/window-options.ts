import type { BrowserWindowConstructorOptions, WebPreferences } from 'electron'
import { notImplemented } from '../strict.ts'

/** Window options that this stand-in for Electron supports, or whose effect is invisible to pages and tests. Any other option throws. */
const KNOWN: ReadonlySet<string> = new Set<keyof BrowserWindowConstructorOptions>([
  'width',
  'height',
  'x',
  'y',
  'minWidth',
  'minHeight',
  'maxWidth',
  'maxHeight',
  'useContentSize',
  'center',
  'resizable',
  'movable',
  'minimizable',
  'maximizable',
  'closable',
  'focusable',
  'fullscreen',
  'fullscreenable',
  'skipTaskbar',
  'alwaysOnTop',
  'title',
  'icon',
  'show',
  'frame',
  'parent',
  'modal',
  'backgroundColor',
  'titleBarStyle',
  'titleBarOverlay',
  'trafficLightPosition',
  'autoHideMenuBar',
  'darkTheme',
  'hasShadow',
  'roundedCorners',
  'paintWhenInitiallyHidden',
  'acceptFirstMouse',
  'disableAutoHideCursor',
  'webPreferences',
])

const KNOWN_PREFERENCES: ReadonlySet<string> = new Set<keyof WebPreferences>([
  'preload',
  'partition',
  'session',
  'devTools',
  'spellcheck',
  'backgroundThrottling',
  'additionalArguments',
  'javascript',
  'nodeIntegrationInSubFrames',
  'zoomFactor',
  'safeDialogs',
  'disableDialogs',
  'navigateOnDragDrop',
  'images',
  'textAreasAreResizable',
  'webgl',
  'v8CacheOptions',
  'defaultFontFamily',
  'defaultFontSize',
  'autoplayPolicy',
])

/** Web preferences that this stand-in for Electron supports only with these secure values. Any other value throws. */
const FIXED_PREFERENCES: Readonly<Record<string, boolean>> = {
  sandbox: true,
  contextIsolation: true,
  webSecurity: true,
  nodeIntegration: false,
  nodeIntegrationInWorker: false,
  webviewTag: false,
  allowRunningInsecureContent: false,
  experimentalFeatures: false,
  plugins: false,
  offscreen: false,
} satisfies Partial<Record<keyof WebPreferences, boolean>>

export interface WindowOptions {
  width: number
  height: number
  x: number | undefined
  y: number | undefined
  title: string
  show: boolean
  backgroundColor: string
  parent: Electron.BaseWindow | undefined
  modal: boolean
  minimumSize: [number, number]
  webPreferences: WebPreferences
}

/** Reads window options. Throws for every option that this stand-in for Electron does not support, so that no option is ignored silently. */
export function readWindowOptions(options: BrowserWindowConstructorOptions, appName: string): WindowOptions {
  for (const name of Object.keys(options)) if (!KNOWN.has(name)) notImplemented(`the window option ${name}`)
  const webPreferences = options.webPreferences ?? {}
  for (const [name, value] of Object.entries(webPreferences)) {
    const fixed = FIXED_PREFERENCES[name]
    if (fixed !== undefined ? value !== undefined && value !== fixed : !KNOWN_PREFERENCES.has(name)) notImplemented(`webPreferences.${name}: ${String(value)}`)
  }
  return {
    width: options.width ?? 800,
    height: options.height ?? 600,
    x: options.x,
    y: options.y,
    title: options.title ?? appName,
    show: options.show ?? true,
    backgroundColor: options.backgroundColor ?? '#fff',
    parent: options.parent,
    modal: options.modal ?? false,
    minimumSize: [options.minWidth ?? 0, options.minHeight ?? 0],
    webPreferences,
  }
}
