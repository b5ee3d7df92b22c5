import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** A separate desktop session with a throw-away keyring. Linux only. */
export interface TestKeyring {
  /** Environment variables for a process that should use only this keyring. */
  readonly env: NodeJS.ProcessEnv
  lock(): Promise<void>
  unlock(): Promise<void>
  /** Suspends the keyring’s process, so that it accepts calls but never responds. */
  freeze(): Promise<void>
  thaw(): Promise<void>
  stop(): Promise<void>
}

/** Starts a private bus with gnome-keyring and an unlocked keyring. `keyring: false`: only the bus. */
export async function startKeyring({ keyring = true }: { readonly keyring?: boolean } = {}): Promise<TestKeyring> {
  const home = mkdtempSync(join(tmpdir(), 'svc-desk-keyring-'))
  for (const folder of ['run', 'data', 'home']) mkdirSync(join(home, folder), { mode: 0o700 })
  const base: NodeJS.ProcessEnv = { ...process.env, HOME: join(home, 'home'), XDG_RUNTIME_DIR: join(home, 'run'), XDG_DATA_HOME: join(home, 'data') }
  delete base.DBUS_SESSION_BUS_ADDRESS
  delete base.DISPLAY
  // The bus has no service folders. Otherwise it would start a keyring automatically when a client asks for one.
  const config = join(import.meta.dirname, 'bus.conf')
  const bus = spawn('dbus-daemon', [`--config-file=${config}`, '--nofork', '--print-address=1'], { env: base, stdio: ['ignore', 'pipe', 'ignore'] })
  const address = await new Promise<string>((resolve, reject) => {
    bus.stdout.once('data', (bytes: Buffer) => resolve(bytes.toString().trim()))
    bus.once('error', reject)
    bus.once('exit', (code) => reject(new Error(`dbus-daemon ended (${code})`)))
  })
  const env: NodeJS.ProcessEnv = { ...base, DBUS_SESSION_BUS_ADDRESS: address }
  const daemon = keyring
    ? spawn('gnome-keyring-daemon', ['--foreground', '--unlock', '--components=secrets'], { env, stdio: ['pipe', 'ignore', 'ignore'] })
    : null
  daemon?.stdin?.end('test')
  if (daemon !== null) await run('gdbus', ['wait', '--session', '--timeout', '10', 'org.freedesktop.secrets'], { env })

  return {
    env,
    async lock() {
      const secrets = ['--session', '--dest', 'org.freedesktop.secrets', '--object-path', '/org/freedesktop/secrets', '--method']
      await run('gdbus', ['call', ...secrets, 'org.freedesktop.Secret.Service.Lock', '[objectpath "/org/freedesktop/secrets/collection/login"]'], { env })
    },
    async unlock() {
      const code = await unlockAs(join(home, 'run/keyring/control'), 'test')
      if (code !== 0) throw new Error(`the keyring stayed locked (${code})`)
    },
    async freeze() {
      daemon?.kill('SIGSTOP')
    },
    async thaw() {
      daemon?.kill('SIGCONT')
    },
    async stop() {
      for (const child of [daemon, bus]) {
        if (child === null || child.exitCode !== null || child.signalCode !== null) continue
        const ended = new Promise((resolve) => child.once('exit', resolve))
        child.kill('SIGKILL')
        await ended
      }
      rmSync(home, { recursive: true, force: true })
    },
  }
}

/** Sends the password to the keyring’s control socket, as a login does: one byte for the sender’s credentials, then length, operation and text. */
async function unlockAs(control: string, password: string): Promise<number> {
  const unlock = 1
  const request = Buffer.alloc(13 + Buffer.byteLength(password))
  request.writeUInt32BE(request.length - 1, 1)
  request.writeUInt32BE(unlock, 5)
  request.writeUInt32BE(Buffer.byteLength(password), 9)
  request.write(password, 13)
  const socket = connect(control)
  socket.write(request)
  const [answer] = (await once(socket, 'data')) as [Buffer] // The response consists of its length and a status, where 0 means success.
  socket.destroy()
  return answer.readUInt32BE(4)
}
