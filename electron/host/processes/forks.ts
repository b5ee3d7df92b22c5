import { type UtilityProcess, utilityProcess } from 'electron'
import type { PracticeOptions } from '../../../shared/practice.ts'
import type { ParsingChild } from '../../kernel/parsing/parsing.ts'
import type { KeychainAnswer, KeychainWorker } from '../../store/keychain/keychain-process.ts'
import type { PracticeChild } from '../profiles/practice-process.ts'

/** What every parent does with a utility process. `Received`: what the child of the same build posts. */
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

/** The keychain's worker as a utility process. Its output is dropped: the addon may print what it likes. */
export const forkKeychain = (entry: string): KeychainWorker =>
  lineTo<KeychainAnswer>(utilityProcess.fork(entry, [], { serviceName: 'Svc Desk keychain', stdio: 'ignore' }))

/** The practice exchange, chain, relay and wallet as a utility process. */
export const forkPractice = (entry: string, options: PracticeOptions): PracticeChild =>
  lineTo<unknown>(utilityProcess.fork(entry, [JSON.stringify(options)], { serviceName: 'Svc Desk practice', stdio: 'ignore' }))

/** A process that reads one file or text of others. Without this one's environment, which may hold keys of the user. */
export const forkParsing = (entry: string, thread: string): ParsingChild =>
  lineTo<unknown>(utilityProcess.fork(entry, [thread], { serviceName: 'Svc Desk parser', stdio: 'ignore', env: systemOnly(process.env) }))

/** What Windows needs to load its own libraries. */
const systemOnly = ({ SystemRoot }: NodeJS.ProcessEnv): Record<string, string> => (SystemRoot === undefined ? {} : { SystemRoot })
