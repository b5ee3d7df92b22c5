import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export const root = join(import.meta.dirname, '../..')
export const inRoot = (...parts: string[]): string => join(root, ...parts)
/** The package of each command-line tool whose name differs from its package’s name. */
const packageOfTool: Readonly<Record<string, string>> = {
  biome: '@biomejs/biome',
  depcruise: 'dependency-cruiser',
  playwright: '@playwright/test',
  tsc: 'typescript',
}

/**
 * The path of a command-line tool’s JavaScript file, from its package’s manifest. `node_modules/.bin` cannot be used, because on Windows its files
 * are not JavaScript. Throws if the package has no such tool.
 */
export function tool(name: string, modules: string = inRoot('node_modules')): string {
  const folder = join(modules, packageOfTool[name] ?? name)
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { bin?: string | Readonly<Record<string, string>> } // npm's own file
  const file = typeof bin === 'string' ? bin : bin?.[name]
  if (file === undefined) throw new Error(`${folder} has no tool ${name}`)
  return join(folder, file)
}

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
