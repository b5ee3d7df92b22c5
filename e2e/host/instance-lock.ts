import { type FSWatcher, linkSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, watch, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeCodec } from './codec.ts'

/** Data that a second instance sends to the first. */
export interface SecondInstance {
  argv: string[]
  workingDirectory: string
  additionalData: unknown
}

const codec = makeCodec()

/**
 * One instance per user data folder. The lock is a file that names the process. An instance that finds the lock taken leaves a message next to
 * it, which the first instance reads as soon as it appears. The second instance works synchronously, so it may exit at once.
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

  /** Returns false if another living process has the lock, after notifying that process. */
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
   * Claims the lock by creating a hard link. A link appears with its whole content or not at all, and never replaces another file, so only one
   * process can win.
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
      // The cast is safe: `#leaveMessage` of another process of the same user wrote this text.
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

/** The system may reuse a process id; together with its start time it is unique. */
const isAlive = (owner: Owner | undefined): boolean => owner !== undefined && startOf(owner.pid) === owner.started

/**
 * Field 22 of /proc/<pid>/stat. Fields are counted after the name in parentheses, because the name may contain spaces. "gone" when there is no
 * such process.
 */
function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? 'gone'
  } catch {
    return 'gone'
  }
}
