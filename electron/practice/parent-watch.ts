import { second } from '../../shared/time.ts'

/**
 * Calls once when the process that started this one is gone, however it went.
 * Asked for again and again, since a parent that is killed says nothing.
 */
export function whenParentIsGone(gone: () => void): void {
  const parent = process.ppid
  const check = () => {
    if (process.ppid === parent && isAlive(parent)) return
    clearInterval(timer)
    gone()
  }
  const timer = setInterval(check, second / 2).unref()
  process.once('disconnect', gone)
}

/** Windows goes on naming a parent that has ended. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // Somebody else's process is alive too.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
