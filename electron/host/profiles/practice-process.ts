import { randomInt } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Failure, PracticeUnavailable } from '../../../shared/ipc/failure.ts'
import { PracticeDescriptor, PracticeMessage, type PracticeOptions } from '../../../shared/practice.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import { minute, second } from '../../../shared/time.ts'
import type { Records } from '../../store/records/registry.ts'

/** The practice process as its parent sees it. The interface is the same for Electron’s utility process and for Node’s child process. */
export interface PracticeChild {
  onMessage(listener: (message: unknown) => void): void
  onExit(listener: (how: string) => void): void
  kill(): void
}

type PracticePart = 'chain' | 'exchange' | 'relay' | 'wallet' | 'process'

export type PracticeState =
  | { readonly state: 'off' | 'starting' }
  | { readonly state: 'running'; readonly descriptor: PracticeDescriptor }
  | { readonly state: 'failed'; readonly part: PracticePart; readonly detail: string }

export interface PracticeProcess {
  state(): PracticeState
  /** Why practice mode cannot run on this computer; null if it can. */
  unavailable(): PracticeUnavailable | null
  /** Starts the practice process if it is not running, and waits until all its parts listen. */
  start(): Promise<Result<PracticeDescriptor, Failure>>
  /** Ends the practice process. Resolves once it has ended, or after 10 s. (The process also ends when its parent ends.) */
  stop(): Promise<void>
}

export interface PracticeProcessParts {
  readonly fork: (options: PracticeOptions) => PracticeChild
  readonly options: PracticeOptions
  /** Looks for the program of the local chain. Returns why practice mode cannot run, or null. */
  readonly unavailable: () => PracticeUnavailable | null
  /** Test builds only: the descriptor file of a running practice process. The app connects to that process instead of starting one. */
  readonly attachTo: string | null
  /** Called when the practice process has ended unexpectedly. Its descriptor is then invalid, so practice mode must be started again. */
  readonly onLost: () => void
}

const startDeadlineMs = minute
/** How long `stop` waits. The practice process needs at most 8 s to end. */
const stopDeadlineMs = 10 * second

/** Manages the child process that contains the practice exchange, chain, relay and wallet. */
export function createPracticeProcess({ fork, options, unavailable: lookForChain, attachTo, onLost }: PracticeProcessParts): PracticeProcess {
  let state: PracticeState = { state: 'off' }
  let child: PracticeChild | null = null
  let starting: Promise<Result<PracticeDescriptor, Failure>> | null = null
  /** Resolves when the last practice process has ended. A new process must wait for that, because both processes would use the same folder. */
  let exited: Promise<void> = Promise.resolve()
  let why: { readonly part: PracticePart; readonly detail: string } | null = null

  const unavailable = () => (attachTo === null ? lookForChain() : null)

  const attach = async (path: string): Promise<Result<PracticeDescriptor, Failure>> => {
    try {
      return ok(PracticeDescriptor.parse(JSON.parse(await readFile(path, 'utf8'))))
    } catch (error) {
      return failed('process', error instanceof Error ? error.message : String(error))
    }
  }

  const launch = async (): Promise<Result<PracticeDescriptor, Failure>> => {
    await exited
    // `stop` was called while this start waited for the previous process to end.
    if (state.state !== 'starting') return failed('process', 'stopped')
    const { promise, resolve } = Promise.withResolvers<Result<PracticeDescriptor, Failure>>()
    const gone = Promise.withResolvers<void>()
    exited = gone.promise
    const started = fork(options)
    child = started
    why = null
    const late = setTimeout(() => {
      started.kill()
      resolve(failed('process', `not_ready ${startDeadlineMs / second}`))
    }, startDeadlineMs)
    started.onMessage((message) => {
      const parsed = PracticeMessage.safeParse(message)
      if (!parsed.success) return
      clearTimeout(late)
      if (parsed.data.type === 'ready') resolve(ok(parsed.data.descriptor))
      else {
        why = { part: parsed.data.part, detail: parsed.data.detail }
        resolve(failed(why.part, why.detail))
        started.kill()
      }
    })
    started.onExit((how) => {
      clearTimeout(late)
      gone.resolve()
      resolve(failed('process', `ended (${how})`))
      if (child !== started) return
      child = null
      if (state.state !== 'running') return
      state = { state: 'failed', ...(why ?? { part: 'process', detail: `ended (${how})` }) }
      onLost()
    })
    return promise
  }

  return {
    state: () => state,
    unavailable,
    start() {
      if (state.state === 'running') return Promise.resolve(ok(state.descriptor))
      if (starting !== null) return starting
      const missing = unavailable()
      if (missing !== null) return Promise.resolve(fail(missing))
      state = { state: 'starting' }
      starting = (attachTo === null ? launch() : attach(attachTo)).then((result) => {
        starting = null
        if (state.state === 'starting') {
          if (result.ok) state = { state: 'running', descriptor: result.value }
          else if (result.failure.kind === 'practice_failed') state = { state: 'failed', part: result.failure.part, detail: result.failure.detail }
        }
        return result
      })
      return starting
    },
    async stop() {
      const running = child
      child = null
      state = { state: 'off' }
      if (running === null) return
      running.kill()
      const { promise, resolve } = Promise.withResolvers<void>()
      const late = setTimeout(resolve, stopDeadlineMs)
      await Promise.race([exited, promise])
      clearTimeout(late)
    },
  }
}

const failed = (part: PracticePart, detail: string): { readonly ok: false; readonly failure: Failure } => fail({ kind: 'practice_failed', part, detail })

/** The random seed of the practice markets’ prices. Each computer has its own seed, which stays the same after a restart. */
export function practiceSeed({ practiceSeed: kept }: Pick<Records, 'practiceSeed'>): number {
  const seed = kept.read({}) ?? randomInt(1, 2 ** 31)
  kept.write({}, seed)
  return seed
}
