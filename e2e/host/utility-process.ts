import { type ChildProcess, fork } from 'node:child_process'
import { constants } from 'node:os'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import type { UtilityProcess as ElectronUtilityProcess, ForkOptions } from 'electron'
import type { App } from './app.ts'
import { makeEvent, notImplemented, StrictEmitter } from './strict.ts'

type Members = 'pid' | 'stdout' | 'stderr' | 'kill' | 'postMessage'

const HANDLED = new Set<string>(['env', 'execArgv', 'cwd', 'stdio', 'serviceName', 'allowLoadingUnsignedLibraries'] satisfies (keyof ForkOptions)[])

/**
 * Environment variables that every child process gets. One marks the test run, so that child processes left running can be found; the other names a
 * package’s resources.
 */
const always = (env: NodeJS.ProcessEnv) =>
  Object.fromEntries(['SVC_DESK_TEST_RUN', 'STAND_IN_RESOURCES'].flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])))

/** A child process with a channel for structured-clone messages. The child ends when the channel closes, so it never outlives its parent. */
export class UtilityProcess extends StrictEmitter implements Pick<ElectronUtilityProcess, Members> {
  static override label = 'utilityProcess'
  static override emits: ReadonlySet<string> = new Set(['spawn', 'message', 'exit', 'error'])
  readonly #child: ChildProcess
  #running = false

  constructor(app: App, modulePath: string, parameters: string[], options: ForkOptions) {
    super()
    for (const name of Object.keys(options)) if (!HANDLED.has(name)) notImplemented(`the option ${name} of utilityProcess.fork`)
    const [, out, err] = Array.isArray(options.stdio) ? options.stdio : [undefined, options.stdio ?? 'inherit', options.stdio ?? 'inherit']
    const serviceName = options.serviceName ?? 'Node Utility Process'
    this.#child = fork(fileURLToPath(new URL('./utility-boot.ts', import.meta.url)), [modulePath, ...parameters], {
      serialization: 'advanced',
      stdio: ['ignore', out ?? 'inherit', err ?? 'inherit', 'ipc'] as ('ignore' | 'inherit' | 'pipe' | 'ipc')[],
      execArgv: [...process.execArgv, ...(options.execArgv ?? [])],
      // As in Electron, the child inherits its parent’s environment by default.
      env: { ...always(process.env), ...(options.env ?? process.env) },
      ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    })
    this.#child.once('spawn', () => {
      this.#running = true
      this.emit('spawn')
    })
    this.#child.once('error', (cause) => this.emit('error', 'LaunchFailed', serviceName, cause.message))
    this.#child.on('message', (message) => this.emit('message', message))
    // Writing to a child process that has just ended fails. The error is ignored, because the `exit` event below reports the end.
    this.#child.on('disconnect', () => {})
    this.#child.once('exit', (code, signal) => {
      this.#running = false
      const exitCode = code ?? constants.signals[signal ?? 'SIGKILL']
      if (exitCode !== 0)
        app.emit('child-process-gone', makeEvent(), {
          type: 'Utility',
          reason: signal === null ? 'abnormal-exit' : 'killed',
          exitCode,
          serviceName,
          name: serviceName,
        })
      this.emit('exit', exitCode)
    })
  }

  get pid(): number | undefined {
    return this.#running ? this.#child.pid : undefined
  }

  get stdout(): Readable | null {
    return this.#child.stdout
  }

  get stderr(): Readable | null {
    return this.#child.stderr
  }

  postMessage(message: unknown, transfer: unknown[] = []): void {
    if (transfer.length > 0) notImplemented('the transfer of ports to a utility process')
    // Like Electron, throws DataCloneError in the caller if the message cannot be cloned.
    const copy = structuredClone(message)
    if (this.#child.connected) this.#child.send(copy as never, () => {})
  }

  /** Returns true if the signal was sent. The `exit` event reports when the process has ended. */
  kill(): boolean {
    return this.#running && this.#child.kill('SIGTERM')
  }
}
