import type { Chain } from '../chain/chain.ts'
import type { ChainTransactions } from '../chain/transactions.ts'
import type { FieldMapBook } from '../field-map/field-map.ts'
import type { Guards } from '../guards/guards.ts'
import type { Journal } from '../journal/journal.ts'
import type { Credentials } from '../keys/credentials.ts'
import type { Markets } from '../markets/markets.ts'
import type { Pins } from '../pins/pins.ts'
import type { TokenPins } from '../pins/token-pins.ts'
import type { Emit } from '../session/events.ts'
import type { ProfileFacts } from '../session/profile-facts.ts'
import type { ServiceClock } from '../session/service-clock.ts'
import type { WalletReport } from '../session/wallet.ts'
import type { Assess } from './assessment.ts'
import type { Broadcasts } from './broadcasts.ts'
import type { IntentBook } from './intent-book.ts'
import type { NamedLocks } from './intent-lock.ts'
import type { OrderCalls } from './order-calls.ts'

/** What every part of an order's way works with. */
export interface OrderParts {
  readonly profile: ProfileFacts
  readonly journal: Journal
  readonly book: IntentBook
  readonly calls: OrderCalls
  readonly locks: NamedLocks
  readonly credentials: Credentials
  readonly wallet: WalletReport
  readonly chain: Chain
  readonly transactions: ChainTransactions
  readonly broadcasts: Broadcasts
  readonly pins: Pins
  readonly tokens: TokenPins
  readonly markets: Pick<Markets, 'market' | 'known' | 'forExit'>
  readonly guards: Pick<Guards, 'check'>
  readonly assess: Assess
  readonly fieldMap: Pick<FieldMapBook, 'names'>
  /** The service's time: deadlines are its own. */
  readonly clock: ServiceClock
  readonly emit: Emit
  readonly newId: () => string
  readonly sleep: (ms: number) => Promise<void>
}
