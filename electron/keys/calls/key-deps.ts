import type { Failure } from '../../../shared/ipc/failure.ts'
import type { Result } from '../../../shared/result.ts'
import type { Clock } from '../../../shared/time.ts'
import type { Emit } from '../../kernel/events.ts'
import type { ProfileFacts } from '../../kernel/profile-facts.ts'
import type { Credentials } from '../../service/credentials/credentials.ts'
import type { SessionCredential } from '../../service/transport/api-client.ts'
import type { Journal } from '../../store/journal/journal.ts'
import type { SecretStore } from '../../store/secrets/secret-store.ts'
import type { WalletReport } from '../../wallet/connection/wallet.ts'
import type { KeyCalls } from './key-calls.ts'
import type { KeyList } from './key-list.ts'

/** What every part of key management works with. */
export interface KeyParts {
  readonly profile: ProfileFacts
  readonly journal: Journal
  readonly secrets: SecretStore
  readonly credentials: Credentials
  readonly calls: KeyCalls
  readonly list: KeyList
  readonly wallet: WalletReport
  /** The connected wallet's sign-in, or `no_wallet` / `sign_in_required`. */
  readonly signIn: () => Promise<Result<{ readonly session: SessionCredential; readonly wallet: string }, Failure>>
  readonly clock: Clock
  readonly emit: Emit
  /** Unguessable, 32 hexadecimal digits or more. */
  readonly newId: () => string
}
