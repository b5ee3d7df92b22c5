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

// Not named `require`: the build adds a constant of that name to every file.
const load = createRequire(import.meta.url)

async function perform({ operation, service, account, value }: KeychainCall): Promise<string | boolean | null> {
  // Loaded at the first call, so that a missing addon or library fails that call instead of crashing at start.
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
// After an uncaught error, exit. The parent starts another worker at the next call.
exitOnError(() => process.exit(1))

const channel = parentChannel()
channel.onMessage((call) => void answer(call as KeychainCall).then(channel.post)) // only main of the same build sends calls, so the cast is safe
