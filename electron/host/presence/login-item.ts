import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { App } from 'electron'
import { startWord } from './start-words.ts'

export interface LoginItemParts {
  readonly platform: NodeJS.Platform
  readonly app: Pick<App, 'getLoginItemSettings' | 'setLoginItemSettings'>
  /** The program that starts the app, and its first arguments. */
  readonly program: { readonly path: string; readonly words: readonly string[] }
  readonly env: NodeJS.ProcessEnv
  readonly home: string
}

/** Whether the system starts the app at login. The system itself remembers this, and the user can change it there too. */
export interface LoginItem {
  isOn(): boolean
  set(on: boolean): void
}

/** Electron sets it on macOS and Windows. On Linux, a desktop file in the folder `autostart` does. */
export function createLoginItem({ platform, app, program, env, home }: LoginItemParts): LoginItem {
  const words = [...program.words, startWord.hidden]
  if (platform !== 'linux') {
    // Windows finds the entry only by the same program and arguments.
    const entry = platform === 'win32' ? { path: program.path, args: words } : {}
    return {
      isOn: () => app.getLoginItemSettings(entry).openAtLogin,
      set: (openAtLogin) => app.setLoginItemSettings({ ...entry, openAtLogin }),
    }
  }
  const file = join(env.XDG_CONFIG_HOME || join(home, '.config'), 'autostart', 'org.svcdesk.desktop.desktop')
  return {
    isOn: () => existsSync(file),
    set(on) {
      if (!on) return rmSync(file, { force: true })
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
      writeFileSync(file, desktopFile([program.path, ...words]), { mode: 0o600 })
    },
  }
}

/** Quotes a word for the line `Exec` as the Desktop Entry Specification wants: the string's backslashes are doubled once more. */
const quoted = (word: string): string =>
  `"${word
    .replace(/[\\"`$]/g, '\\$&')
    .replaceAll('\\', '\\\\')
    .replaceAll('%', '%%')}"`

export const desktopFile = (command: readonly string[]): string =>
  ['[Desktop Entry]', 'Type=Application', 'Name=Svc Desk', `Exec=${command.map(quoted).join(' ')}`, 'Terminal=false', ''].join('\n')

/**
 * How to start this copy of the app again. An AppImage unpacks to another folder each time, so its own file starts it. A copy that is not packaged
 * needs the path of its main script.
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
