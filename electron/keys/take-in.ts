import { ok, type Result } from '../../shared/result.ts'
import type { SecretOperationRow } from '../journal/journal.ts'
import type { Secret } from '../secrets/secret.ts'
import type { KeychainFailure } from '../secrets/secret-store.ts'
import type { KeyParts } from './key-deps.ts'

export interface TakeIn {
  /**
   * Takes a one-time secret into the keychain: written, read back, journalled STORED. When the keychain fails the secret stays in memory for
   * this run, the operation stays SENT, and the window is told; nothing is lost until the app quits (KEY-05).
   */
  store(operation: SecretOperationRow, keyId: string, secret: Secret): Promise<'keychain' | 'memory'>
  /** Tries the keychain again for a secret in memory. */
  retry(keyId: string): Promise<Result<SecretOperationRow | null, KeychainFailure>>
  /** Whether an operation's secret is in memory: it waits for the keychain, not for the service. */
  holds(operationId: string): boolean
}

export function createTakeIn({ journal, credentials, emit }: KeyParts): TakeIn {
  const waiting = new Map<string, SecretOperationRow>()

  const stage = async (operation: SecretOperationRow, keyId: string, secret: Secret): Promise<Result<SecretOperationRow, KeychainFailure>> => {
    const account = credentials.newAccount(keyId, operation.id)
    const staged = await credentials.stage(account, secret)
    if (!staged.ok) return staged
    const stored = journal.secretOperations.move(operation.id, 'STORED', { keyId })
    credentials.promote({ wallet: operation.wallet, keyId, label: operation.label, account, secret })
    return ok(stored)
  }

  return {
    store: async (operation, keyId, secret) => {
      const stored = await stage(operation, keyId, secret)
      if (stored.ok) return 'keychain'
      credentials.keepInMemory({ wallet: operation.wallet, keyId, label: operation.label, secret })
      waiting.set(keyId, operation)
      emit({
        type: 'notice',
        severity: 'danger',
        title: `The keychain did not take the secret of ${operation.label}`,
        text: 'It is kept in memory until the app quits. Copy it or store it again.',
        to: `/keys/${keyId}`,
      })
      return 'memory'
    },
    retry: async (keyId) => {
      const operation = waiting.get(keyId)
      const held = credentials.inMemory().find((entry) => entry.keyId === keyId)
      if (operation === undefined || held === undefined) return ok(null)
      const stored = await stage(operation, keyId, held.secret)
      if (stored.ok) waiting.delete(keyId)
      return stored
    },
    holds: (operationId) => [...waiting.values()].some(({ id }) => id === operationId),
  }
}
