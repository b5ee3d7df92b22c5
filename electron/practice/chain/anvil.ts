import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fail, ok, type Result } from '../../../shared/result.ts'

export interface AnvilOptions {
  readonly program: string
  readonly platform: string
  /** Chain state across restarts; null keeps it in memory. */
  readonly stateFile: string | null
  /** Keeps the state of every block, which a reorganisation needs, at some 30 KB a block. */
  readonly history: boolean
  /** Unix seconds of the first block; null begins now. */
  readonly bornAt: number | null
}

export interface Anvil {
  readonly rpcUrl: string
  readonly process: GuardedProcess
}

/** Seconds between two dumps of the state. It is dumped once more when anvil ends, so this bounds what a power cut loses. */
const stateInterval = 30

/** States of the newest blocks that stay without history: a read at the newest block fails when that block is outrun and its state is gone. */
const keptStates = 16

/** Starts anvil as Base (8453) on loopback, one block a second. The failure is what anvil said. */
export async function startAnvil({ program, platform, stateFile, history, bornAt }: AnvilOptions): Promise<Result<Anvil, string>> {
  const process = runGuarded(
    program,
    [
      ...['--host', '127.0.0.1', '--port', '0', '--no-cors'],
      ...['--chain-id', '8453', '--block-time', '1'],
      // Later forks keep the hashes of old blocks in storage, which grows the state with every block.
      ...['--hardfork', 'cancun'],
      // No accounts whose keys everybody knows.
      ...['--accounts', '0'],
      ...(history ? [] : ['--prune-history', String(keptStates)]),
      ...(bornAt === null ? [] : ['--timestamp', String(bornAt)]),
      ...(stateFile === null ? [] : ['--state', stateFile, '--state-interval', String(stateInterval)]),
    ],
    platform,
  )
  const complaints: string[] = []
  createInterface({ input: process.stderr }).on('line', (line) => {
    if (complaints.length < 20) complaints.push(line)
  })
  // Read to the end of its life: a full pipe would stop it.
  const lines = createInterface({ input: process.stdout })
  const listening = new Promise<string>((resolve) => {
    lines.on('line', (line) => {
      const address = /^Listening on (127\.0\.0\.1:\d+)/.exec(line)?.[1]
      if (address !== undefined) resolve(address)
    })
  })
  const outcome = await Promise.race([listening.then((address) => ok(address)), process.ended.then((how) => fail(how))])
  if (!outcome.ok) return fail(`anvil did not start: ${outcome.failure}. ${complaints.join(' ')}`.trim())
  return ok({ rpcUrl: `http://${outcome.value}`, process })
}

interface GuardedProcess {
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
