import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A PostgreSQL server of a test, in a temporary folder, on a unix socket only. */
export interface TestPostgres {
  readonly url: string
  readonly folder: string
  /** The server's first process. Each start has another one. */
  pid(): number
  /** Ends every process of the server at once, as a crash would. */
  kill(): Promise<void>
  /** Suspends the server, so that it accepts calls and never answers. */
  freeze(): void
  thaw(): void
  start(): Promise<void>
  /** Writes a file into the folder of its data. Settings in `postgresql.auto.conf` hold from the next start. */
  write(name: string, text: string): void
  /** Everything in the database, as text. */
  dump(): string
  stop(): Promise<void>
}

const root = '/usr/lib/postgresql'
const versions = existsSync(root) ? readdirSync(root).sort((a, b) => Number(b) - Number(a)) : []
const bin = versions.map((version) => join(root, version, 'bin')).find((folder) => existsSync(join(folder, 'initdb'))) ?? null

/** Whether Debian's PostgreSQL server is installed. */
export const hasPostgres = bin !== null

/** The server refuses to run as root; it then runs as Debian's user for it. */
const user = (): { readonly uid?: number; readonly gid?: number } => {
  if (process.getuid?.() !== 0) return {}
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
  return { uid: id('-u'), gid: id('-g') }
}

/** `more`: settings of the server, by name. */
export async function startPostgres(more: Readonly<Record<string, string>> = {}): Promise<TestPostgres> {
  if (bin === null) throw new Error('PostgreSQL is not installed')
  const owner = user()
  // Another user may not enter the temporary folder of root's tests.
  const folder = mkdtempSync(join(owner.uid === undefined ? tmpdir() : '/tmp', 'svc-desk-pg-'))
  chmodSync(folder, 0o700)
  if (owner.uid !== undefined) chownSync(folder, owner.uid, owner.gid ?? 0)
  const data = join(folder, 'data')
  const env = { PATH: process.env.PATH, LC_ALL: 'C.UTF-8' }
  const made = spawnSync(join(bin, 'initdb'), ['-D', data, '-U', 'gateway', '-A', 'trust', '-E', 'UTF8', '--no-sync'], { ...owner, env, cwd: folder })
  if (made.status !== 0) throw new Error(String(made.stderr))
  // A killed process loses nothing that it has written, so the tests need not wait for the disk.
  const settings = ["listen_addresses = ''", `unix_socket_directories = '${folder}'`, 'fsync = off', 'max_connections = 60', 'shared_buffers = 32MB']
  settings.push(...Object.entries(more).map(([name, value]) => `${name} = ${value}`))
  writeFileSync(join(data, 'postgresql.conf'), `${settings.join('\n')}\n`)
  let server: ReturnType<typeof spawn> | null = null
  const start = async () => {
    const child = spawn(join(bin, 'postgres'), ['-D', data], { ...owner, env, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'], detached: true })
    server = child
    await new Promise<void>((resolve, reject) => {
      let said = ''
      child.stderr.on('data', (part: Buffer) => {
        said += String(part)
        if (said.includes('ready to accept connections')) resolve()
      })
      child.once('exit', () => reject(new Error(`PostgreSQL ended: ${said}`)))
    })
  }
  /** Each process of the server is in a group of its own, and its children have sessions of theirs. */
  const processes = (): number[] => {
    if (server?.pid === undefined) return []
    const children = spawnSync('ps', ['-o', 'pid=', '--ppid', String(server.pid)], { encoding: 'utf8' })
    return [server.pid, ...children.stdout.split('\n').map(Number)].filter((pid) => pid > 0)
  }
  const signal = (name: NodeJS.Signals) => {
    for (const pid of processes())
      try {
        process.kill(pid, name)
      } catch {
        // It has just ended.
      }
  }
  const end = async (name: NodeJS.Signals) => {
    const child = server
    if (child === null || child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    if (name === 'SIGKILL') signal(name)
    else child.kill(name)
    await gone
    server = null
  }
  await start()
  return {
    url: `postgres://gateway@/postgres?host=${encodeURIComponent(folder)}`,
    folder,
    pid: () => server?.pid ?? 0,
    kill: () => end('SIGKILL'),
    freeze: () => signal('SIGSTOP'),
    thaw: () => signal('SIGCONT'),
    start,
    write: (name, text) => {
      writeFileSync(join(data, name), text, { mode: 0o600 })
      if (owner.uid !== undefined) chownSync(join(data, name), owner.uid, owner.gid ?? 0)
    },
    dump: () => execFileSync(join(bin, 'pg_dump'), ['-h', folder, '-U', 'gateway', 'postgres'], { encoding: 'utf8', env }),
    stop: async () => {
      signal('SIGCONT')
      await end('SIGQUIT')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
