import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'

const variable = 'SVC_DESK_TEST_RUN'

/** Sets a mark in the environment that every process started from now on inherits, so that `leftRunning` can find it. */
export function markRun(): string {
  const mark = randomUUID()
  process.env[variable] = mark
  return mark
}

/** Linux: the marked processes that still run, as "pid command". Other systems cannot find them, so the list is empty. */
export function leftRunning(mark: string): string[] {
  if (process.platform !== 'linux') return []
  const left: string[] = []
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)) {
    try {
      if (!readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`${variable}=${mark}`)) continue
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()
      if (command) left.push(`${pid} ${command.slice(0, 200)}`)
    } catch {
      // The process ended while it was being inspected.
    }
  }
  return left
}
