import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface GuardedProcess {
  readonly pid: number
  readonly stdout: NodeJS.ReadableStream
  readonly stderr: NodeJS.ReadableStream
  /** Resolves with a sentence about how it ended. */
  readonly ended: Promise<string>
  /** Asks it to end, kills it after five seconds. Resolves when it is gone. */
  stop(): Promise<void>
}

/**
 * The shell leaves a watcher behind and becomes the program, so there is no moment at which the program runs unwatched.
 * The watcher waits for the pipe from us to close, which the system does however we die.
 * Both have a session of their own, so that a signal to our whole group cannot take the watcher first.
 */
const posixGuard = `
scratch=$1
shift
exec 3<&0
(
  read -r _ <&3
  kill -TERM $$
  n=0
  while kill -0 $$ && [ $n -lt 50 ]; do sleep 0.1; n=$((n + 1)); done
  kill -KILL $$
  rm -rf "$scratch"
) >/dev/null 2>&1 &
HOME=$scratch exec "$@" 3<&- </dev/null
`

/**
 * Runs a program that must not outlive this process, not even when this process is killed with SIGKILL.
 * Its HOME is an empty folder that goes away with it.
 */
export function runGuarded(program: string, args: readonly string[], platform: string): GuardedProcess {
  const scratch = mkdtempSync(join(tmpdir(), 'svc-desk-practice-'))
  const windows = platform === 'win32'
  const child = windows
    ? spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, USERPROFILE: scratch }, windowsHide: true })
    : spawn('/bin/sh', ['-c', posixGuard, 'guard', scratch, program, ...args], {
        stdio: ['pipe', 'pipe', 'pipe'],
        env: { PATH: process.env.PATH ?? '' },
        detached: true,
      })
  const watcher = windows ? watchOnWindows(child.pid ?? 0) : child
  // A watcher that is gone already has nothing left to guard.
  watcher.stdin?.on('error', () => {})
  const ended = new Promise<string>((resolve) => {
    const end = (how: string) => {
      watcher.stdin?.end()
      if (windows) rmSync(scratch, { recursive: true, force: true })
      resolve(how)
    }
    child.once('error', (error) => end(error.message))
    child.once('exit', (code, signal) => end(signal === null ? `it ended with code ${code}` : `it was ended by ${signal}`))
  })
  return {
    pid: child.pid ?? 0,
    stdout: child.stdout,
    stderr: child.stderr,
    ended,
    stop: async () => {
      watcher.stdin?.end()
      await ended
    },
  }
}

/** Windows has no shell that could become the program, so the watcher is told its id. */
function watchOnWindows(pid: number): ChildProcess {
  const script = `[void][Console]::In.ReadToEnd(); Stop-Process -Id ${pid} -Force -ErrorAction SilentlyContinue`
  return spawn('powershell.exe', ['-NoProfile', '-NonInteractive', '-Command', script], { stdio: ['pipe', 'ignore', 'ignore'], windowsHide: true })
}
