// Stands in for the `electron` module of the main process. README.md lists what each export supports; everything else throws.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import type { BrowserWindowConstructorOptions, ForkOptions, MenuItemConstructorOptions, NotificationConstructorOptions, WebPreferences } from 'electron'
import { programName } from '../../build/config/release.ts'
import { App } from './app.ts'
import { Clipboard, ClipboardItem as Item } from './clipboard.ts'
import { createDialog, createShell, createSystemPreferences, DesktopLog, HostNotification, PowerMonitor, Screen } from './desktop.ts'
import { readInvocation, readSwitch } from './invocation.ts'
import { IpcMain } from './ipc-main.ts'
import { HostMenu, HostMenuItem, HostTray, type MenuDependencies, trays } from './menu.ts'
import { Protocol } from './session/protocol.ts'
import { Requests } from './session/requests.ts'
import { Schemes } from './session/schemes.ts'
import { Session } from './session/session.ts'
import { readSettings } from './session/settings.ts'
import { absent, makeEvent, strict } from './strict.ts'
import { UtilityProcess } from './utility-process.ts'
import { Chromium } from './windows/chromium.ts'
import { nativeImage as images } from './windows/native-image.ts'
import { NativeTheme } from './windows/native-theme.ts'
import type { WebContents } from './windows/web-contents.ts'
import { HostWindow, type WindowDependencies } from './windows/window.ts'
import { WindowList } from './windows/window-list.ts'

const settings = readSettings(process.env)
const invocation = readInvocation(process.argv.slice(1), process.cwd(), process.env.STAND_IN_APP ?? null)
/** The program to start when the app restarts: the package’s program or, outside packages, this stand-in for Electron. */
const ownProgram =
  process.env.STAND_IN_RESOURCES === undefined ? join(import.meta.dirname, 'electron') : join(process.env.STAND_IN_RESOURCES, '..', programName('linux'))
const windows = new WindowList()
const log = new DesktopLog()
const schemes = new Schemes()
const chromium = new Chromium(settings)
const launched = Promise.withResolvers<void>()

export const app = new App({
  invocation,
  env: process.env,
  log,
  closeWindows: () => windows.closeAll(),
  shutdown: (code) => void shutdown(code),
  startAfterEnd: ({ execPath, args }) =>
    void process.on('exit', () => {
      // Releases the single-instance lock, so that the next instance can acquire it. This code runs at the very end, whether the app called `quit` or
      // `relaunch` first.
      app.releaseSingleInstanceLock()
      // The new instance runs detached with its own streams. Otherwise a program that waits for the old instance would also wait for the new one.
      spawn(execPath ?? ownProgram, args, { stdio: 'ignore', detached: true }).unref()
    }),
})
export const ipcMain = new IpcMain()
const protocolApi = new Protocol(schemes, () => app.isReady())
export const protocol = strict('protocol', protocolApi)

const sessions = new Map<string, Session>()
function openSession(partition: string): Session {
  const known = sessions.get(partition)
  if (known !== undefined) return known
  const opened = new Session(
    {
      chromium,
      launched: launched.promise,
      schemes,
      protocol,
      env: process.env,
      storagePath: () => app.getPath('sessionData'),
      pageOf: (of) => windows.all().find(({ webContents: { session: own, page } }) => own === of && page.isOpen)?.webContents.page.session,
      webRequestChanged: () => void requests.refresh(),
    },
    partition,
  )
  sessions.set(partition, opened)
  app.emit('session-created', opened)
  return opened
}
const requests = new Requests({
  chromium,
  schemes,
  sessions: () => [...sessions.values()],
  defaultSession: () => openSession(''),
  contentsOfFrame: (frameId) => windows.contentsOfFrame(frameId),
})
export const session = strict('session', {
  get defaultSession(): Session {
    return openSession('')
  },
  fromPartition: openSession,
})
export const net = strict('net', {
  fetch: (input: string | URL | Request, init?: RequestInit): Promise<Response> => protocolApi.fetch(input, init),
  isOnline: () => true,
  online: true,
})

export const nativeTheme = new NativeTheme(settings.darkDesktop, (features) => {
  for (const { webContents: contents } of windows.all())
    void contents.page.opened.then(() => contents.page.session.tell('Emulation.setEmulatedMedia', { features }))
})

