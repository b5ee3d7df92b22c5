import { type ChildProcess, fork } from 'node:child_process'
import { constants } from 'node:os'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import type { UtilityProcess as ElectronUtilityProcess, ForkOptions } from 'electron'
import type { App } from './app.ts'
import { makeEvent, notImplemented, StrictEmitter } from './strict.ts'

type Members = 'pid' | 'stdout' | 'stderr' | 'kill' | 'postMessage'

const HANDLED = new Set<string>(['env', 'execArgv', 'cwd', 'stdio', 'serviceName', 'allowLoadingUnsignedLibraries'] satisfies (keyof ForkOptions)[])

/** What a child gets in any environment: the mark of the test run, so that a child left running can be found, and the folder of a package’s resources. */
const always = (env: NodeJS.ProcessEnv) =>
  Object.fromEntries(['SVC_DESK_TEST_RUN', 'STAND_IN_RESOURCES'].flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])))

/** A child process with a structured-clone channel. It ends when the channel closes, so it always ends with its parent. */
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
    // Ignored: a child that has just ended disconnects, and writing to it fails. Only the `exit` event below reports its end.
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
    // Throws DataCloneError in the caller as Electron does, instead of later in the channel.
    const copy = structuredClone(message)
    if (this.#child.connected) this.#child.send(copy as never, () => {})
  }

  /** Returns true when the signal was sent; the `exit` event reports the end. */
  kill(): boolean {
    return this.#running && this.#child.kill('SIGTERM')
  }
}
