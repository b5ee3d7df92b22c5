import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { App as ElectronApp, RelaunchOptions } from 'electron'
import type { DesktopLog } from './desktop.ts'
import { InstanceLock } from './instance-lock.ts'
import { type Invocation, readSwitch } from './invocation.ts'
import { makeEvent, notImplemented, StrictEmitter, strict } from './strict.ts'

type Members =
  | 'isPackaged'
  | 'getName'
  | 'setName'
  | 'name'
  | 'getVersion'
  | 'getAppPath'
  | 'setPath'
  | 'isReady'
  | 'whenReady'
  | 'quit'
  | 'exit'
  | 'relaunch'
  | 'enableSandbox'
  | 'disableHardwareAcceleration'
  | 'setBadgeCount'
  | 'getBadgeCount'
  | 'setAsDefaultProtocolClient'
  | 'setDesktopName'
  | 'requestSingleInstanceLock'
  | 'hasSingleInstanceLock'
  | 'releaseSingleInstanceLock'
  | 'getLocale'
  | 'getSystemLocale'
  | 'getPreferredSystemLanguages'
  | 'getLocaleCountryCode'
  | 'focus'
  | 'userAgentFallback'

const EVENTS = [
  ...[
    'will-finish-launching',
    'ready',
    'window-all-closed',
    'before-quit',
    'will-quit',
    'quit',
    'second-instance',
    'web-contents-created',
    'browser-window-created',
  ],
  ...['browser-window-focus', 'browser-window-blur', 'render-process-gone', 'child-process-gone', 'session-created'],
  // This stand-in for Electron never emits the events in this list: they exist only on macOS or belong to features that the stand-in lacks.
  ...[
    'activate',
    'open-file',
    'open-url',
    'did-become-active',
    'certificate-error',
    'select-client-certificate',
    'login',
    'gpu-info-update',
    'accessibility-support-changed',
  ],
]

/**
 * Reads the user’s languages from environment variables as GLib does, and formats them as Electron does: `de_CH.UTF-8` becomes `de-CH` and `de`. As
 * in Electron, the list ends with `c`, which is not a language.
 */
export function preferredLanguages(env: NodeJS.ProcessEnv): string[] {
  const names = (env.LANGUAGE || env.LC_ALL || env.LC_MESSAGES || env.LANG || 'C').split(':').map((name) => name.replace(/[.@].*$/, '').replaceAll('_', '-'))
  return [...names.flatMap((name) => (name.includes('-') ? [name, name.replace(/-.*$/, '')] : [name])).filter((name) => !/^(C|POSIX)$/.test(name)), 'c']
}

export interface AppDependencies {
  invocation: Invocation
  env: NodeJS.ProcessEnv
  log: DesktopLog
  /** Asks every window to close. Returns false if a window refused to close. */
  closeWindows: () => boolean
  shutdown: (code: number) => void
  /** Starts a program once this process has ended. */
  startAfterEnd: (command: { readonly execPath: string | undefined; readonly args: readonly string[] }) => void
}

/** Stores the command-line switches that the app appends. As in Electron, Chromium gets them when it starts. */
export class CommandLine {
  readonly #appended = new Map<string, string>()
  readonly #argv: readonly string[]

  constructor(argv: readonly string[]) {
    this.#argv = argv
  }

  appendSwitch(name: string, value = ''): void {
    this.#appended.set(name, value)
  }

  removeSwitch(name: string): void {
    this.#appended.delete(name)
  }

  hasSwitch(name: string): boolean {
    return this.#appended.has(name) || readSwitch(this.#argv, name) !== undefined
  }

  getSwitchValue(name: string): string {
    return this.#appended.get(name) ?? readSwitch(this.#argv, name) ?? ''
  }

  /** Not part of Electron’s API: the switches that the app appended, as words of a command line. */
  appended(): string[] {
    return Array.from(this.#appended, ([name, value]) => `--${name}${value && `=${value}`}`)
  }
}

export class App extends StrictEmitter implements Pick<ElectronApp, Members> {
  static override label = 'app'
  static override emits: ReadonlySet<string> = new Set(EVENTS)
  readonly isPackaged = 'resourcesPath' in process
  readonly commandLine: CommandLine
  readonly dock = undefined
  userAgentFallback = ''
  readonly #dependencies: AppDependencies
  readonly #paths = new Map<string, string>()
  readonly #whenReady = Promise.withResolvers<void>()
  #name: string
  #badge = 0
  #ready = false
  #ending = false
  #lock: InstanceLock | undefined

  constructor(dependencies: AppDependencies) {
    super()
    this.#dependencies = dependencies
    this.#name = dependencies.invocation.name ?? 'Electron'
    this.commandLine = strict('app.commandLine', new CommandLine(dependencies.invocation.argv))
  }

  get name(): string {
    return this.#name
  }

  set name(name: string) {
    this.#name = name
  }

  getName(): string {
    return this.#name
  }

  setName(name: string): void {
    this.#name = name
  }

  getVersion(): string {
    return this.#dependencies.invocation.version ?? process.versions.electron ?? ''
  }

  getAppPath(): string {
    return this.#dependencies.invocation.appPath
  }

