import { endpoints } from '../../../shared/api/endpoints/all.ts'
import type { Failure } from '../../../shared/ipc/failure.ts'
import type { ImportRead } from '../../../shared/ipc/keys/keys.ts'
import type { Secret } from '../../kernel/secret.ts'
import type { ApiClient, ApiFailure, KeyCredential } from '../../service/transport/api-client.ts'

type Verdict = Extract<ImportRead, { state: 'read' }>['verdict']

export interface Trial {
  readonly verdict: Verdict
  /** The wallet that the service's answer named; null: it named none. */
  readonly wallet: string | null
  /** Ids of the requests that were made with it, newest last. */
  readonly requestIds: readonly string[]
}

export interface KeyTrial {
  /**
   * Tries a secret of which nothing is known with one reading call: the account, which names the wallet, or the status where the key may not
   * read the account. A 401 alone says that it is dead; a 403 about the address says that it exists.
   */
  run(secret: Secret, wallet: string): Promise<Trial>
}

export function createKeyTrial({ api }: { readonly api: ApiClient }): KeyTrial {
  const nothing = { params: {}, query: {}, body: undefined } as const

  return {
    run: async (secret, wallet) => {
      const credential: KeyCredential = { kind: 'key', keyId: 'import', label: null, apiKey: secret, wallet }
      const account = await api.call(endpoints.getAccount, { ...nothing, credential })
      if (account.ok) {
        const said = account.value.value.wallet
        const verdict = said !== null && said.toLowerCase() !== wallet.toLowerCase() ? 'other_wallet' : 'works'
        return { verdict, wallet: said, requestIds: ids(account.value.requestId) }
      }
      const first = ids(account.failure.requestId)
      // Authentication 4: a key without `account:read` may still read the markets.
      if (!saysForbidden(account.failure)) return { verdict: verdictOf(account.failure.failure), wallet: null, requestIds: first }
      const status = await api.call(endpoints.getStatus, { ...nothing, credential })
      if (status.ok) return { verdict: 'works', wallet: null, requestIds: [...first, ...ids(status.value.requestId)] }
      return { verdict: verdictOf(status.failure.failure), wallet: null, requestIds: [...first, ...ids(status.failure.requestId)] }
    },
  }
}

const ids = (id: string | null | undefined): string[] => (id == null ? [] : [id])

/** A 403 that is not about the address; the code of a missing scope is not shown. */
const saysForbidden = ({ failure }: ApiFailure): boolean => failure.kind === 'scope_missing' || (failure.kind === 'refused' && failure.status === 403)

function verdictOf(failure: Failure): Verdict {
  if (failure.kind === 'ip_not_allowed') return 'address'
  return failure.kind === 'refused' && failure.status === 401 ? 'dead' : 'cannot_tell'
}
