import { ok, type Result } from '../../../shared/result.ts'
import type { Emit } from '../../kernel/events.ts'
import { secretNotStored } from '../../kernel/notice-words.ts'
import type { Secret } from '../../kernel/secret.ts'
import type { Journal, SecretOperationRow } from '../../store/journal/journal.ts'
import type { HeldSecrets } from '../../store/secrets/held-secrets.ts'
import type { KeychainFailure, SecretKind } from '../../store/secrets/secret-store.ts'

export interface TakeIn {
  /**
   * Takes a one-time secret into the keychain: written, read back, journalled STORED. When the keychain fails the secret stays in memory for
   * this run, the operation stays SENT, and the window is told; nothing is lost until the app quits (KEY-05).
   */
  store(operation: SecretOperationRow, keyId: string, secret: Secret): Promise<'keychain' | 'memory'>
  /** The same for a secret that the user still has: when the keychain fails, nothing is kept. */
  attempt(operation: SecretOperationRow, keyId: string, secret: Secret): Promise<Result<SecretOperationRow, KeychainFailure>>
  /** Tries the keychain again for a secret in memory. */
  retry(keyId: string): Promise<Result<SecretOperationRow | null, KeychainFailure>>
  /** Whether an operation's secret is in memory: it waits for the keychain, not for the service. */
  holds(operationId: string): boolean
  /** The key or webhook whose secret an operation keeps in memory; null: it keeps none. */
  keyOf(operationId: string): string | null
  /** Makes the secret of a STORED operation the one in use where the app stopped before it was. Gives whether it is. */
  resume(operation: SecretOperationRow): Promise<boolean>
}

export interface TakeInDeps {
  readonly kind: SecretKind
  readonly profileId: string
  readonly journal: Pick<Journal, 'records' | 'secretOperations'>
  readonly held: HeldSecrets
  readonly emit: Emit
}

export function createTakeIn({ kind, profileId, journal, held, emit }: TakeInDeps): TakeIn {
  const waiting = new Map<string, SecretOperationRow>()
  /** Where an operation's secret is being written, until it is the one in use. */
  const writing = kind === 'key' ? journal.records.writingKeys : journal.records.writingWebhooks
  const of = (operationId: string) => ({ profile: profileId, operationId })

  const stage = async (operation: SecretOperationRow, keyId: string, secret: Secret): Promise<Result<SecretOperationRow, KeychainFailure>> => {
    const account = held.newAccount(keyId)
    writing.write(of(operation.id), account)
    const staged = await held.stage(account, secret)
    if (!staged.ok) return staged
    const stored = journal.secretOperations.move(operation.id, 'STORED', { keyId })
    held.promote({ wallet: operation.wallet, keyId, label: operation.label, account, secret })
    writing.delete(of(operation.id))
    return ok(stored)
  }

  return {
    attempt: stage,
    store: async (operation, keyId, secret) => {
      const stored = await stage(operation, keyId, secret)
      if (stored.ok) return 'keychain'
      held.keepInMemory({ wallet: operation.wallet, keyId, label: operation.label, secret })
      waiting.set(keyId, operation)
      emit({
        type: 'notice',
        severity: 'danger',
        ...secretNotStored(operation.label),
        to: `/${kind}s/${keyId}`,
      })
      return 'memory'
    },
    retry: async (keyId) => {
      const operation = waiting.get(keyId)
      const kept = held.inMemory().find((entry) => entry.keyId === keyId)
      if (operation === undefined || kept === undefined) return ok(null)
      const stored = await stage(operation, keyId, kept.secret)
      if (stored.ok) waiting.delete(keyId)
      return stored
    },
    holds: (operationId) => [...waiting.values()].some(({ id }) => id === operationId),
    keyOf: (operationId) => [...waiting].find(([, { id }]) => id === operationId)?.[0] ?? null,
    resume: async ({ id, keyId, wallet, label }) => {
      if (keyId === null) return false
      const account = writing.read(of(id))
      if (account === null) return held.whereIs(keyId) === 'keychain'
      const secret = await held.staged(account)
      // A locked keychain tells nothing; the next start looks again.
      if (!secret.ok || secret.value === null) return false
      held.promote({ wallet, keyId, label, account, secret: secret.value })
      writing.delete(of(id))
      return true
    },
  }
}