const windowDependencies: WindowDependencies = {
  app,
  windows,
  headed: settings.headed,
  log,
  // The cast is safe, because the app can only get session objects from this stand-in for Electron.
  sessionOf: (preferences: WebPreferences) => (preferences.session as unknown as Session | undefined) ?? openSession(preferences.partition ?? ''),
  contents: {
    chromium,
    schemes,
    ipcMain,
    appPath: invocation.appPath,
    versions: () => ({ electron: process.versions.electron ?? '', chrome: process.versions.chrome ?? '', node: process.versions.node }),
    media: () => nativeTheme.media(),
    openWindow: (options, url) => void new BrowserWindowClass(options).loadURL(url),
    crashed: (contents, details) => void app.emit('render-process-gone', makeEvent(), contents, details),
  },
}

class BrowserWindowClass extends HostWindow {
  constructor(options?: BrowserWindowConstructorOptions) {
    super(windowDependencies, options)
  }

  static getAllWindows(): HostWindow[] {
    return windows.all()
  }

  static getFocusedWindow(): HostWindow | null {
    return windows.focused ?? null
  }

  static fromId(id: number): HostWindow | null {
    return windows.all().find((window) => window.id === id) ?? null
  }

  static fromWebContents(contents: WebContents): HostWindow | null {
    return windows.ofContents(contents) ?? null
  }
}
export const BrowserWindow = strict('BrowserWindow', BrowserWindowClass)

export const webContents = strict('webContents', {
  getAllWebContents: (): WebContents[] => windows.all().map((window) => window.webContents),
  getFocusedWebContents: (): WebContents | null => windows.focused?.webContents ?? null,
  fromId: (id: number): WebContents | undefined => windows.all().find((window) => window.webContents.id === id)?.webContents,
  fromDevToolsTargetId: (targetId: string): WebContents | undefined => windows.contentsOfTarget(targetId),
})

const children = new Set<UtilityProcess>()
export const utilityProcess = strict('utilityProcess', {
  fork(modulePath: string, parameters: string[] = [], options: ForkOptions = {}): UtilityProcess {
    if (!app.isReady()) throw new Error('utilityProcess cannot be created before app is ready')
    const child = new UtilityProcess(app, modulePath, parameters, options)
    children.add(child)
    child.once('exit', () => children.delete(child))
    return child
  },
})

export const clipboard = strict('clipboard', new Clipboard())
export const ClipboardItem = strict('ClipboardItem', Item)
export const shell = strict('shell', createShell(log))
export const dialog = strict('dialog', createDialog(log))
export const nativeImage = strict('nativeImage', images)
export const powerMonitor = new PowerMonitor()
export const screen = new Screen()

class NotificationClass extends HostNotification {
  constructor(options?: NotificationConstructorOptions) {
    super(log, options)
  }

  static isSupported(): boolean {
    return true
  }
}
export const Notification = strict('Notification', NotificationClass)

const menuDependencies: MenuDependencies = { log, quit: () => app.quit(), focusedWindow: () => windows.focused }
let applicationMenu: HostMenu | null = null
class MenuClass extends HostMenu {
  constructor(template?: (MenuItemConstructorOptions | HostMenuItem)[]) {
    super(menuDependencies, template)
  }

  static buildFromTemplate(template: (MenuItemConstructorOptions | HostMenuItem)[]): MenuClass {
    return new MenuClass(template)
  }

  static setApplicationMenu(menu: HostMenu | null): void {
    applicationMenu = menu
  }

  static getApplicationMenu(): HostMenu | null {
    return applicationMenu
  }
}
class MenuItemClass extends HostMenuItem {
  constructor(options: MenuItemConstructorOptions) {
    super(menuDependencies, options)
  }
}
export const Menu = strict('Menu', MenuClass)
export const MenuItem = strict('MenuItem', MenuItemClass)
class TrayClass extends HostTray {
  constructor(image: unknown) {
    super(app.isReady(), image)
  }
}
export const Tray = strict('Tray', TrayClass)

