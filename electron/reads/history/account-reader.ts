import type { Failure } from '../../../shared/ipc/failure.ts'
import type { AccountSource } from '../../../shared/ipc/reads/account-history.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import type { Credentials } from '../../service/credentials/credentials.ts'
import type { ApiAnswer, ApiFailure, KeyCredential } from '../../service/transport/api-client.ts'
import type { WalletReport } from '../../wallet/connection/wallet.ts'
import { keyRefused } from '../markets/market-reads.ts'
import type { WatchList } from './watch-list.ts'

/** An account to read: that of the connected wallet or of a watched wallet. Their data stays separate, even if both have the same address. */
export interface Subject {
  /** The wallet's address, with the capital letters of its checksum. */
  readonly wallet: string
  /** The name that the user gave to a watched wallet; `null` for the connected wallet. */
  readonly watchedAs: string | null
}

export interface Sourced<T> {
  readonly value: T
  readonly source: AccountSource
  readonly readAtMs: number
}

type Ask<C, T> = (credential: C) => Promise<Result<ApiAnswer<T>, ApiFailure>>

export interface AccountReader {
  /**
   * Returns the account to read: the connected wallet if `watch` is `null`, else the watched wallet with that address. Fails with `no_wallet`,
   * `wrong_wallet`, or `not_found` for an address that is not watched.
   */
  subject(watch: string | null): Result<Subject, Failure>
  /**
   * Reads with a key of the connected wallet. Uses the public route if no key has the needed scope, and always for a watched wallet (Unversioned
   * public routes: read-only views of any wallet).
   * Drops an answer that arrives after the user switched wallets.
   */
  read<T>(subject: Subject, versioned: Ask<KeyCredential, T>, twin: Ask<null, T>): Promise<Result<Sourced<T>, Failure>>
}

export function createAccountReader({
  credentials,
  wallet,
  watched,
}: {
  readonly credentials: Pick<Credentials, 'forScope'>
  readonly wallet: WalletReport
  readonly watched: WatchList
}): AccountReader {
  async function publicly<T>(twin: Ask<null, T>, why: Failure | null): Promise<Result<Sourced<T>, Failure>> {
    const answer = await twin(null)
    return answer.ok ? ok({ value: answer.value.value, source: { route: 'public', why }, readAtMs: answer.value.receivedAtMs }) : fail(answer.failure.failure)
  }

  async function own<T>(address: string, versioned: Ask<KeyCredential, T>, twin: Ask<null, T>): Promise<Result<Sourced<T>, Failure>> {
    const credential = await credentials.forScope(address, 'account:read')
    if (!credential.ok) return publicly(twin, credential.failure)
    const answer = await versioned(credential.value)
    if (answer.ok)
      return ok({ value: answer.value.value, source: { route: 'versioned', keyLabel: credential.value.label }, readAtMs: answer.value.receivedAtMs })
    const { failure } = answer.failure
    return keyRefused(failure) ? publicly(twin, failure) : fail(failure)
  }

  return {
    subject: (watch) => {
      if (watch !== null) {
        const found = watched.find(watch)
        return found === null ? fail({ kind: 'not_found', what: 'watched wallet' }) : ok({ wallet: found.address, watchedAs: found.name })
      }
      const connected = wallet.connected()
      return connected.ok ? ok({ wallet: connected.value.address, watchedAs: null }) : connected
    },
    read: async ({ wallet: address, watchedAs }, versioned, twin) => {
      if (watchedAs !== null) return publicly(twin, null)
      const answer = await own(address, versioned, twin)
      const now = wallet.current()?.address ?? 'none'
      return now === address ? answer : fail({ kind: 'wrong_wallet', wallet: now, expected: address })
    },
  }
}