  getPath(name: string): string {
    const set = this.#paths.get(name)
    if (set !== undefined) return set
    switch (name) {
      case 'userData':
        return readSwitch(this.#dependencies.invocation.argv, 'user-data-dir') || join(this.getPath('appData'), this.#name)
      case 'sessionData':
        return this.getPath('userData')
      case 'appData':
        return this.#dependencies.env.XDG_CONFIG_HOME || join(homedir(), '.config')
      case 'home':
        return homedir()
      case 'temp':
        return tmpdir()
      case 'exe':
      case 'module':
        return process.execPath
      case 'logs':
        return join(this.getPath('userData'), 'logs')
      case 'crashDumps':
        return join(this.getPath('userData'), 'Crashpad')
      case 'desktop':
      case 'documents':
      case 'downloads':
        return join(homedir(), name.charAt(0).toUpperCase() + name.slice(1))
      default:
        throw new Error(`Failed to get '${name}' path`)
    }
  }

  setPath(name: string, path: string): void {
    this.#paths.set(name, path)
  }

  isReady(): boolean {
    return this.#ready
  }

  whenReady(): Promise<void> {
    return this.#whenReady.promise
  }

  /** Closes the windows one after the other. A window, or a listener of before-quit or will-quit, may prevent quitting. */
  quit(): void {
    if (this.#ending) return
    if (this.#prevented('before-quit') || !this.#dependencies.closeWindows() || this.#prevented('will-quit')) return
    this.exit(0)
  }

  exit(code = 0): void {
    if (this.#ending) return
    this.#ending = true
    this.emit('quit', makeEvent(), code)
    this.#dependencies.shutdown(code)
  }

  /** Starts a new instance of the app after this one has ended. Does not end this instance. Each call starts one more instance. */
  relaunch({ args = this.#dependencies.invocation.argv, execPath }: RelaunchOptions = {}): void {
    this.#dependencies.startAfterEnd({ execPath, args })
  }

  /** Does nothing, because this stand-in for Electron always sandboxes every window. */
  enableSandbox(): void {
    this.#beforeReady('enableSandbox')
  }

  disableHardwareAcceleration(): void {
    this.#beforeReady('disableHardwareAcceleration')
  }

  requestSingleInstanceLock(additionalData?: Record<string, unknown>): boolean {
    this.#lock ??= new InstanceLock(this.getPath('userData'), (second) =>
      this.emit('second-instance', makeEvent(), second.argv, second.workingDirectory, second.additionalData),
    )
    return this.#lock.acquire({ argv: process.argv, workingDirectory: process.cwd(), additionalData })
  }

  hasSingleInstanceLock(): boolean {
    return this.#lock?.held ?? false
  }

  releaseSingleInstanceLock(): void {
    this.#lock?.release()
  }

  getLocale(): string {
    return 'en-US'
  }

  getSystemLocale(): string {
    return 'en-US'
  }

  getPreferredSystemLanguages(): string[] {
    return preferredLanguages(this.#dependencies.env)
  }

  getLocaleCountryCode(): string {
    return 'US'
  }

  /** Not supported, because Electron has this function on Windows only. */
  setAppUserModelId(): never {
    return notImplemented('app.setAppUserModelId on Linux')
  }

  setDesktopName(_name: string): void {}

  focus(): void {}

  /** Throws unless `count` is a whole number that is not negative. */
  setBadgeCount(count = 0): boolean {
    if (!Number.isInteger(count) || count < 0) throw new TypeError(`Invalid badge count: ${count}`)
    this.#badge = count
    this.#dependencies.log.record({ kind: 'badge', count })
    return true
  }

  getBadgeCount(): number {
    return this.#badge
  }

  /** Not supported: on Linux, Electron’s function returns no information. An app that calls it on Linux has a bug. */
  getLoginItemSettings(): never {
    return notImplemented('app.getLoginItemSettings on Linux')
  }

  /** Not supported: on Linux, Electron’s function does nothing. An app that calls it on Linux has a bug. */
  setLoginItemSettings(): never {
    return notImplemented('app.setLoginItemSettings on Linux')
  }

  /** Not supported, because Electron has this function on Windows only. */
  setJumpList(): never {
    return notImplemented('app.setJumpList on Linux')
  }

  setAsDefaultProtocolClient(scheme: string, path: string = process.execPath, words: string[] = []): boolean {
    if (!/^[a-z][a-z\d+.-]*$/.test(scheme)) throw new TypeError(`Not a scheme: ${scheme}`)
    this.#dependencies.log.record({ kind: 'protocol-client', scheme, path, words })
    return true
  }

  /** Not part of Electron’s API: whether the app is quitting. While the app quits, Chromium’s end is expected and is not reported as an error. */
  get ending(): boolean {
    return this.#ending
  }

  becomeReady(): void {
    this.emit('will-finish-launching')
    this.#ready = true
    this.emit('ready', makeEvent(), {})
    this.#whenReady.resolve()
  }

  #prevented(name: string): boolean {
    const event = makeEvent()
    this.emit(name, event)
    return event.defaultPrevented
  }

  #beforeReady(name: string): void {
    if (this.#ready) throw new Error(`app.${name}() can only be called before app is ready`)
  }
}
