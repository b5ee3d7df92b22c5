import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { second } from '../../../shared/time.ts'
import { findProgram } from '../../keys/delivery/outlets/run-command.ts'

export interface DesktopBusParts {
  readonly platform: NodeJS.Platform
  readonly env: NodeJS.ProcessEnv
}

/** What the app learns from a Linux desktop over D-Bus, through programs that come with D-Bus and GLib. Electron reports none of it. */
export interface DesktopBus {
  /** Whether the desktop shows tray icons. Always true on macOS and Windows. */
  hasTray(): Promise<boolean>
  /**
   * Reports each lock and unlock of the screen to `changed` until `stop`. Returns false if no program can report them. Also returns false on macOS
   * and Windows, where Electron reports them. `ended`: called if the reporting program ends, for example together with the bus. The caller may then
   * call this function again.
   */
  followScreen(changed: (isLocked: boolean) => void, ended: () => void): Promise<boolean>
  stop(): void
}

const answerMs = second
const trayName = 'org.kde.StatusNotifierWatcher'
const daemon = { name: 'org.freedesktop.DBus', path: '/org/freedesktop/DBus', method: 'org.freedesktop.DBus.NameHasOwner' }
const screenSavers = ['org.freedesktop.ScreenSaver', 'org.gnome.ScreenSaver'] as const

export function createDesktopBus({ platform, env }: DesktopBusParts): DesktopBus {
  const children = new Set<ChildProcess>()
  let monitors: ChildProcess[] = []
  const isLinux = platform === 'linux'
  // Without the address of a bus, these programs would try to start a bus.
  const hasBus = env.DBUS_SESSION_BUS_ADDRESS !== undefined || env.XDG_RUNTIME_DIR !== undefined
  let isStopped = false

  const start = (program: string, words: readonly string[]): ChildProcess & { readonly stdout: Readable } => {
    const child = spawn(program, words, { env, stdio: ['ignore', 'pipe', 'ignore'] })
    children.add(child)
    child.once('close', () => children.delete(child))
    // Without this listener, a program that cannot start would crash the app. The `close` event that follows handles the failure.
    child.on('error', () => undefined)
    return child
  }

  /** Runs a short program and returns its output; an empty text if the program fails. */
  const answerOf = (program: string, words: readonly string[]): Promise<string> =>
    new Promise((resolve) => {
      const child = start(program, words)
      let said = ''
      const late = setTimeout(() => child.kill('SIGKILL'), answerMs)
      child.stdout.on('data', (chunk: Buffer) => {
        said += chunk.toString()
      })
      child.once('close', (code) => {
        clearTimeout(late)
        resolve(code === 0 ? said : '')
      })
    })

  return {
    async hasTray() {
      if (!isLinux) return true
      if (!hasBus || isStopped) return false
      const gdbus = await findProgram('gdbus', { env, platform })
      if (gdbus !== null) {
        const words = ['call', '--session', '--dest', daemon.name, '--object-path', daemon.path, '--method', daemon.method, trayName]
        return (await answerOf(gdbus, words)).includes('true')
      }
      const send = await findProgram('dbus-send', { env, platform })
      if (send === null) return false
      const words = ['--session', '--print-reply', `--dest=${daemon.name}`, daemon.path, daemon.method, `string:${trayName}`]
      return (await answerOf(send, words)).includes('boolean true')
    },
    async followScreen(changed, ended) {
      if (!isLinux) return true
      if (!hasBus) return false
      const session = sessionPath(env.XDG_SESSION_ID)
      const monitor = await findProgram('dbus-monitor', { env, platform })
      const gdbus = monitor === null ? await findProgram('gdbus', { env, platform }) : null
      if (isStopped || (monitor === null && gdbus === null)) return false
      for (const child of monitors.splice(0)) child.kill()
      const own: ChildProcess[] = []
      monitors = own
      const follow = (program: string, words: readonly string[], closed: () => void = () => undefined) => {
        const child = start(program, words)
        own.push(child)
        child.once('close', () => {
          if (!isStopped && own === monitors) closed()
        })
        createInterface({ input: child.stdout }).on('line', createLockReader(changed))
      }
      if (monitor !== null) {
        follow(monitor, ['--session', ...screenSavers.map((name) => `type='signal',interface='${name}',member='ActiveChanged'`)], ended)
        if (session !== null) follow(monitor, ['--system', `type='signal',interface='org.freedesktop.login1.Session',path='${session}'`])
      } else if (gdbus !== null) {
        for (const name of screenSavers) follow(gdbus, ['monitor', '--session', '--dest', name], ended)
        if (session !== null) follow(gdbus, ['monitor', '--system', '--dest', 'org.freedesktop.login1', '--object-path', session])
      }
      return true
    },
    stop() {
      isStopped = true
      for (const child of children) child.kill()
    },
  }
}

/** The path of a login session on the system bus. systemd writes a digit at the start of the id as its hexadecimal code: `2` becomes `_32`. */
export function sessionPath(id: string | undefined): string | null {
  if (id === undefined || !/^[a-z\d]+$/i.test(id)) return null
  const escaped = /^\d/.test(id) ? `_${id.charCodeAt(0).toString(16)}${id.slice(1)}` : id
  return `/org/freedesktop/login1/session/${escaped}`
}

/** Reads the output of `dbus-monitor` or `gdbus monitor` line by line, and reports each lock and unlock. */
export function createLockReader(changed: (isLocked: boolean) => void): (line: string) => void {
  let isValueNext = false
  return (line) => {
    if (isValueNext) {
      isValueNext = false
      const value = /^\s+boolean (true|false)$/.exec(line)?.[1]
      if (value !== undefined) changed(value === 'true')
      return
    }
    const saved = /^\/\S+: org\.(?:freedesktop|gnome)\.ScreenSaver\.ActiveChanged \((true|false),\)$/.exec(line)?.[1]
    if (saved !== undefined) return changed(saved === 'true')
    const session = /^\/\S+: org\.freedesktop\.login1\.Session\.(Lock|Unlock) \(\)$/.exec(line)?.[1]
    if (session !== undefined) return changed(session === 'Lock')
    const [, name, member] = /^signal .*; interface=(\S+); member=(\S+)$/.exec(line) ?? []
    if (name === 'org.freedesktop.login1.Session' && (member === 'Lock' || member === 'Unlock')) changed(member === 'Lock')
    isValueNext = member === 'ActiveChanged' && screenSavers.some((saver) => saver === name)
  }
}
