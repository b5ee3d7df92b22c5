import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { inRoot, root } from '../project.ts'
import { fetchWineNode, wineNode } from '../setup/node.mjs'

export interface TestResult {
  readonly name: string
  readonly state: 'passed' | 'failed' | 'skipped'
  /** The error of a failed test; null otherwise. */
  readonly error: string | null
}

interface WindowsNode {
  readonly name: string
  /**
   * Runs test files in one process, and those that the process did not finish again, each in one of its own. `files`: relative to the project. `ran`:
   * called for each file.
   */
  run(files: readonly string[], ran: (file: string, results: readonly TestResult[]) => void): Promise<void>
  stop(): Promise<void>
}

/** Time limit in ms for one test file. */
const fileMs = 180_000
const runner = 'build/scripts/windows/run-files.mjs'

/** Starts Windows’ Node: the Node of this script on Windows, otherwise one under wine with a wine folder of its own. */
export async function startWindowsNode(): Promise<WindowsNode> {
  const results = inRoot('out/windows/results')
  rmSync(results, { recursive: true, force: true })
  mkdirSync(results, { recursive: true })
  const onWindows = process.platform === 'win32'
  const wine = onWindows ? null : await startWine()
  const given = (path: string) => (wine === null ? path : `Z:${path.replaceAll('/', '\\')}`)
  const [program, before] = wine === null ? [process.execPath, []] : ['wine', [join(fetchWineNode(), 'bin/node.exe')]]
  let number = 0
  const start = async (files: readonly string[]): Promise<{ readonly done: ReadonlyMap<string, readonly TestResult[]>; readonly said: string }> => {
    number += 1
    const output = join(results, `${number}.jsonl`)
    const words = [...before, '--disable-warning=ExperimentalWarning', runner, given(output), ...files.map((file) => given(join(root, file)))]
    // A file, because services that wine starts would keep a pipe open.
    const errors = join(results, `${number}.txt`)
    const file = openSync(errors, 'w')
    const child = spawn(program, words, { cwd: root, env: { ...process.env, ...wine?.env }, stdio: ['ignore', 'ignore', file] })
    closeSync(file)
    const late = setTimeout(() => child.kill('SIGKILL'), fileMs * files.length)
    const [code] = (await once(child, 'exit')) as [number | null]
    clearTimeout(late)
    const lines = existsSync(output) ? readFileSync(output, 'utf8').trimEnd().split('\n') : []
    // safe cast: `run-files.mjs` writes these lines
    const found = lines.map((text) => JSON.parse(text) as { readonly file: string; readonly results: readonly TestResult[] })
    const done = new Map(files.flatMap((file) => found.filter((one) => one.file === given(join(root, file))).map(({ results: its }) => [file, its] as const)))
    return { done, said: `ended with code ${code}\n${readFileSync(errors, 'utf8')}` }
  }
  return {
    name: wine === null ? `Node ${process.versions.node} on Windows` : `Windows’ Node ${wineNode.version} on ${wine.version}`,
    async run(files, ran) {
      const { done } = await start(files)
      for (const [file, its] of done) ran(file, its)
      for (const file of files) {
        if (done.has(file)) continue
        const alone = await start([file])
        ran(file, alone.done.get(file) ?? [{ name: '(the whole file)', state: 'failed', error: alone.said }])
      }
    },
    stop: async () => wine?.stop(),
  }
}

interface Wine {
  readonly version: string
  readonly env: NodeJS.ProcessEnv
  stop(): Promise<void>
}

/** Starts a wine server for a folder of this project. The server, and with it every program in the folder, ends with `stop`. */
async function startWine(): Promise<Wine> {
  const found = spawnSync('wine', ['--version'], { encoding: 'utf8' })
  if (found.status !== 0) {
    process.stderr.write('`npm run windows` needs wine: on Debian, install the packages wine and wine64.\n')
    process.exit(1)
  }
  const prefix = inRoot('out/windows/prefix')
  mkdirSync(prefix, { recursive: true })
  const env = { WINEPREFIX: prefix, WINEDEBUG: '-all', DISPLAY: '' }
  const server = spawn('wineserver', ['--foreground', '--persistent'], { env: { ...process.env, ...env }, stdio: 'ignore' })
  const ended = once(server, 'exit')
  const stop = async () => {
    if (server.exitCode !== null || server.signalCode !== null) return
    // Unlike a signal, this ends the services that wine started, too.
    spawnSync('wineserver', ['--kill'], { env: { ...process.env, ...env }, stdio: 'ignore' })
    await ended
  }
  // Node refuses to start on the version of Windows that wine reports by default.
  const set = spawnSync('wine', ['reg', 'add', String.raw`HKCU\Software\Wine`, '/v', 'Version', '/d', 'win10', '/f'], {
    env: { ...process.env, ...env },
    stdio: 'ignore',
  })
  if (set.status !== 0) {
    await stop()
    throw new Error(`wine could not be set up: its command reg ended with ${set.status}`)
  }
  if (server.exitCode !== null) {
    process.stderr.write('Another `npm run windows` uses the wine folder of this project. Wait for it to end.\n')
    process.exit(1)
  }
  return { version: found.stdout.trim().split('\n')[0] ?? 'wine', env, stop }
}
