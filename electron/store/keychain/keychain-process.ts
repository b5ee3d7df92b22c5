import { fork, spawn } from 'node:child_process'
import { fail, ok, type Result } from '../../../shared/result.ts'
import type { Clock } from '../../../shared/time.ts'
import { createQueue } from '../../kernel/deadline.ts'
import { exitOnError, guardMemory, parentChannel } from '../../kernel/process-guard.ts'
import type { KeychainFailure, SecretStore } from '../secrets/secret-store.ts'

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

/** The keychain worker (an Electron or Node process), as its parent process sees it. */
export interface KeychainWorker {
  post(call: KeychainCall): void
  onMessage(listener: (answer: KeychainAnswer) => void): void
  /** Calls the listener when the worker ends. `how` is the worker's exit code, the signal that ended it, or an error message. */
  onExit(listener: (how: string) => void): void
  kill(): void
}

export interface KeychainProcess {
  /** Runs one call at a time, in the order of the calls. */
  call(call: Omit<KeychainCall, 'id'>): Promise<Result<string | boolean | null, KeychainFailure>>
  /** Ends the worker once all earlier calls are done, which frees its memory. The next call starts another worker. */
  rest(): Promise<void>
  close(): Promise<void>
}

export interface KeychainProcessParts {
  readonly fork: () => KeychainWorker
  /** Maximum time for a call. It is long enough for a person to unlock the keychain. */
  readonly timeoutMs: number
}

/**
 * Keeps one worker. If the worker dies or does not answer in time, the next call starts another worker.
 * The interrupted call fails with `timeout` or `unavailable`. It is not repeated, because its write may have succeeded.
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
      pending?.settle(fail({ kind: 'keychain', code: 'unavailable', detail: `process_ended ${how}` }))
    })
    return started
  }

  const perform = (call: Omit<KeychainCall, 'id'>): Promise<Result<string | boolean | null, KeychainFailure>> => {
    if (closed) return Promise.resolve(fail({ kind: 'keychain', code: 'unavailable', detail: 'closing' }))
    const { promise, resolve } = Promise.withResolvers<Result<string | boolean | null, KeychainFailure>>()
    const id = ++lastId
    const timer = setTimeout(() => {
      const hung = worker
      worker = null
      hung?.kill()
      pending?.settle(fail({ kind: 'keychain', code: 'timeout', detail: `no_answer ${call.operation} ${timeoutMs}` }))
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
      pending?.settle(fail({ kind: 'keychain', code: 'unavailable', detail: 'closing' }))
      last?.kill()
    },
  }
}

/** Derives the failure code from the text of an error, because the errors of libsecret and D-Bus have no codes. */
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

/**
 * Starts the keychain worker as a plain child process where there is no Electron: in a terminal (`svc-desk`) and in tests. `entry`: the file that
 * Node runs, or the arguments with which the packaged `svc-desk` starts itself again as the worker.
 */
export function forkKeychainWorker(entry: string | readonly string[], env: NodeJS.ProcessEnv): KeychainWorker {
  const options = { env, stdio: ['ignore', 'ignore', 'ignore', 'ipc'] as ['ignore', 'ignore', 'ignore', 'ipc'], windowsHide: true }
  const child = typeof entry === 'string' ? fork(entry, [], options) : spawn(process.execPath, entry, options)
  return {
    post: (call) => {
      child.send(call)
    },
    onMessage: (listener) => child.on('message', (message) => listener(message as KeychainAnswer)),
    onExit: (listener) => {
      child.once('exit', (code, signal) => listener(String(signal ?? code)))
      // Use `on`, not `once`: the `error` event may fire several times, for example for a call to a worker that has just ended.
      child.on('error', (error) => listener(error.message))
    },
    kill: () => {
      child.kill('SIGKILL')
    },
  }
}

interface KeychainEvidence {
  readonly state: 'ready' | 'locked' | 'unavailable'
  /** The time of the call, in ms of the monotonic clock. */
  readonly at: number
}

/** A keychain that remembers whether its last call worked. */
export interface WatchedKeychain extends SecretStore {
  /** Returns whether the keychain worked at the last call, and when; null before the first call. */
  evidence(): KeychainEvidence | null
}

/**
 * Wraps a keychain so that it remembers whether it works. Any failed call marks the keychain as not working. Only a successful write marks it as
 * ready, because a locked keychain may answer that an entry does not exist. Calls `opened` when the keychain works again after a failure.
 */
export function watchKeychain(secrets: SecretStore, clock: Clock, opened: () => void = () => {}): WatchedKeychain {
  let evidence: KeychainEvidence | null = null
  const see = async <T>(asked: Promise<Result<T, KeychainFailure>>, proves: boolean): Promise<Result<T, KeychainFailure>> => {
    const answer = await asked
    if (!answer.ok) evidence = { state: answer.failure.code === 'locked' ? 'locked' : 'unavailable', at: clock.monotonic() }
    else if (proves) {
      const before = evidence
      evidence = { state: 'ready', at: clock.monotonic() }
      if (before !== null && before.state !== 'ready') opened()
    }
    return answer
  }
  return {
    evidence: () => evidence,
    get: (account) => see(secrets.get(account), false),
    set: (account, secret) => see(secrets.set(account, secret), true),
    delete: (account) => see(secrets.delete(account), false),
    probe: () => see(secrets.probe(), true),
    close: () => secrets.close(),
  }
}

/** The functions that the worker uses from the native addon of keytar, the library for the keychain. */
export interface Keytar {
  getPassword(service: string, account: string): Promise<string | null>
  setPassword(service: string, account: string, password: string): Promise<void>
  deletePassword(service: string, account: string): Promise<boolean>
}

/**
 * Makes this process the keychain worker: the only process that loads keytar, because keytar's addon can crash or hang. Each call runs `load`, so
 * that a missing addon or library fails that call instead of the start. Logs nothing, because any message may contain a secret.
 */
export function serveKeychain(load: () => Keytar): void {
  const perform = async ({ operation, service, account, value }: KeychainCall): Promise<string | boolean | null> => {
    const keytar = load()
    switch (operation) {
      case 'get':
        return keytar.getPassword(service, account)
      case 'set':
        await keytar.setPassword(service, account, value ?? '')
        return true
      case 'delete':
        return keytar.deletePassword(service, account)
    }
  }
  const answer = async (call: KeychainCall): Promise<KeychainAnswer> => {
    try {
      return { id: call.id, value: await perform(call) }
    } catch (error) {
      return { id: call.id, error: error instanceof Error ? error.message : String(error) }
    }
  }
  guardMemory()
  // After an uncaught error, exit. The parent starts another worker at the next call.
  exitOnError(() => process.exit(1))
  const channel = parentChannel()
  channel.onMessage((call) => void answer(call as KeychainCall).then(channel.post)) // safe cast: only the parent process of the same build sends calls
}
