import { spawn } from 'node:child_process'
import { join } from 'node:path'

export const root = join(import.meta.dirname, '../..')
export const inRoot = (...parts: string[]): string => join(root, ...parts)
/** The path of a package’s command line tool. */
export const tool = (name: string): string => inRoot('node_modules/.bin', name)

export interface Ran {
  readonly code: number
  readonly output: string
}

/**
 * Runs a command and waits until it ends. `quiet`: returns its output; otherwise the output goes to the terminal. Signals to this process are
 * passed on to the child, or to `pass` if given.
 */
export function run(
  command: string,
  args: readonly string[],
  options: { quiet?: boolean; env?: NodeJS.ProcessEnv; pass?: (signal: NodeJS.Signals) => void } = {},
): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, stdio: options.quiet ? ['ignore', 'pipe', 'pipe'] : 'inherit', env: { ...process.env, ...options.env } })
    let output = ''
    child.stdout?.on('data', (chunk: Buffer) => {
      output += chunk
    })
    child.stderr?.on('data', (chunk: Buffer) => {
      output += chunk
    })
    const pass = options.pass ?? ((signal: NodeJS.Signals) => void child.kill(signal))
    process.on('SIGINT', pass).on('SIGTERM', pass)
    child.once('error', reject)
    child.once('close', (code) => {
      process.off('SIGINT', pass).off('SIGTERM', pass)
      resolve({ code: code ?? 1, output })
    })
  })
}

/** Runs a JavaScript tool with the Node that runs this script. */
export const runTool = (name: string, args: readonly string[], options: { quiet?: boolean; env?: NodeJS.ProcessEnv } = {}): Promise<Ran> =>
  run(process.execPath, [tool(name), ...args], options)
