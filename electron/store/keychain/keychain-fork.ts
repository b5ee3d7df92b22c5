import { fork } from 'node:child_process'
import type { KeychainAnswer, KeychainWorker } from './keychain-process.ts'

/** The worker as a plain child of Node, where there is no Electron: `svc-desk` in a terminal, and tests. */
export function forkKeychainWorker(entry: string, env: NodeJS.ProcessEnv): KeychainWorker {
  const child = fork(entry, [], { env, stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })
  return {
    post: (call) => {
      child.send(call)
    },
    onMessage: (listener) => child.on('message', (message) => listener(message as KeychainAnswer)),
    onExit: (listener) => {
      child.once('exit', (code, signal) => listener(String(signal ?? code)))
      // It may fail more than once: a call to a worker that has just ended does.
      child.on('error', (error) => listener(error.message))
    },
    kill: () => {
      child.kill('SIGKILL')
    },
  }
}
