import { type ChildProcess, spawn } from 'node:child_process'
import { constants } from 'node:fs'
import { access, realpath, stat } from 'node:fs/promises'
import { delimiter, isAbsolute, join } from 'node:path'
import { StringDecoder } from 'node:string_decoder'
import type { Delivery } from '../../../../shared/ipc/keys/fleet.ts'
import { type Clock, second } from '../../../../shared/time.ts'
import type { Secret } from '../../../kernel/secret.ts'
import { createMask, secretForms } from '../../../store/secrets/mask.ts'

export interface CommandParts {
  readonly program: string
  readonly words: readonly string[]
  readonly input: string
  readonly secret: Secret
  readonly env: NodeJS.ProcessEnv
  readonly folder: string
  readonly timeoutMs: number
  readonly clock: Clock
  /** Ends the command and its child processes early, as after `timeoutMs`. */
  readonly signal?: AbortSignal
}

export interface Ran {
  /** failed, timed_out: the command may have stored its input before. timed_out: the app ended it. */
  readonly outcome: 'done' | 'failed' | 'timed_out' | 'missing'
  readonly exitCode: number | null
  readonly signal: string | null
  readonly output: string
  readonly outputCut: boolean
  readonly tookMs: number
  /** Whether the command closed its input before it had all of it. */
  readonly inputRefused: boolean
}

/** What the audit log says about the secret. After any start, the command may have stored it. */
export const notedOutcome = (outcome: Ran['outcome'] | Delivery['outcome']): 'done' | 'failed' | 'unknown' =>
  outcome === 'done' ? 'done' : outcome === 'missing' ? 'failed' : 'unknown'

const largestOutput = 32_768
const graceMs = 2 * second
/** How long (ms) to wait for the last output after a command has ended. */
const lastWordsMs = 500

/** Runs a command with `input` on its standard input, never through a shell. After `timeoutMs`, ends the command and its child processes. */
export function runCommand(parts: CommandParts): Promise<Ran> {
  const { program, words, input, secret, env, folder, timeoutMs, clock } = parts
  const startedAt = clock.monotonic()
  const posix = process.platform !== 'win32'
  const child = spawn(program, words.slice(1), {
    cwd: folder,
    env: withSafePath(env),
    stdio: ['pipe', 'pipe', 'pipe'],
    windowsHide: true,
    // Put the command in its own process group, so that its child processes end with it.
    detached: posix,
    ...(words[0] === undefined ? {} : { argv0: words[0] }),
  })
  const { promise, resolve } = Promise.withResolvers<Ran>()
  const written = collect(child, secret)
  let isStopped = false
  let inputRefused = false

  const end = (signal: NodeJS.Signals) => {
    try {
      if (posix && child.pid !== undefined) process.kill(-child.pid, signal)
      else child.kill(signal)
    } catch {
      // The command ended before the app could stop it, so there is nothing to do.
    }
  }
  const stop = () => {
    isStopped ||= child.exitCode === null && child.signalCode === null
    end('SIGTERM')
    timers.push(setTimeout(() => end('SIGKILL'), graceMs))
  }
  const timers = [setTimeout(stop, timeoutMs)]
  if (parts.signal?.aborted === true) stop()
  parts.signal?.addEventListener('abort', stop, { once: true })
  const settle = (ended: Pick<Ran, 'outcome' | 'exitCode' | 'signal' | 'inputRefused'>) => {
    for (const timer of timers) clearTimeout(timer)
    parts.signal?.removeEventListener('abort', stop)
    // The command has ended, but its child processes may have ignored the request to end.
    if (isStopped) end('SIGKILL')
    // Close this end of the streams. Otherwise, a child process that the command left running would keep them open.
    child.stdout.destroy()
    child.stderr.destroy()
    resolve({ ...ended, ...written(), tookMs: Math.round(clock.monotonic() - startedAt) })
  }
  const ended = (exitCode: number | null, signal: string | null) =>
    settle({ outcome: isStopped ? 'timed_out' : exitCode === 0 ? 'done' : 'failed', exitCode, signal, inputRefused })

  child.once('error', ({ code }: NodeJS.ErrnoException) =>
    settle({ outcome: code === 'ENOENT' ? 'missing' : 'failed', exitCode: null, signal: null, inputRefused: false }),
  )
  child.once('exit', (exitCode, signal) => timers.push(setTimeout(() => ended(exitCode, signal), lastWordsMs + (isStopped ? graceMs : 0))))
  child.once('close', ended)
  // A command that does not read its input may close the pipe. The exit code shows whether the command failed.
  child.stdin.on('error', () => {
    inputRefused = true
  })
  // At once, and not after the event `spawn`: if the app dies in between, the command would take the end of its input for an empty secret.
  child.stdin.end(input)
  return promise
}