export const systemPreferences = strict(
  'systemPreferences',
  createSystemPreferences(log, {
    isMac: process.platform === 'darwin' || process.env.STAND_IN_TOUCH_ID !== undefined,
    hasTouchId: () => standIn.hasTouchId,
  }),
)

export const autoUpdater = absent('autoUpdater')
export const BaseWindow = absent('BaseWindow')
export const BrowserView = absent('BrowserView')
export const contentTracing = absent('contentTracing')
export const crashReporter = absent('crashReporter')
export const desktopCapturer = absent('desktopCapturer')
export const globalShortcut = absent('globalShortcut')
export const ImageView = absent('ImageView')
export const inAppPurchase = absent('inAppPurchase')
export const IpcMainServiceWorker = absent('IpcMainServiceWorker')
export const MessageChannelMain = absent('MessageChannelMain')
export const netLog = absent('netLog')
export const powerSaveBlocker = absent('powerSaveBlocker')
export const pushNotifications = absent('pushNotifications')
export const safeStorage = absent('safeStorage')
export const ServiceWorkerMain = absent('ServiceWorkerMain')
export const ShareMenu = absent('ShareMenu')
export const TouchBar = absent('TouchBar')
export const View = absent('View')
export const webFrameMain = absent('webFrameMain')
export const WebContentsView = absent('WebContentsView')
export const WebSocket = absent('WebSocket')

/** Not part of Electron’s API: the functions through which tests and the start script control this stand-in for Electron. */
export const standIn = {
  requests: log.requests,
  trays,
  hasTouchId: process.env.STAND_IN_TOUCH_ID === 'ready',
  invocation,
  /** Called when the app’s main script has loaded. As in Electron, the app then becomes ready. */
  start(): void {
    void launch().catch((cause) => {
      // If the app quits while Chromium is still starting, Chromium ends too, so this failure is expected.
      if (app.ending) return
      console.error('stand-in: Chromium could not be started', cause)
      process.exit(1)
    })
    setImmediate(() => app.becomeReady())
  },
}

async function launch(): Promise<void> {
  const debugging = readSwitch(invocation.argv, 'remote-debugging-port') ?? process.env.STAND_IN_DEBUGGING
  const version = await chromium.launch({
    profile: join(app.getPath('sessionData'), 'stand-in-chromium'),
    switches: [...app.commandLine.appended(), ...(debugging === undefined ? [] : [`--remote-debugging-port=${debugging}`])],
    onEnd: (lastWords) => {
      if (app.ending) return
      console.error(`stand-in: Chromium has ended\n${lastWords}`)
      process.exit(1)
    },
  })
  Object.defineProperty(process.versions, 'chrome', { value: version, enumerable: true, configurable: true })
  chromium.root.on('Target.targetInfoChanged', ({ targetInfo }) => windows.contentsOfTarget(targetInfo.targetId)?.titled(targetInfo.title))
  await Promise.all([requests.start(), chromium.root.send('Target.setDiscoverTargets', { discover: true, filter: [{ type: 'page' }, { exclude: true }] })])
  launched.resolve()
}

async function shutdown(code: number): Promise<void> {
  for (const child of children) child.kill()
  await chromium.close()
  process.exit(code)
}

process.on('exit', () => app.releaseSingleInstanceLock())
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => app.quit())

const everything = {
  ...{
    app,
    BrowserWindow,
    clipboard,
    dialog,
    ipcMain,
    Menu,
    MenuItem,
    nativeImage,
    nativeTheme,
    net,
    Notification,
    powerMonitor,
    protocol,
    screen,
    session,
    shell,
    standIn,
    Tray,
  },
  ...{
    utilityProcess,
    webContents,
    autoUpdater,
    BaseWindow,
    BrowserView,
    contentTracing,
    crashReporter,
    desktopCapturer,
    globalShortcut,
    ImageView,
    inAppPurchase,
    MessageChannelMain,
  },
  ...{
    netLog,
    powerSaveBlocker,
    pushNotifications,
    safeStorage,
    ServiceWorkerMain,
    ShareMenu,
    systemPreferences,
    TouchBar,
    View,
    webFrameMain,
    WebContentsView,
  },
  ...{ ClipboardItem, IpcMainServiceWorker, WebSocket },
} satisfies Record<keyof typeof Electron.Main | 'standIn', unknown>
export default everything
