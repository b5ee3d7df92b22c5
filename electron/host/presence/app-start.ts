import { existsSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { App } from 'electron'
import type { Failure } from '../../../shared/ipc/failure.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import { fileFailure } from '../../kernel/failures.ts'
import { writePrivate } from '../../kernel/files/write-private.ts'

/** The pages that a link of the app may open, and their routes. A link only opens a page; it never signs or sends anything. */
const linkedPages = {
  overview: '/overview',
  trade: '/trade',
  account: '/account',
  markets: '/markets',
  keys: '/keys',
  webhooks: '/webhooks',
  activity: '/activity',
  notices: '/notices',
  settings: '/settings',
  help: '/help',
  stop: '/trade/stop',
} as const

/** The app’s own link scheme. The app does not register for `wc:`, the scheme of wallets, because it is no wallet. */
export const linkScheme = 'svcdesk'

/** The route that a link such as `svcdesk://open/keys` opens; null for any other text. */
export function linkedPage(link: string): string | null {
  const page = new RegExp(`^${linkScheme}://open/([a-z]+)/?$`).exec(link)?.[1] ?? ''
  return Object.hasOwn(linkedPages, page) ? linkedPages[page as keyof typeof linkedPages] : null // the cast is safe: `hasOwn` checked the name
}

/** The options with which the app starts itself: at login, and from the tasks in its taskbar menu. */
export const startWord = { hidden: '--hidden', lock: '--lock-now', stop: '--stop-everything', practice: '--practice' } as const

/** The options on the command line of an app start. */
export interface StartWords {
  /** Whether the system started the app at login. */
  readonly hidden: boolean
  readonly lock: boolean
  /** The route to open; null if the command line names none. */
  readonly page: string | null
}

/**
 * Reads a command line, and ignores every option that the app does not know. The system puts `--` before a link, so that a link can never act as an
 * option.
 */
export function readStartWords(argv: readonly string[]): StartWords {
  const end = argv.indexOf('--')
  const switches = new Set(end < 0 ? argv : argv.slice(0, end))
  const link = argv.find((word) => word.startsWith(`${linkScheme}:`))
  return {
    hidden: switches.has(startWord.hidden),
    lock: switches.has(startWord.lock),
    page: switches.has(startWord.stop) ? linkedPages.stop : switches.has(startWord.practice) ? '/connect' : link === undefined ? null : linkedPage(link),
  }
}

const own: ReadonlySet<string> = new Set(Object.values(startWord))

/**
 * The arguments for restarting the app, without the actions that the first command line requested. `argv`: this process’s arguments; the program
 * comes first.
 */
export const plainWords = (argv: readonly string[]): string[] =>
  argv.slice(1).filter((word) => !own.has(word) && word !== '--' && !word.startsWith(`${linkScheme}:`) && !word.startsWith('--restarted-after='))

type Listener = (argv: readonly string[]) => void

/** Collects the command lines of later app starts until the app is ready to handle them. */
export interface Starts {
  give(argv: readonly string[]): void
  /** Sets the listener, which receives the collected command lines and all later ones. */
  take(listener: Listener): void
}

export function createStarts(): Starts {
  const early: (readonly string[])[] = []
  let listener: Listener | null = null
  return {
    give: (argv) => (listener === null ? void early.push(argv) : listener(argv)),
    take(given) {
      listener = given
      for (const argv of early.splice(0)) given(argv)
    },
  }
}

export interface LoginItemParts {
  readonly platform: NodeJS.Platform
  readonly app: Pick<App, 'getLoginItemSettings' | 'setLoginItemSettings'>
  /** The program that starts the app, and its first arguments. */
  readonly program: { readonly path: string; readonly words: readonly string[] }
  readonly env: NodeJS.ProcessEnv
  readonly home: string
}

/** Whether the system starts the app at login. The system stores this setting, and the user can also change it there. */
export interface LoginItem {
  isOn(): boolean
  /** Turns the start at login on or off. Fails with `file` if the desktop file cannot be written or removed. */
  set(on: boolean): Promise<Result<void, Failure>>
}

/**
 * Creates the switch for starting the app at login. On macOS and Windows, the switch uses Electron; on Linux, a desktop file in the folder
 * `autostart`.
 */
export function createLoginItem({ platform, app, program, env, home }: LoginItemParts): LoginItem {
  const words = [...program.words, startWord.hidden]
  if (platform !== 'linux') {
    // Windows finds the login entry only by the same program and arguments with which the app created it.
    const entry = platform === 'win32' ? { path: program.path, args: words } : {}
    return {
      isOn: () => app.getLoginItemSettings(entry).openAtLogin,
      async set(openAtLogin) {
        app.setLoginItemSettings({ ...entry, openAtLogin })
        return ok(undefined)
      },
    }
  }
  const file = join(env.XDG_CONFIG_HOME || join(home, '.config'), 'autostart', 'org.svcdesk.desktop.desktop')
  return {
    isOn: () => existsSync(file),
    async set(on) {
      try {
        if (on) await mkdir(dirname(file), { recursive: true, mode: 0o700 })
        else await rm(file, { force: true })
      } catch (error) {
        return fail(fileFailure(error, file))
      }
      return on ? writePrivate(file, desktopFile([program.path, ...words])) : ok(undefined)
    },
  }
}

/**
 * Quotes an argument for the `Exec` line of a desktop file. Each backslash is doubled twice, because the Desktop Entry Specification unescapes the
 * line twice.
 */
const quoted = (word: string): string =>
  `"${word
    .replace(/[\\"`$]/g, '\\$&')
    .replaceAll('\\', '\\\\')
    .replaceAll('%', '%%')}"`

export const desktopFile = (command: readonly string[]): string =>
  ['[Desktop Entry]', 'Type=Application', 'Name=Svc Desk', `Exec=${command.map(quoted).join(' ')}`, 'Terminal=false', ''].join('\n')

/**
 * How to start this copy of the app again. An AppImage unpacks to another folder each time, so start the AppImage file itself. A copy that is not
 * packaged needs the path of its main script.
 */
export function ownProgram({
  execPath,
  appPath,
  packaged,
  env,
}: {
  readonly execPath: string
  readonly appPath: string
  readonly packaged: boolean
  readonly env: NodeJS.ProcessEnv
}): LoginItemParts['program'] {
  return packaged ? { path: env.APPIMAGE ?? execPath, words: [] } : { path: execPath, words: [appPath] }
}

/**
 * Returns the path of the program `svc-desk` in a package. On Windows it has a folder of its own, which the installer puts on the user's PATH.
 * `resources`: Electron's `process.resourcesPath`.
 */
export function packagedCommand(resources: string, platform: NodeJS.Platform): string {
  if (platform === 'darwin') return join(resources, '../MacOS/svc-desk')
  return join(resources, '..', platform === 'win32' ? 'bin/svc-desk.exe' : 'svc-desk')
}
