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
  /** By the name of the variable that the command gets each in. */
  readonly secrets: Readonly<Record<string, Secret>>
  readonly baseUrl: string
  readonly env: NodeJS.ProcessEnv
  readonly stdout: Writable
  readonly stderr: Writable
  /** Signals that came before the command was there to take them. */
  readonly signals: SignalRelay
  readonly clock: Clock
}

/** Where the signals of this process go. */
export interface SignalRelay {
  /** From now on to the command. */
  to(child: ChildProcess): void
  /** From now on to this process, which ends by itself when it is asked to. */
  here(stop: (signal: NodeJS.Signals) => void): void
}

/** What the command itself gets from the terminal, which sends it to the whole group in front. */
const fromTerminal: readonly NodeJS.Signals[] = ['SIGINT', 'SIGQUIT']
const passed: readonly NodeJS.Signals[] = ['SIGTERM', 'SIGHUP', 'SIGUSR1', 'SIGUSR2', 'SIGCONT', 'SIGWINCH']
/** What a command that goes on until it is told is told by. */
const ending: readonly NodeJS.Signals[] = ['SIGINT', 'SIGQUIT', 'SIGTERM', 'SIGHUP']

/**
 * Takes all signals that a process can take. SIGUSR1 among them: without a listener Node would open its debugger, which shows
 * all memory. Until there is a command, the usual ones end this process.
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
      // Windows has fewer.
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

/** Whether a terminal controls this process, and so sends Ctrl-C to the command by itself. */
function hasTerminal(): boolean {
  if (process.platform === 'win32') return true
  try {
    closeSync(openSync('/dev/tty', 'r'))
    return true
  } catch {
    return false
  }
}

/** Without a word for so long after the command has ended, what it left running is not waited for. */
const lastWordsMs = 500

/** Runs the command with the secrets in its environment, and only there. Gives its exit code, or 128 and the number of its signal. */
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
    // The longest first, also of several secrets.
    .sort((a, b) => b.length - a.length)
  const streams = [flow(child.stdout, forms, stdout, clock), flow(child.stderr, forms, stderr, clock)]
  try {
    const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null] // as Node documents the event
    await Promise.all(streams.map((stream) => stream.drained()))
    return signal === null ? (code ?? exitCodes.internal) : exitCodes.signal + constants.signals[signal]
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : ''
    return code === 'ENOENT' ? exitCodes.notFound : exitCodes.cannotStart
  }
}

interface Flow {
  /** After the command has ended: when everything that it said has gone out. */
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
  // Whoever reads has gone: the command is told in the usual way, by a signal at its next word.
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

/** A prompt that ends like the beginning of a secret is shown after so long. */
const releaseAfterMs = 40

/** Masks what flows through it. What cannot be the beginning of a secret is passed on at once. */
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
