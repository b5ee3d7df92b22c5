import { type FSWatcher, linkSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, watch, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeCodec } from './codec.ts'

/** Data that a second instance of the app sends to the first instance. */
export interface SecondInstance {
  argv: string[]
  workingDirectory: string
  additionalData: unknown
}

const codec = makeCodec()

/**
 * Allows one instance per user data folder. The lock is a file with the id of the process. If the lock is taken, a second instance writes a message
 * next to the lock file, and the first instance reads that message. The second instance works synchronously, so it may exit immediately.
 */
export class InstanceLock {
  readonly #folder: string
  readonly #onSecond: (second: SecondInstance) => void
  #watcher: FSWatcher | undefined

  constructor(userData: string, onSecond: (second: SecondInstance) => void) {
    this.#folder = join(userData, 'stand-in-lock')
    this.#onSecond = onSecond
  }

  get held(): boolean {
    return this.#watcher !== undefined
  }

  /** Tries to get the lock. If another running process has the lock, notifies that process and returns false. */
  acquire(own: SecondInstance): boolean {
    if (this.held) return true
    mkdirSync(this.#folder, { recursive: true })
    while (!this.#claim()) {
      if (isAlive(this.#owner())) {
        this.#leaveMessage(own)
        return false
      }
      rmSync(this.#path('owner'), { force: true })
    }
    for (const name of readdirSync(this.#folder)) if (name.endsWith('.message')) rmSync(this.#path(name), { force: true })
    this.#watcher = watch(this.#folder, () => this.#readMessages())
    this.#watcher.unref()
    return true
  }

  release(): void {
    if (!this.held) return
    this.#watcher?.close()
    this.#watcher = undefined
    rmSync(this.#path('owner'), { force: true })
  }

  /**
   * Claims the lock by creating a hard link. A link appears with its full content or not at all, and never replaces an existing file. So only one
   * process can succeed.
   */
  #claim(): boolean {
    const draft = this.#path(`${process.pid}.draft`)
    writeFileSync(draft, JSON.stringify({ pid: process.pid, started: startOf(process.pid) }))
    try {
      linkSync(draft, this.#path('owner'))
      return true
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code === 'EEXIST') return false
      throw cause
    } finally {
      rmSync(draft, { force: true })
    }
  }

  #owner(): Owner | undefined {
    try {
      return JSON.parse(readFileSync(this.#path('owner'), 'utf8')) as Owner
    } catch {
      return undefined
    }
  }

  #leaveMessage(own: SecondInstance): void {
    const draft = this.#path(`${process.pid}.draft`)
    writeFileSync(draft, codec.encode(structuredClone(own)))
    renameSync(draft, this.#path(`${process.pid}-${Date.now()}.message`))
  }

  #readMessages(): void {
    for (const name of readdirSync(this.#folder).filter((entry) => entry.endsWith('.message'))) {
      const text = readFileSync(this.#path(name), 'utf8')
      rmSync(this.#path(name), { force: true })
      this.#onSecond(codec.decode(text) as SecondInstance)
    }
  }

  #path(name: string): string {
    return join(this.#folder, name)
  }
}

interface Owner {
  pid: number
  started: string
}

/** Checks the process id and the start time, because the system may reuse a process id. */
const isAlive = (owner: Owner | undefined): boolean => owner !== undefined && startOf(owner.pid) === owner.started

/**
 * The start time of a process (field 22 of /proc/<pid>/stat), or "gone" if there is no such process. Counts fields after the name in parentheses,
 * because the name may contain spaces.
 */
function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? 'gone'
  } catch {
    return 'gone'
  }
}
