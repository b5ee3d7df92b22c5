import type {
  Dialog,
  Display,
  PowerMonitor as ElectronPowerMonitor,
  MessageBoxOptions,
  MessageBoxReturnValue,
  NotificationConstructorOptions,
  OpenDialogReturnValue,
  SaveDialogReturnValue,
  Shell,
} from 'electron'
import { makeEvent, StrictEmitter } from './strict.ts'

/** A request from the app to the desktop, such as opening a link. The stand-in for Electron only records these requests, for tests. */
export type DesktopRequest =
  | { kind: 'open-external'; url: string }
  | { kind: 'open-path' | 'show-item' | 'trash-item'; path: string }
  | { kind: 'beep' }
  | { kind: 'notification'; title: string; body: string; click: () => void }
  | { kind: 'dialog'; dialog: string; options: unknown }
  | { kind: 'menu-popup'; labels: string[] }
  | { kind: 'content-protection'; window: number; on: boolean }
  | { kind: 'touch-id'; reason: string; answer: (isUser: boolean) => void }
  | { kind: 'badge'; count: number }
  | { kind: 'protocol-client'; scheme: string; path: string; words: string[] }

/** Records the requests for tests: `app.evaluate(({ standIn }) => standIn.requests)`. */
export class DesktopLog {
  readonly requests: DesktopRequest[] = []

  record(request: DesktopRequest): void {
    this.requests.push(request)
  }
}

export const createShell = (log: DesktopLog) =>
  ({
    openExternal: async (url: string): Promise<void> => log.record({ kind: 'open-external', url }),
    openPath: async (path: string): Promise<string> => {
      log.record({ kind: 'open-path', path })
      return ''
    },
    showItemInFolder: (path: string): void => log.record({ kind: 'show-item', path }),
    trashItem: async (path: string): Promise<void> => log.record({ kind: 'trash-item', path }),
    beep: (): void => log.record({ kind: 'beep' }),
  }) satisfies Partial<Shell>

/**
 * In tests no user can answer a dialog, so every dialog is cancelled. A test that needs another answer replaces the dialog function, as it would
 * in Electron.
 */
export function createDialog(log: DesktopLog) {
  // The window is an optional first parameter of every dialog function, so the options are always the last parameter.
  const record = (dialog: string, parameters: unknown[]) => log.record({ kind: 'dialog', dialog, options: parameters.at(-1) })
  const cancelButton = (parameters: unknown[]) => (parameters.at(-1) as MessageBoxOptions).cancelId ?? 0
  return {
    showOpenDialog: async (...parameters: unknown[]): Promise<OpenDialogReturnValue> => {
      record('open', parameters)
      return { canceled: true, filePaths: [] }
    },
    showSaveDialog: async (...parameters: unknown[]): Promise<SaveDialogReturnValue> => {
      record('save', parameters)
      return { canceled: true, filePath: '' }
    },
    showMessageBox: async (...parameters: unknown[]): Promise<MessageBoxReturnValue> => {
      record('message', parameters)
      return { response: cancelButton(parameters), checkboxChecked: false }
    },
    showMessageBoxSync: (...parameters: unknown[]): number => {
      record('message', parameters)
      return cancelButton(parameters)
    },
    showErrorBox: (title: string, content: string): void => record('error', [{ title, content }]),
  } satisfies Partial<Dialog>
}

/**
 * The system preferences of the stand-in for Electron: only Touch ID, and only on macOS or where a test asks for a Mac with it. As in Electron, other
 * systems lack both functions. `hasTouchId`: whether the Mac’s Touch ID is set up and its lid open. A test answers each prompt.
 */
export function createSystemPreferences(log: DesktopLog, { isMac, hasTouchId }: { readonly isMac: boolean; readonly hasTouchId: () => boolean }) {
  if (!isMac) return {}
  return {
    canPromptTouchID: (): boolean => hasTouchId(),
    promptTouchID(reason: string): Promise<void> {
      // Electron’s converter throws for other types, and macOS ends the app with an exception if the reason is empty.
      if (typeof reason !== 'string') throw new TypeError('Error processing argument at index 0, conversion failure from non-string')
      if (reason.trim() === '') throw new Error('stand-in: macOS refuses an empty reason for Touch ID')
      if (!hasTouchId()) return Promise.reject(new Error('Biometry is not available on this device.'))
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      log.record({ kind: 'touch-id', reason, answer: (isUser) => (isUser ? resolve() : reject(new Error('Authentication was canceled.'))) })
      return promise
    },
  }
}

export class HostNotification extends StrictEmitter {
  static override label = 'Notification'
  static override emits: ReadonlySet<string> = new Set(['show', 'click', 'close', 'reply', 'action', 'failed'])
  readonly title: string
  readonly body: string
  readonly silent: boolean
  readonly #log: DesktopLog

  constructor(log: DesktopLog, options: NotificationConstructorOptions = {}) {
    super()
    this.title = options.title ?? ''
    this.body = options.body ?? ''
    this.silent = options.silent ?? false
    this.#log = log
  }

  show(): void {
    this.#log.record({ kind: 'notification', title: this.title, body: this.body, click: () => this.emit('click', makeEvent()) })
    this.emit('show', makeEvent())
  }

  close(): void {
    this.emit('close', makeEvent())
  }
}

/** The power monitor of the stand-in for Electron. It emits no events. Tests emit `suspend`, `resume`, `lock-screen` and others themselves. */
export class PowerMonitor
  extends StrictEmitter
  implements Pick<ElectronPowerMonitor, 'onBatteryPower' | 'getSystemIdleState' | 'getSystemIdleTime' | 'isOnBatteryPower'>
{
  static override label = 'powerMonitor'
  static override emits: ReadonlySet<string> = new Set([
    'suspend',
    'resume',
    'lock-screen',
    'unlock-screen',
    'shutdown',
    'on-ac',
    'on-battery',
    'user-did-become-active',
    'user-did-resign-active',
  ])
  readonly onBatteryPower = false

  getSystemIdleState(): 'active' {
    return 'active'
  }

  getSystemIdleTime(): number {
    return 0
  }

  isOnBatteryPower(): boolean {
    return false
  }
}

export class Screen extends StrictEmitter {
  static override label = 'screen'
  static override emits: ReadonlySet<string> = new Set(['display-added', 'display-removed', 'display-metrics-changed'])
  readonly #size = { width: 1280, height: 800 }

  getPrimaryDisplay(): Pick<Display, 'id' | 'bounds' | 'workArea' | 'workAreaSize' | 'size' | 'scaleFactor' | 'rotation'> {
    const area = { x: 0, y: 0, ...this.#size }
    return { id: 1, bounds: area, workArea: area, workAreaSize: this.#size, size: this.#size, scaleFactor: 1, rotation: 0 }
  }

  getAllDisplays() {
    return [this.getPrimaryDisplay()]
  }

  getDisplayMatching() {
    return this.getPrimaryDisplay()
  }

  getDisplayNearestPoint() {
    return this.getPrimaryDisplay()
  }

  getCursorScreenPoint() {
    return { x: 0, y: 0 }
  }
}
