import { type ChildProcess, spawn } from 'node:child_process'
import { constants } from 'node:fs'
import { access, realpath, stat } from 'node:fs/promises'
import { delimiter, isAbsolute, join } from 'node:path'
import { StringDecoder } from 'node:string_decoder'
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
}

export interface Ran {
  readonly outcome: 'done' | 'failed' | 'timed_out' | 'missing'
  readonly exitCode: number | null
  readonly signal: string | null
  readonly output: string
  readonly outputCut: boolean
  readonly tookMs: number
}

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
    env,
    stdio: ['pipe', 'pipe', 'pipe'],
    windowsHide: true,
    // Put the command in its own process group, so that its child processes end with it.
    detached: posix,
    ...(words[0] === undefined ? {} : { argv0: words[0] }),
  })
  const { promise, resolve } = Promise.withResolvers<Ran>()
  const written = collect(child, secret)
  let timedOut = false

  const end = (signal: NodeJS.Signals) => {
    try {
      if (posix && child.pid !== undefined) process.kill(-child.pid, signal)
      else child.kill(signal)
    } catch {
      // The command ended before the app could stop it, so there is nothing to do.
    }
  }
  const timers = [
    setTimeout(() => {
      timedOut = true
      end('SIGTERM')
      timers.push(setTimeout(() => end('SIGKILL'), graceMs))
    }, timeoutMs),
  ]
  const settle = (ended: Pick<Ran, 'outcome' | 'exitCode' | 'signal'>) => {
    for (const timer of timers) clearTimeout(timer)
    // Close this end of the streams. Otherwise, a child process that the command left running would keep them open.
    child.stdout.destroy()
    child.stderr.destroy()
    resolve({ ...ended, ...written(), tookMs: Math.round(clock.monotonic() - startedAt) })
  }
  const ended = (exitCode: number | null, signal: string | null) =>
    settle({ outcome: timedOut ? 'timed_out' : exitCode === 0 ? 'done' : 'failed', exitCode, signal })

  child.once('error', (error: NodeJS.ErrnoException) => settle({ outcome: error.code === 'ENOENT' ? 'missing' : 'failed', exitCode: null, signal: null }))
  child.once('exit', (exitCode, signal) => timers.push(setTimeout(() => ended(exitCode, signal), lastWordsMs)))
  child.once('close', ended)
  // Ignore write errors: a command that does not read its input may close the pipe. The exit code shows whether the command failed.
  child.stdin.on('error', () => undefined)
  child.stdin.end(input)
  return promise
}

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
export async function findProgram(name: string, { env, platform }: ProgramPlace): Promise<string | null> {
  const endings = platform === 'win32' && !/\.(exe|com)$/i.test(name) ? ['.exe', '.com'] : ['']
  const folders = isAbsolute(name) ? [''] : /[\\/]/.test(name) ? [] : [...(env.PATH ?? env.Path ?? '').split(delimiter), ...(usual[platform] ?? [])]
  for (const folder of folders) {
    if (folder !== '' && !isAbsolute(folder)) continue
    for (const ending of endings) {
      const file = join(folder, `${name}${ending}`)
      if (await isProgram(file)) return realpath(file)
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
