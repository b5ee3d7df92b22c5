import { fail, ok, type Result } from '../../../shared/result.ts'
import { createQueue } from '../../kernel/queue.ts'
import type { KeychainFailure } from '../secrets/secret-store.ts'

export interface KeychainCall {
  readonly id: number
  readonly operation: 'get' | 'set' | 'delete'
  readonly service: string
  readonly account: string
  readonly value: string | null
}

export interface KeychainAnswer {
  readonly id: number
  readonly value?: string | boolean | null
  readonly error?: string
}

/** The worker as its parent sees it, however it was forked. */
export interface KeychainWorker {
  post(call: KeychainCall): void
  onMessage(listener: (answer: KeychainAnswer) => void): void
  /** `how` says with which code or signal it ended. */
  onExit(listener: (how: string) => void): void
  kill(): void
}

export interface KeychainProcess {
  /** One call at a time, in the order of asking. */
  call(call: Omit<KeychainCall, 'id'>): Promise<Result<string | boolean | null, KeychainFailure>>
  /** Ends the worker after what was asked before, and its memory with it; the next call starts another. */
  rest(): Promise<void>
  close(): Promise<void>
}

export interface KeychainProcessParts {
  readonly fork: () => KeychainWorker
  /** Long enough for a person to unlock the keychain. */
  readonly timeoutMs: number
}

/**
 * Keeps one worker alive. One that does not answer in time, or dies, is replaced at the next call; the call that met it
 * fails with `timeout` or `unavailable`, and is not repeated: a write may have been taken.
 */
export function createKeychainProcess({ fork, timeoutMs }: KeychainProcessParts): KeychainProcess {
  const queue = createQueue()
  let worker: KeychainWorker | null = null
  let pending: { readonly id: number; readonly settle: (result: Result<string | boolean | null, KeychainFailure>) => void } | null = null
  let lastId = 0
  let closed = false

  const start = (): KeychainWorker => {
    const started = fork()
    started.onMessage((answer) => {
      if (worker !== started || pending?.id !== answer.id) return
      pending.settle(answer.error === undefined ? ok(answer.value ?? null) : fail({ kind: 'keychain', code: codeOf(answer.error), detail: answer.error }))
    })
    started.onExit((how) => {
      if (worker !== started) return
      worker = null
      pending?.settle(fail({ kind: 'keychain', code: 'unavailable', detail: `The keychain process ended (${how}).` }))
    })
    return started
  }

  const perform = (call: Omit<KeychainCall, 'id'>): Promise<Result<string | boolean | null, KeychainFailure>> => {
    if (closed) return Promise.resolve(fail({ kind: 'keychain', code: 'unavailable', detail: 'The app is closing.' }))
    const { promise, resolve } = Promise.withResolvers<Result<string | boolean | null, KeychainFailure>>()
    const id = ++lastId
    const timer = setTimeout(() => {
      const hung = worker
      worker = null
      hung?.kill()
      pending?.settle(fail({ kind: 'keychain', code: 'timeout', detail: `No answer to ${call.operation} within ${timeoutMs} ms.` }))
    }, timeoutMs)
    pending = {
      id,
      settle: (result) => {
        clearTimeout(timer)
        pending = null
        resolve(result)
      },
    }
    try {
      worker ??= start()
      worker.post({ id, ...call })
    } catch (error) {
      worker = null
      pending.settle(fail({ kind: 'keychain', code: 'unavailable', detail: error instanceof Error ? error.message : String(error) }))
    }
    return promise
  }

  return {
    call: (call) => queue(() => perform(call)),
    rest: () =>
      queue(async () => {
        const last = worker
        worker = null
        last?.kill()
      }),
    async close() {
      closed = true
      const last = worker
      worker = null
      pending?.settle(fail({ kind: 'keychain', code: 'unavailable', detail: 'The app is closing.' }))
      last?.kill()
    },
  }
}

/** libsecret's and the bus's own words: there are no codes. */
function codeOf(message: string): KeychainFailure['code'] {
  if (/locked|dismissed|does not exist at path/i.test(message)) return 'locked'
  if (/timeout/i.test(message)) return 'timeout'
  if (
    /autolaunch|dbus-launch|could not connect|not provided by any|ServiceUnknown|was closed|cannot find module|cannot open shared object|no such interface/i.test(
      message,
    )
  )
    return 'unavailable'
  return 'failed'
}
