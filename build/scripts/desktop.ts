import { accessSync, constants, mkdirSync, mkdtempSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { run } from './project.ts'

const marker = 'SVC_DESK_PRIVATE_DESKTOP'

const pidFile = 'task.pid'

/**
 * The folder of the private desktop (a session bus with a throw-away keyring) in which this process runs; null if there is no private desktop. The
 * folder is deleted when the private desktop ends.
 */
export const privateFolder = (): string | null => process.env[marker] ?? null

function signalTask(home: string, signal: NodeJS.Signals): void {
  try {
    process.kill(Number(readFileSync(join(home, pidFile), 'utf8')), signal)
  } catch {
    // The pid file or the process may be missing: the script has not started yet, or it is already ending.
  }
}

/**
 * Environment variables through which windows find the user’s display (X11 or Wayland), with absolute paths. Relative paths and defaults would fail,
 * because the private desktop has its own home and runtime folders.
 */
function display(): NodeJS.ProcessEnv {
  const found: NodeJS.ProcessEnv = {}
  if (process.env.DISPLAY && !process.env.XAUTHORITY) found.XAUTHORITY = join(homedir(), '.Xauthority')
  const { WAYLAND_DISPLAY: wayland, XDG_RUNTIME_DIR: runtime } = process.env
  if (wayland && runtime && !isAbsolute(wayland)) found.WAYLAND_DISPLAY = join(runtime, wayland)
  return found
}

/** The path of an in-memory folder with enough free space; null if there is none. */
function memory(): string | null {
  const folder = '/dev/shm'
  try {
    accessSync(folder, constants.W_OK | constants.X_OK)
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize >= 4 * 2 ** 30 ? folder : null
  } catch {
    return null
  }
}

/**
 * Linux: runs this script again inside a private session bus with an unlocked throw-away keyring. Tests then use a real keychain and never the
 * user’s own. Returns the exit code of the second run. Returns null if this process already runs inside the private bus, or on other systems.
 * `inMemory`: keeps temporary files in memory if possible. Tests write thousands of small databases, and disk access would take most of the time.
 */
export async function inPrivateDesktop({ inMemory = false } = {}): Promise<number | null> {
  if (process.platform !== 'linux') return null
  const around = privateFolder()
  if (around !== null) {
    writeFileSync(join(around, pidFile), String(process.pid))
    return null
  }
  const rapid = inMemory ? memory() : null
  const home = mkdtempSync(join(rapid ?? tmpdir(), 'svc-desk-desktop-'))
  for (const name of ['run', 'data', 'config', 'home', 'tmp']) mkdirSync(join(home, name), { mode: 0o700 })
  // The session bus writes its own messages to stderr, so its stderr is discarded. The script gets the terminal’s stderr back through descriptor 3.
  const script = `
    exec 2>&3 3>&-
    printf throwaway | gnome-keyring-daemon --unlock --components=secrets >/dev/null 2>&1
    gdbus wait --session --timeout 15 org.freedesktop.secrets || { echo "the private keyring did not come up" >&2; exit 1; }
    exec "$@"`
  try {
    const [, , ...args] = process.argv
    const ran = await run(
      'bash',
      [
        '-c',
        'exec 3>&2; exec dbus-run-session -- "$@" 2>/dev/null',
        '_',
        'bash',
        '-c',
        script,
        '_',
        process.execPath,
        ...process.execArgv,
        process.argv[1] ?? '',
        ...args,
      ],
      {
        env: {
          [marker]: home,
          HOME: join(home, 'home'),
          XDG_RUNTIME_DIR: join(home, 'run'),
          XDG_DATA_HOME: join(home, 'data'),
          XDG_CONFIG_HOME: join(home, 'config'),
          DBUS_SESSION_BUS_ADDRESS: undefined,
          ...(rapid === null ? {} : { TMPDIR: join(home, 'tmp') }),
          ...display(),
        },
        // A signal to the session bus would end only the bus and leave the script running. So signals go directly to the script.
        pass: (signal) => signalTask(home, signal),
      },
    )
    return ran.code
  } finally {
    rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
  }
}
