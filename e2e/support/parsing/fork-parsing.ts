import { fork } from 'node:child_process'
import { join } from 'node:path'
import type { ParsingChild } from '../../../electron/kernel/parsing/parsing.ts'

const app = join(import.meta.dirname, '../../../electron/host/processes')

/** Starts the app’s parsing process and its thread from source. `thread`: a script to use in place of the app’s thread. */
export function forkParsing(thread = join(app, 'parsing-thread.ts')): ParsingChild & { readonly pid: number | undefined } {
  const child = fork(join(app, 'parsing-worker.ts'), [thread], { serialization: 'advanced', stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })
  return {
    pid: child.pid,
    post: (call) => void child.send(call),
    onMessage: (listener) => void child.on('message', listener),
    onExit: (listener) => void child.once('exit', (code, signal) => listener(String(signal ?? code))),
    kill: () => void child.kill('SIGKILL'),
  }
}