/** Leaves out the folders of PATH that are not absolute, because a program would search them from the folder in which it starts. */
const withSafePath = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => {
      if (!/^path$/i.test(name)) return [[name, value]]
      const folders = (value ?? '').split(delimiter).filter(isAbsolute)
      // An empty PATH would mean the current folder.
      return folders.length === 0 ? [] : [[name, folders.join(delimiter)]]
    }),
  )

function collect(child: ChildProcess, secret: Secret): () => Pick<Ran, 'output' | 'outputCut'> {
  const forms = secretForms(secret)
  let output = ''
  let outputCut = false
  const add = (text: string) => {
    const room = largestOutput - output.length
    if (text.length > room) outputCut = true
    output += text.slice(0, room)
  }
  const ends = [child.stdout, child.stderr].map((stream) => {
    const mask = createMask(forms)
    const decoder = new StringDecoder('utf8')
    stream?.on('data', (chunk: Buffer) => add(decoder.write(mask.push(chunk))))
    return () => add(decoder.end(mask.end()))
  })
  return () => {
    for (const end of ends) end()
    return { output, outputCut }
  }
}

/**
 * Whether Node on Windows can give these words to a program. It cannot pass U+10FFFF, which Unicode assigns to no character: an assertion would end
 * this process.
 */
export const canBeGiven = (words: readonly string[], platform: NodeJS.Platform): boolean =>
  platform !== 'win32' || !words.some((word) => word.includes('\u{10FFFF}'))

export interface ProgramPlace {
  readonly env: NodeJS.ProcessEnv
  readonly platform: NodeJS.Platform
}

/** On macOS, an app started from the desktop has a short PATH, so the app also searches the usual folders of package managers. */
const usual: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = { darwin: ['/usr/local/bin', '/opt/homebrew/bin'], linux: ['/usr/local/bin'] }

/**
 * Finds the file of a program by the program’s name, and resolves links. Returns null if it finds no file. Never searches the current folder. On
 * Windows, ignores batch files, because they run only in a shell.
 */
export async function findProgram(name: string, place: ProgramPlace): Promise<string | null> {
  const file = await findProgramLink(name, place)
  return file === null ? null : realpath(file)
}

/** Like `findProgram`, but resolves no links. Some programs, such as those of snap, do what the name of their link says. */
export async function findProgramLink(name: string, { env, platform }: ProgramPlace): Promise<string | null> {
  const endings = platform === 'win32' && !/\.(exe|com)$/i.test(name) ? ['.exe', '.com'] : ['']
  const folders = isAbsolute(name) ? [''] : /[\\/]/.test(name) ? [] : [...(env.PATH ?? env.Path ?? '').split(delimiter), ...(usual[platform] ?? [])]
  for (const folder of folders) {
    if (folder !== '' && !isAbsolute(folder)) continue
    for (const ending of endings) {
      const file = join(folder, `${name}${ending}`)
      if (await isProgram(file)) return file
    }
  }
  return null
}

async function isProgram(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK)
    return (await stat(file)).isFile()
  } catch {
    return false
  }
}
