import { readdir, readFile, readlink } from 'node:fs/promises'
import { join } from 'node:path'

/** What the system says of the process that asks. */
export interface Caller {
  readonly pid: number
  /** Its program's file, links resolved. */
  readonly program: string
  /** As it was started, its own name first. */
  readonly words: readonly string[]
  readonly folder: string
  /** The program of the process that started it; null: it is gone, or another user's. */
  readonly startedBy: string | null
}

/**
 * The one process that holds `file` open; null where none does, where several do, or where the system does not tell. Node has no way to ask who is
 * at the other end of a socket, but on Linux `/proc` tells who holds a file.
 */
export async function whoHolds(file: string): Promise<Caller | null> {
  const processes = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name))
  const holding = await Promise.all(processes.map(async (pid) => ((await holds(pid, file)) ? [pid] : [])))
  const [holder, ...others] = holding.flat()
  if (holder === undefined || others.length > 0) return null
  const caller = await describeProcess(holder)
  // It may have ended meanwhile, and another process have its number.
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
