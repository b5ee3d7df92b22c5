import { readdirSync, readFileSync } from 'node:fs'

export function descendantsOf(pid: number): number[] {
  const children = new Map<number, number[]>()
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    const parent = parentOf(Number(name))
    if (parent !== undefined) children.set(parent, [...(children.get(parent) ?? []), Number(name)])
  }
  const below = (id: number): number[] => (children.get(id) ?? []).flatMap((child) => [child, ...below(child)])
  return below(pid)
}

/** Ids of the processes that were started with exactly this argument, read from /proc. */
export const startedWith = (argument: string): number[] =>
  readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry) && argumentsOf(entry).includes(argument))
    .map(Number)
    .filter(isRunning)

/** Whether a process still runs. A zombie process (ended but not yet reaped by its parent) counts as ended. */
export const isRunning = (pid: number): boolean => {
  const state = fieldsOf(pid)?.[0]
  return state !== undefined && state !== 'Z'
}

/** The name and arguments with which a process was started; empty if the process has ended. */
export function argumentsOf(pid: number | string): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(0, -1)
  } catch {
    return []
  }
}

const parentOf = (pid: number): number | undefined => {
  const parent = fieldsOf(pid)?.[1]
  return parent === undefined ? undefined : Number(parent)
}

/** The fields of /proc/<pid>/stat from the process state on. Starts after the name in parentheses, because the name may contain spaces. */
function fieldsOf(pid: number): string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  } catch {
    return undefined
  }
}
