import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../project.ts'

let bundled: string | null = null

/**
 * The path of `svc-desk`, bundled from source by the first call in this process. A bundle starts three times as fast as the source, and users run one,
 * too.
 */
function bundledCommand(): string {
  if (bundled !== null) return bundled
  mkdirSync(join(root, 'out'), { recursive: true })
  // Inside the project, so that the bundle finds keytar.
  const folder = mkdtempSync(join(root, 'out/command-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  execFileSync(process.execPath, ['--disable-warning=ExperimentalWarning', join(import.meta.dirname, 'bundle-command.ts'), folder])
  bundled = join(folder, 'svc-desk.mjs')
  return bundled
}

export interface StartedCommand {
  readonly process: ChildProcess
  readonly stdout: () => string
  readonly stderr: () => string
  /** Resolves when the output contains the text. Rejects if the command ends first. */
  says(text: string): Promise<void>
  readonly ended: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null; readonly stdout: string; readonly stderr: string }>
}

interface CommandOptions {
  readonly env?: NodeJS.ProcessEnv
  readonly folder?: string
  readonly input?: string
  /**
   * Path of the program that runs the command: Node, or the packaged `svc-desk`. If undefined: the packaged `svc-desk` if the tests use it, otherwise
   * this process’s Node.
   */
  readonly node?: string
}

/** The path of the packaged `svc-desk` that the tests run instead of the source, from `SVC_DESK_PROGRAM`; undefined if the tests run the source. */
export const packagedProgram = process.env.SVC_DESK_PROGRAM

/** The path of the program that runs `svc-desk` in the tests: the packaged `svc-desk`, or Node for the source. */
export const runningProgram = packagedProgram ?? process.execPath

/** The whole command line that runs `svc-desk` with these words. */
export const svcDeskWords = (words: readonly string[], program = runningProgram) =>
  program === packagedProgram ? [program, ...words] : [program, '--disable-warning=ExperimentalWarning', bundledCommand(), ...words]

/** Starts `svc-desk` in its own process, without a terminal. */
export function startCommand(words: readonly string[], options: CommandOptions = {}): StartedCommand {
  const started = follow(svcDeskWords(words, options.node), options)
  started.process.stdin?.end(options.input ?? '')
  return started
}

/** Starts `svc-desk` in a pseudo-terminal. `type` sends key presses. The output is what the terminal shows. */
export function startOnTerminal(words: readonly string[], options: CommandOptions = {}): StartedCommand & { type(keys: string): void } {
  const quoted = svcDeskWords(words).map((word) => `'${word.replaceAll("'", "'\\''")}'`)
  // `exec` replaces the shell, because the shell would print a message of its own on Ctrl-C.
  const started = follow(['script', '--quiet', '--return', '--command', `exec ${quoted.join(' ')}`, '/dev/null'], options)
  return { ...started, type: (keys) => void started.process.stdin?.write(keys) }
}

function follow([program = '', ...words]: readonly string[], options: CommandOptions): StartedCommand {
  const child = spawn(program, words, {
    cwd: options.folder,
    env: { ...process.env, ...options.env },
    stdio: ['pipe', 'pipe', 'pipe'],
    // Starts a new session, so that no terminal controls the process.
    detached: true,
  })
  let [out, err] = ['', '']
  const listeners = new Set<() => void>()
  const heard = () => {
    for (const listener of listeners) listener()
  }
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString()
    heard()
  })
  child.stderr.on('data', (chunk: Buffer) => {
    err += chunk.toString()
    heard()
  })
  child.stdin.on('error', () => undefined)
  const ended = new Promise<Awaited<StartedCommand['ended']>>((resolve) => {
    child.once('close', (code, signal) => {
      resolve({ code, signal, stdout: out, stderr: err })
      heard()
    })
  })
  return {
    process: child,
    stdout: () => out,
    stderr: () => err,
    says: (text) =>
      new Promise((resolve, reject) => {
        const look = () => {
          if (`${out}${err}`.includes(text)) resolve()
          else if (child.exitCode !== null || child.signalCode !== null) reject(new Error(`ended without saying ${text}: ${out}${err}`))
          else return
          listeners.delete(look)
        }
        listeners.add(look)
        look()
      }),
    ended,
  }
}
