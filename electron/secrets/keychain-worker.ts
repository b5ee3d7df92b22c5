import { createRequire } from 'node:module'
import { guardMemory } from '../app/memory-guard.ts'
import type { KeychainAnswer, KeychainCall } from './keychain-process.ts'

/**
 * The only process that loads keytar: its addon can crash or hang. Started through Electron's `utilityProcess.fork`,
 * in tests through `child_process.fork`. Logs nothing: every message may hold a secret.
 */
interface Keytar {
  getPassword(service: string, account: string): Promise<string | null>
  setPassword(service: string, account: string, password: string): Promise<void>
  deletePassword(service: string, account: string): Promise<boolean>
}

interface ParentPort {
  on(event: 'message', listener: (event: { readonly data: unknown }) => void): void
  postMessage(message: unknown): void
}

// Not named `require`: the build puts a constant of that name into every file.
const load = createRequire(import.meta.url)

async function perform({ operation, service, account, value }: KeychainCall): Promise<string | boolean | null> {
  // Loaded at the first call, so that a missing addon or library is an answer and not a crash at the start.
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

// Electron's own name for the channel; @types/node does not know it.
const parentPort = (process as { parentPort?: ParentPort }).parentPort
if (parentPort !== undefined) parentPort.on('message', ({ data }) => void answer(data as KeychainCall).then((message) => parentPort.postMessage(message)))
else {
  process.on('message', (call: KeychainCall) => void answer(call).then((message) => process.send?.(message)))
  // The parent is gone: nobody can use the answer.
  process.on('disconnect', () => process.exit(0))
}
