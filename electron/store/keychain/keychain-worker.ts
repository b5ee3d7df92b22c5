import { createRequire } from 'node:module'
import { exitOnError, guardMemory, parentChannel } from '../../kernel/process-guard.ts'
import type { KeychainAnswer, KeychainCall } from './keychain-process.ts'

/**
 * This file is the keychain worker: the only process that loads keytar, because keytar's addon can crash or hang.
 * The app starts it with Electron's `utilityProcess.fork`, tests with `child_process.fork`. It logs nothing, because any message may contain a
 * secret.
 */
interface Keytar {
  getPassword(service: string, account: string): Promise<string | null>
  setPassword(service: string, account: string, password: string): Promise<void>
  deletePassword(service: string, account: string): Promise<boolean>
}

// Do not name this function `require`: the build adds a constant of that name to every file.
const load = createRequire(import.meta.url)

async function perform({ operation, service, account, value }: KeychainCall): Promise<string | boolean | null> {
  // Load keytar at the first call. If its addon or a library is missing, that call fails instead of the whole process.
  const keytar = load('keytar') as Keytar
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

async function answer(call: KeychainCall): Promise<KeychainAnswer> {
  try {
    return { id: call.id, value: await perform(call) }
  } catch (error) {
    return { id: call.id, error: error instanceof Error ? error.message : String(error) }
  }
}

guardMemory()
// Exit after an uncaught error. The parent process starts another worker at the next call.
exitOnError(() => process.exit(1))

const channel = parentChannel()
channel.onMessage((call) => void answer(call as KeychainCall).then(channel.post)) // The cast is safe: only the main process of the same build sends calls.
