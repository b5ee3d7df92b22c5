import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { constants } from 'node:os'
import { type Readable, Transform, type Writable } from 'node:stream'
import type { Clock } from '../../../shared/time.ts'
import type { Secret } from '../../kernel/secret.ts'
import { createMask, secretForms } from '../../store/secrets/mask.ts'
import { exitCodes } from './refusal.ts'

export interface RunParts {
  /** The file to start. */
  readonly program: string
  readonly words: readonly string[]
  /** The secrets, by the name of the environment variable for each. */
  readonly secrets: Readonly<Record<string, Secret>>
  readonly baseUrl: string
  readonly env: NodeJS.ProcessEnv
  readonly stdout: Writable
  readonly stderr: Writable
  /** Keeps signals that arrived before the command started, and passes them on. */
  readonly signals: SignalRelay
  readonly clock: Clock
}

/** Handles the signals that this process receives: passes them on to the started program, or uses them to stop this process. */
export interface SignalRelay {
  /** From now on, passes signals on to the started program. */
  to(child: ChildProcess): void
  /** From now on, handles signals in this process. Calls `stop` when a signal asks the process to end. */
  here(stop: (signal: NodeJS.Signals) => void): void
}

/** Signals that the terminal sends to all processes in the foreground. The command gets them directly, so `svc-desk` does not pass them on. */
const fromTerminal: readonly NodeJS.Signals[] = ['SIGINT', 'SIGQUIT']
const passed: readonly NodeJS.Signals[] = ['SIGTERM', 'SIGHUP', 'SIGUSR1', 'SIGUSR2', 'SIGCONT', 'SIGWINCH']
/** Signals that end a command which would otherwise run forever. */
const ending: readonly NodeJS.Signals[] = ['SIGINT', 'SIGQUIT', 'SIGTERM', 'SIGHUP']

/**
 * Handles every signal that a process can handle. This includes SIGUSR1: without a listener Node would open its debugger, which exposes all memory.
 * Until the command starts, the usual signals end this process.
 */
export function relaySignals(end: (exitCode: number) => void): SignalRelay {
  let child: ChildProcess | null = null
  let stop: ((signal: NodeJS.Signals) => void) | null = null
  const terminal = hasTerminal()
  for (const signal of [...fromTerminal, ...passed]) {
    try {
      process.on(signal, () => {
        if (child !== null) {
          if (!terminal || !fromTerminal.includes(signal)) child.kill(signal)
        } else if (stop !== null) {
          if (ending.includes(signal)) stop(signal)
        } else if (signal !== 'SIGCONT' && signal !== 'SIGWINCH') end(exitCodes.signal + constants.signals[signal])
      })
    } catch {
      // Windows lacks some signals, so registering a listener for them may fail. Ignore the error.
    }
  }
  return {
    to(started) {
      child = started
    },
    here(ask) {
      stop = ask
    },
  }
}

/** True if this process has a terminal. If it has one, Ctrl-C there reaches the command directly. */
function hasTerminal(): boolean {
  if (process.platform === 'win32') return true
  try {
    closeSync(openSync('/dev/tty', 'r'))
    return true
  } catch {
    return false
  }
}

/** How long to wait for more output after the command has ended, in ms. Processes that the command left running may keep the output open for ever. */
const lastWordsMs = 500

/**
 * Runs the command and passes it the secrets only in its environment. Returns its exit code; if a signal ended it, 128 plus the signal's
 * number.
 */
export async function runChild({ program, words, secrets, baseUrl, env, stdout, stderr, signals, clock }: RunParts): Promise<number> {
  const child = spawn(program, words.slice(1), {
    env: { ...env, ...Object.fromEntries(Object.entries(secrets).map(([name, secret]) => [name, secret.reveal()])), SVC_BASE_URL: baseUrl },
    stdio: ['inherit', 'pipe', 'pipe'],
    windowsHide: false,
    ...(words[0] === undefined ? {} : { argv0: words[0] }),
  })
  signals.to(child)
  const forms = Object.values(secrets)
    .flatMap(secretForms)
    // Sort the encoded forms of all secrets together, longest first. The mask tries them in this order, so no short match hides a longer one.
    .sort((a, b) => b.length - a.length)
  const streams = [flow(child.stdout, forms, stdout, clock), flow(child.stderr, forms, stderr, clock)]
  try {
    const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null] // types from Node's documentation of the event
    await Promise.all(streams.map((stream) => stream.drained()))
    return signal === null ? (code ?? exitCodes.internal) : exitCodes.signal + constants.signals[signal]
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : ''
    return code === 'ENOENT' ? exitCodes.notFound : exitCodes.cannotStart
  }
}

interface Flow {
  /** Resolves when the started program has ended and all its output has been passed on. */
  drained(): Promise<void>
}

function flow(from: Readable, forms: readonly Buffer[], to: Writable, clock: Clock): Flow {
  const mask = createMaskStream(forms)
  const { promise: finished, resolve } = Promise.withResolvers<void>()
  let heardAt = clock.monotonic()
  from.on('data', () => {
    heardAt = clock.monotonic()
  })
  from.pipe(mask)
  mask.pipe(to, { end: false })
  mask.once('end', resolve)
  // The program that reads our output has closed its pipe. Close the pipe to the started program too, so that its next write fails as usual.
  to.once('error', () => {
    from.destroy()
    mask.destroy()
    resolve()
  })
  return {
    async drained() {
      const timer = setInterval(() => {
        if (clock.monotonic() - heardAt < lastWordsMs || from.isPaused() || to.writableNeedDrain) return
        from.unpipe(mask)
        from.destroy()
        mask.end()
      }, 100)
      await finished
      clearInterval(timer)
    },
  }
}

/** How long to hold back a prompt that ends like the beginning of a secret. */
const releaseAfterMs = 40

/** Creates a stream that masks the secrets in a program's output. Text that cannot be the start of a secret passes at once. */
function createMaskStream(forms: readonly Buffer[]): Transform {
  const mask = createMask(forms)
  let timer: NodeJS.Timeout | undefined
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      clearTimeout(timer)
      const out = mask.push(chunk)
      timer = setTimeout(() => {
        const released = mask.release()
        if (released.length > 0) this.push(released)
      }, releaseAfterMs)
      done(null, out.length > 0 ? out : undefined)
    },
    flush(done) {
      clearTimeout(timer)
      const out = mask.end()
      done(null, out.length > 0 ? out : undefined)
    },
    destroy(error, done) {
      clearTimeout(timer)
      done(error)
    },
  })
}
