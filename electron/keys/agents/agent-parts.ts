import type { Failure } from '../../../shared/ipc/failure.ts'
import type { KeySummary } from '../../../shared/ipc/keys/keys.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import type { Clock } from '../../../shared/time.ts'
import type { Emit } from '../../kernel/events.ts'
import type { ProfileFacts } from '../../kernel/profile-facts.ts'
import type { SessionCredential } from '../../service/transport/api-client.ts'
import type { Journal, Vault } from '../../store/journal/journal.ts'
import type { WalletReport } from '../../wallet/connection/wallet.ts'
import { type KeyList, toldNothing } from '../calls/key-list.ts'
import type { AgentCalls } from './agent-calls.ts'

/** What every part of a key's agent, executor and payment works with. */
export interface AgentParts {
  readonly profile: ProfileFacts
  readonly journal: Journal
  readonly vault: Vault
  readonly calls: AgentCalls
  readonly list: KeyList
  readonly wallet: WalletReport
  /** The connected wallet's sign-in, or `no_wallet` / `sign_in_required`. */
  readonly signIn: () => Promise<Result<{ readonly session: SessionCredential; readonly wallet: string }, Failure>>
  /** The service's time. */
  readonly clock: Clock
  readonly emit: Emit
  /** Unguessable, 32 hexadecimal digits or more. */
  readonly newId: () => string
}

/** A key of the wallet that is signed in. */
export interface ListedKey {
  readonly session: SessionCredential
  readonly wallet: string
  readonly key: KeySummary
}

/** A key as the service lists it, or, where its list tells nothing, as this app knows it. Fails with `no_wallet`, `sign_in_required`, `not_found`, `wrong_wallet` where the wallet changed meanwhile, or as the list does. */
export async function listedKey({ signIn, list, wallet }: Pick<AgentParts, 'signIn' | 'list' | 'wallet'>, keyId: string): Promise<Result<ListedKey, Failure>> {
  const signed = await signIn()
  if (!signed.ok) return signed
  const { session, wallet: address } = signed.value
  const listing = await list.read(session, address)
  if (!listing.ok && !toldNothing(listing.failure)) return listing
  const now = wallet.current()?.address ?? 'none'
  if (now !== address) return fail({ kind: 'wrong_wallet', wallet: now, expected: address })
  const key = listing.ok ? listing.value.keys.find(({ id }) => id === keyId) : list.known(keyId, address)
  return key == null ? fail({ kind: 'not_found', what: 'key' }) : ok({ session, wallet: address, key })
}

/** Authority is given to keys that work; what the service would say of others is said here. */
export const activeKey = (listed: ListedKey): Result<ListedKey, Failure> =>
  listed.key.status === 'revoked' || listed.key.status === 'expired' ? fail({ kind: 'wrong_state', state: listed.key.status, wanted: 'active' }) : ok(listed)

/** So long after it was sent, a request whose answer was lost can no longer arrive. */
export const lostForGoodMs = 15_000
