// `node run-files.mjs RESULTS FILE…`: runs test files one after the other with Vitest’s own runner and matchers, but without Vite. Adds a line of JSON
// to RESULTS after each file. Vitest itself does not start on Windows’ Node under wine, because Vite’s bundler is a native program that needs a newer Windows.
import { appendFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'

const [output = '', ...files] = process.argv.slice(2)

/**
 * Vitest’s settings as in build/config/vitest.config.ts, and its defaults for those that its runner reads without Vite. The time limit for a test is a day,
 * because without Vite it follows the simulated clock of tests that have one. `startWindowsNode` ends a file that takes too long.
 */
const config = {
  root: process.cwd(),
  name: 'windows',
  testTimeout: 86_400_000,
  hookTimeout: 30_000,
  maxConcurrency: 5,
  retry: 0,
  setupFiles: [],
  tags: [],
  sequence: { hooks: 'stack', setupFiles: 'list', shuffle: false, concurrent: false, seed: 1 },
  expect: { poll: {}, requireAssertions: false },
  snapshotOptions: { updateSnapshot: 'none', expand: false },
  fakeTimers: { loopLimit: 10_000, shouldClearNativeTimers: true },
  benchmark: { enabled: false },
  experimental: { viteModuleRunner: false, importDurations: { limit: 0 } },
  chaiConfig: {},
}

// Electron’s Node has it, but not the Node that starts under wine.
Promise.try ??= (work, ...given) => new Promise((resolve) => resolve(work(...given)))

/** Errors that no test of the current file caught. */
let late = []
for (const event of ['unhandledRejection', 'uncaughtException']) process.on(event, (error) => late.push(String(error?.stack ?? error)))

// Vitest’s time limits do not keep the process running.
setInterval(() => undefined, 1_000)

Object.defineProperty(globalThis, '__vitest_worker__', {
  value: {
    config,
    ctx: { pool: 'forks', projectName: 'windows' },
    environment: { name: 'node' },
    filepath: files[0],
    providedContext: {},
    durations: { environment: 0, prepare: 0, fetch: 0 },
    rpc: { snapshotSaved: async () => undefined },
    onCancel: () => () => undefined,
    onCleanup: () => undefined,
  },
  configurable: true,
  writable: true,
})

const { TestRunner } = await import('vitest')
const { startTests } = await import('vitest/internal/browser')

class FileRunner extends TestRunner {
  trace = (_name, attributes, work) => (work ?? attributes)()
  importFile = (path) => import(pathToFileURL(path).href)
  onAfterRunSuite = async (suite) => {
    this.workerState.current = suite.suite ?? suite.file
  }
  onBeforeRunSuite = async (suite) => {
    this.workerState.current = suite
  }
  onBeforeTryTask = () => undefined
  onAfterTryTask = () => undefined
  onAfterRunFiles = () => undefined
}

const tests = (task) => (task.type === 'test' ? [task] : task.tasks.flatMap(tests))
const errors = (task) => (task.result?.errors ?? []).map((error) => error.stack ?? `${error.name}: ${error.message}`)
/** Errors of a file or of hooks around several tests. */
const suiteErrors = (task) => (task.type === 'test' ? [] : [...errors(task), ...task.tasks.flatMap(suiteErrors)])

const runner = new FileRunner(config)
for (const file of files) {
  late = []
  const [ran] = await startTests([file], runner)
  const results = tests(ran).map((task) => {
    const state = task.result?.state === 'pass' ? 'passed' : task.result?.state === 'fail' ? 'failed' : 'skipped'
    return { name: task.name, state, error: errors(task)[0] ?? null }
  })
  for (const error of [...suiteErrors(ran), ...late]) results.push({ name: '(outside of tests)', state: 'failed', error })
  appendFileSync(output, `${JSON.stringify({ file, results })}\n`)
}
process.exit(0)
