import { randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { readdir, readFile, readlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { z } from 'zod'

/**
 * The app's address file: where the app listens, and a token. Only this user can read the file, so a command that knows the token proves that it runs
 * as the same user.
 */
export const Address = z.object({ version: z.literal(1), path: z.string(), token: z.string().regex(/^[0-9a-f]{64}$/) })
export type Address = z.infer<typeof Address>

/** Maximum length of a socket's path that works on every system. macOS has the lowest limit. */
const longestPath = 100

const folderOf = (userData: string): string => join(userData, 'terminal')
const fileOf = (userData: string): string => join(folderOf(userData), 'line.json')

/**
 * Creates a folder for the socket that no other user can enter (0700). On Windows, a pipe belongs to no folder whose permissions could protect it, so
 * the pipe's name is made unguessable.
 * Throws file system errors.
 */
export function makeAddress(userData: string, platform: NodeJS.Platform): Address {
  const token = randomBytes(32).toString('hex')
  if (platform === 'win32') return { version: 1, path: `\\\\.\\pipe\\svc-desk-${randomBytes(16).toString('hex')}`, token }
  const folder = folderOf(userData)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  chmodSync(folder, 0o700)
  const near = join(folder, 'line')
  const path = Buffer.byteLength(near) <= longestPath ? near : join(mkdtempSync(join(tmpdir(), 'svc-desk-')), 'line')
  // Only one app at a time uses this data folder. So if a socket exists, an app that crashed left it behind.
  rmSync(path, { force: true })
  return { version: 1, path, token }
}

/** Writes the address file in one step, so that a reader never sees a part of it. Call it once the app listens. */
export function writeAddress(userData: string, address: Address): void {
  mkdirSync(folderOf(userData), { recursive: true, mode: 0o700 })
  const fresh = `${fileOf(userData)}.${randomBytes(6).toString('hex')}`
  writeFileSync(fresh, JSON.stringify(address), { mode: 0o600, flag: 'wx' })
  renameSync(fresh, fileOf(userData))
}

/** Reads the app's address. null if no app has listened yet, or if the last app closed normally. */
export function readAddress(userData: string): Address | null {
  try {
    return Address.parse(JSON.parse(readFileSync(fileOf(userData), 'utf8')))
  } catch {
    return null
  }
}

export function removeAddress(userData: string, { path }: Address): void {
  rmSync(fileOf(userData), { force: true })
  if (path.startsWith('\\\\')) return
  rmSync(path, { force: true })
  if (dirname(path) !== folderOf(userData)) rmSync(dirname(path), { recursive: true, force: true })
}

/** What the operating system reports about the calling process. */
export interface Caller {
  readonly pid: number
  /** The program's file, with links resolved. */
  readonly program: string
  /** The arguments with which the process was started. The first is its own name. */
  readonly words: readonly string[]
  readonly folder: string
  /** The program that started the process; null if it has ended or belongs to another user. */
  readonly startedBy: string | null
}

/**
 * Finds the process that has `file` open. null if no process or several processes have the file open, or if the operating system does not say.
 * Node cannot tell which process is at the other end of a socket. But on Linux, `/proc` shows which process has a file open.
 */
export async function whoHolds(file: string): Promise<Caller | null> {
  const processes = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name))
  const holding = await Promise.all(processes.map(async (pid) => ((await holds(pid, file)) ? [pid] : [])))
  const [holder, ...others] = holding.flat()
  if (holder === undefined || others.length > 0) return null
  const caller = await describeProcess(holder)
  // Check again: the process may have ended, and the system may have given its process ID to another process.
  return caller !== null && (await holds(holder, file)) ? caller : null
}

const about = (pid: string, what: string) => join('/proc', pid, what)
const linkOf = (path: string): Promise<string | null> => readlink(path).catch(() => null)

async function holds(pid: string, file: string): Promise<boolean> {
  const open = await readdir(about(pid, 'fd')).catch(() => [])
  const targets = await Promise.all(open.map((fd) => linkOf(about(pid, `fd/${fd}`))))
  return targets.includes(file)
}

async function describeProcess(pid: string): Promise<Caller | null> {
  const [program, folder, line, status] = await Promise.all([
    linkOf(about(pid, 'exe')),
    linkOf(about(pid, 'cwd')),
    readFile(about(pid, 'cmdline'), 'utf8').catch(() => null),
    readFile(about(pid, 'status'), 'utf8').catch(() => ''),
  ])
  if (program === null || folder === null || line === null) return null
  const parent = /^PPid:\t(\d+)$/m.exec(status)?.[1]
  const startedBy = parent === undefined ? null : await linkOf(about(parent, 'exe'))
  return { pid: Number(pid), program, words: line.split('\0').slice(0, -1), folder, startedBy }
}
