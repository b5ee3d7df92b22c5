import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fail, ok, type Result } from '../../../shared/result.ts'

export interface AnvilOptions {
  readonly program: string
  readonly platform: string
  /** File in which the chain state survives restarts; null keeps the state in memory only. */
  readonly stateFile: string | null
  /** Keeps the state of every block, about 30 KB each, so that tests can simulate a chain reorganisation. */
  readonly history: boolean
  /** The time of the chain’s first block, in Unix seconds; null to use the current time. */
  readonly bornAt: number | null
}

export interface Anvil {
  readonly rpcUrl: string
  readonly process: GuardedProcess
}

/** Seconds between two saves of the chain state. A power cut loses at most this much time of the chain. On a normal exit, anvil also saves. */
const stateInterval = 30

/**
 * How many states of the newest blocks to keep without `history`. With too few, a read fails if new blocks arrive during the read, because the state
 * that it needs is already gone.
 */
const keptStates = 16

/** Starts anvil as Base (chain 8453) on loopback, with one block per second. A failure contains anvil's own message. */
export async function startAnvil({ program, platform, stateFile, history, bornAt }: AnvilOptions): Promise<Result<Anvil, string>> {
  const process = runGuarded(
    program,
    [
      ...['--host', '127.0.0.1', '--port', '0', '--no-cors'],
      ...['--chain-id', '8453', '--block-time', '1'],
      // The hard forks after Cancun store the hashes of old blocks, which would make the saved state grow with every block.
      ...['--hardfork', 'cancun'],
      // Create none of anvil's default accounts: their private keys are public, so anyone could use them.
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
  // Read the rest of stdout and discard it. If the pipe filled up, anvil would block.
  const lines = createInterface({ input: process.stdout })
  const listening = new Promise<string>((resolve) => {
    lines.on('line', (line) => {
      const address = /^Listening on (127\.0\.0\.1:\d+)/.exec(line)?.[1]
      if (address !== undefined) resolve(address)
    })
  })
  const ready = Promise.all([listening, process.guarded]).then(([address]) => ok(address))
  const outcome = await Promise.race([ready, process.ended.then((how) => fail(how))])
  if (!outcome.ok) return fail(`anvil did not start: ${outcome.failure}. ${complaints.join(' ')}`.trim())
  return ok({ rpcUrl: `http://${outcome.value}`, process })
}

interface GuardedProcess {
  readonly pid: number
  readonly stdout: NodeJS.ReadableStream
  readonly stderr: NodeJS.ReadableStream
  /** Resolves when the process has its watcher. Never resolves if the watcher cannot start: the process is killed then. */
  readonly guarded: Promise<void>
  /** Resolves when the process has ended, with a sentence that describes how it ended. */
  readonly ended: Promise<string>
  /** Asks the process to end and kills it after five seconds. Resolves once the process is gone. */
  stop(): Promise<void>
}

/**
 * The shell starts a watcher and then replaces itself with the program, so that the program is never without a watcher.
 * The watcher waits until the pipe from our process closes, which happens in any case when our process ends. Watcher and program have their own
 * session, so a signal to our process group cannot kill the watcher first.
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
 * Runs a program that must not outlive this process, even if this process is killed with SIGKILL.
 * Its HOME is an empty folder that is removed when the program ends.
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
  // The watcher exits when its program has ended. Nothing needs guarding then, so ignore write errors.
  watcher.stdin?.on('error', () => {})
  const guarded = new Promise<void>((resolve) => watcher.once('spawn', resolve))
  let unguarded: string | null = null
  if (watcher !== child)
    // The computer's rules may forbid PowerShell. A program without its watcher could outlive this process, so it must not run.
    watcher.once('error', (error) => {
      unguarded = `its watcher did not start: ${error.message}`
      child.kill('SIGKILL')
    })
  const ended = new Promise<string>((resolve) => {
    const end = (how: string) => {
      watcher.stdin?.end()
      if (windows) rmSync(scratch, { recursive: true, force: true })
      resolve(how)
    }
    child.once('error', (error) => end(error.message))
    child.once('exit', (code, signal) => end(unguarded ?? (signal === null ? `it ended with code ${code}` : `it was ended by ${signal}`)))
  })
  return {
    pid: child.pid ?? 0,
    stdout: child.stdout,
    stderr: child.stderr,
    guarded,
    ended,
    stop: async () => {
      watcher.stdin?.end()
      await ended
    },
  }
}

/** Starts a separate watcher, which receives the program’s process id. Needed on Windows, where a shell cannot replace itself with the program. */
function watchOnWindows(pid: number): ChildProcess {
  const script = `[void][Console]::In.ReadToEnd(); Stop-Process -Id ${pid} -Force -ErrorAction SilentlyContinue`
  return spawn('powershell.exe', ['-NoProfile', '-NonInteractive', '-Command', script], { stdio: ['pipe', 'ignore', 'ignore'], windowsHide: true })
}
