import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import type { WorkerMessage } from './worker.ts'

export interface CrewOptions {
  readonly workbench: string
  readonly workers: number
  readonly limitMs: number
  readonly items: readonly string[]
  onDone(item: string, result: unknown): void
  onFailed(item: string, error: string): void
  /** Aborting this signal ends the run early. Items in progress are not recorded. */
  readonly signal: AbortSignal
}

/**
 * Runs the items (test cases) of a proof in worker processes; each free worker gets the next item. Replaces a worker that fails, crashes or takes too
 * long, because its state may be damaged. Resolves when every item was run or `signal` was aborted, and all workers have ended. Rejects if a worker
 * cannot start.
 */
export async function work(options: CrewOptions): Promise<void> {
  const waiting = [...options.items]
  const one = async () => {
    while (waiting.length > 0 && !options.signal.aborted) await worker(waiting, options)
  }
  await Promise.all(Array.from({ length: Math.min(options.workers, waiting.length) }, one))
}

/** Runs one worker until no item of the proof is waiting, or until the worker fails. */
function worker(waiting: string[], { workbench, limitMs, onDone, onFailed, signal }: CrewOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    const child: ChildProcess = fork(join(import.meta.dirname, 'worker.ts'), [workbench], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
    let item: string | undefined
    let isReady = false
    let timer = setTimeout(() => child.kill('SIGKILL'), limitMs)
    const end = () => void child.kill('SIGTERM')
    const failed = (error: string) => {
      if (item !== undefined) onFailed(item, error)
      item = undefined
    }
    const next = () => {
      clearTimeout(timer)
      item = signal.aborted ? undefined : waiting.shift()
      if (item === undefined) return end()
      child.send(item)
      timer = setTimeout(() => {
        failed(`not done within ${limitMs / 1_000} s`)
        child.kill('SIGKILL')
      }, limitMs)
    }
    signal.addEventListener('abort', end, { once: true })
    child.on('message', (message: WorkerMessage) => {
      switch (message.type) {
        case 'ready':
          isReady = true
          return next()
        case 'done':
          onDone(message.item, message.result)
          return next()
        case 'failed':
          failed(message.error)
          return end()
      }
    })
    child.once('close', (code, died) => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      if (signal.aborted) return resolve()
      // The worker failed before its first test case. A replacement would fail the same way, so the whole proof fails.
      if (!isReady) return reject(new Error(`A worker ended with ${died ?? code} before it could begin`))
      failed(`its worker ended with ${died ?? code}`)
      resolve()
    })
  })
}
