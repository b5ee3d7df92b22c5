import type { Emit } from '../../kernel/events.ts'
import type { ProfileFacts } from '../../kernel/profile-facts.ts'
import type { ServiceClock } from '../../service/api/vital-signs.ts'
import type { Credentials } from '../../service/credentials/credentials.ts'
import type { Journal } from '../../store/journal/journal.ts'
import type { Chain } from '../../wallet/chain/chain.ts'
import type { ChainTransactions } from '../../wallet/chain/transactions.ts'
import type { WalletReport } from '../../wallet/connection/wallet.ts'
import type { IntentCalls } from './intent-calls.ts'
import type { Broadcasts, NamedLocks } from './intent-locks.ts'
import type { IntentRepository, Shown } from './intent-repository.ts'
import type { SendingRepository } from './sending-repository.ts'

/** What the engine and all execution methods use. */
export interface EngineParts {
  readonly profile: ProfileFacts
  readonly journal: Journal
  readonly repository: IntentRepository
  readonly sendings: SendingRepository
  readonly shown: Shown
  readonly calls: IntentCalls
  readonly locks: NamedLocks
  readonly credentials: Credentials
  readonly wallet: WalletReport
  readonly chain: Chain
  readonly transactions: ChainTransactions
  readonly broadcasts: Broadcasts
  /** The service’s time. Deadlines are in the service’s time. */
  readonly clock: ServiceClock
  readonly emit: Emit
  readonly newId: () => string
  readonly sleep: (ms: number) => Promise<void>
}

/** Some of the engine’s parts, with only those calls of the service that a function makes. */
export type PartsWith<Names extends keyof EngineParts, Calls extends keyof IntentCalls> = Pick<EngineParts, Names> & {
  readonly calls: Pick<IntentCalls, Calls>
}
