import { utilityProcess } from 'electron'
import type { PracticeOptions } from '../../shared/practice.ts'
import type { PracticeChild } from '../profiles/practice-process.ts'
import type { KeychainAnswer, KeychainWorker } from '../secrets/keychain-process.ts'

/** The keychain's worker as a utility process. Its output is dropped: the addon may print what it likes. */
export function forkKeychain(entry: string): KeychainWorker {
  const child = utilityProcess.fork(entry, [], { serviceName: 'Svc Desk keychain', stdio: 'ignore' })
  return {
    post: (call) => child.postMessage(call),
    onMessage: (listener) => {
      child.on('message', (message: KeychainAnswer) => listener(message))
    },
    onExit: (listener) => {
      child.once('exit', (code) => listener(String(code)))
    },
    kill: () => {
      child.kill()
    },
  }
}

/** The practice exchange, chain, relay and wallet as a utility process. */
export function forkPractice(entry: string, options: PracticeOptions): PracticeChild {
  const child = utilityProcess.fork(entry, [JSON.stringify(options)], { serviceName: 'Svc Desk practice', stdio: 'ignore' })
  return {
    onMessage: (listener) => {
      child.on('message', listener)
    },
    onExit: (listener) => {
      child.once('exit', (code) => listener(String(code)))
    },
    kill: () => {
      child.kill()
    },
  }
}
