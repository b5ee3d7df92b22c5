import { type UtilityProcess, utilityProcess } from 'electron'
import type { PracticeOptions } from '../../../shared/practice.ts'
import type { ParsingChild } from '../../kernel/parsing/parsing.ts'
import type { KeychainAnswer, KeychainWorker } from '../../store/keychain/keychain-process.ts'
import type { PracticeChild } from '../profiles/practice-process.ts'

/**
 * Wraps a utility process for its parent. Sends and receives messages, reports the exit, and kills the process. `Received` is not checked at run
 * time, because both processes come from the same build.
 */
const lineTo = <Received>(child: UtilityProcess) => ({
  post: (message: unknown) => child.postMessage(message),
  onMessage: (listener: (message: Received) => void) => {
    child.on('message', listener)
  },
  onExit: (listener: (how: string) => void) => {
    child.once('exit', (code) => listener(String(code)))
  },
  kill: () => {
    child.kill()
  },
})

/** Starts the keychain’s utility process. Discards its output, because the native addon may print anything. */
export const forkKeychain = (entry: string): KeychainWorker =>
  lineTo<KeychainAnswer>(utilityProcess.fork(entry, [], { serviceName: 'Svc Desk keychain', stdio: 'ignore' }))

/** Starts practice mode (exchange, chain, relay and wallet) as a utility process. */
export const forkPractice = (entry: string, options: PracticeOptions): PracticeChild =>
  lineTo<unknown>(utilityProcess.fork(entry, [JSON.stringify(options)], { serviceName: 'Svc Desk practice', stdio: 'ignore' }))

/**
 * Starts a utility process that reads one untrusted file or text. The new process gets none of this process’s environment variables, because they
 * may contain the user’s keys.
 */
export const forkParsing = (entry: string, thread: string): ParsingChild =>
  lineTo<unknown>(utilityProcess.fork(entry, [thread], { serviceName: 'Svc Desk parser', stdio: 'ignore', env: systemOnly(process.env) }))

/** The only environment variable that a parsing process gets. Windows needs it to load system libraries. */
const systemOnly = ({ SystemRoot }: NodeJS.ProcessEnv): Record<string, string> => (SystemRoot === undefined ? {} : { SystemRoot })
