import type { Scope } from '../../../../shared/api/scopes.ts'
import type { Failure } from '../../../../shared/ipc/failure.ts'
import { fail, type Result } from '../../../../shared/result.ts'
import type { Credentials, KeyFacts } from '../../../service/credentials/credentials.ts'
import type { KeyCredential } from '../../../service/transport/api-client.ts'

/** The first of these scopes that the key lacks. A key whose scopes nobody knows lacks none: the service decides. */
export const lackedScope = (key: KeyFacts, scopes: readonly Scope[]): Scope | null => scopes.find((scope) => key.scopes?.includes(scope) === false) ?? null

/**
 * The key that a delegated call goes with: the wished one, else one with every scope, first those that an executor is known to be bound to. Fails
 * with `api_key_required`, `scope_missing` or `keychain`. Whether an executor is bound is for the service to say: the list may be old.
 */
export async function chooseKey(
  credentials: Pick<Credentials, 'usable' | 'forKey'>,
  wallet: string,
  scopes: readonly Scope[],
  keyId: string | null,
): Promise<Result<KeyCredential, Failure>> {
  const keys = credentials.usable(wallet).filter((key) => keyId === null || key.keyId === keyId)
  const [first] = keys
  if (first === undefined) return fail({ kind: 'api_key_required', scope: scopes[0] ?? null })
  // Those of which it is known that they may come before those of which nobody knows.
  const able = keys.filter((key) => lackedScope(key, scopes) === null).sort((a, b) => Number(a.scopes === null) - Number(b.scopes === null))
  const best = able.find(({ executor }) => executor !== null) ?? able[0]
  if (best === undefined) return fail({ kind: 'scope_missing', scope: lackedScope(first, scopes) ?? 'trade:execute', keyLabel: first.label })
  return credentials.forKey(wallet, best.keyId)
}
