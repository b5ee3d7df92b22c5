import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'

const variable = 'SVC_DESK_TEST_RUN'

/** Sets a random mark in this process’s environment. All processes started afterwards inherit the mark, so `leftRunning` can find them. */
export function markRun(): string {
  const mark = randomUUID()
  process.env[variable] = mark
  return mark
}

/** Linux: the processes that have the mark and still run, each as "pid command". Other systems: always empty. */
export function leftRunning(mark: string): string[] {
  if (process.platform !== 'linux') return []
  const left: string[] = []
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)) {
    try {
      if (!readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`${variable}=${mark}`)) continue
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()
      if (command) left.push(`${pid} ${command.slice(0, 200)}`)
    } catch {}
  }
  return left
}
