import type { Emit } from '../../kernel/events.ts'
import type { ProfileFacts } from '../../kernel/profile-facts.ts'
import type { Markets } from '../../reads/markets/markets.ts'
import type { ServiceClock } from '../../service/api/service-clock.ts'
import type { Credentials } from '../../service/credentials/credentials.ts'
import type { FieldMapBook } from '../../service/field-names/field-map.ts'
import type { Journal } from '../../store/journal/journal.ts'
import type { Chain } from '../../wallet/chain/chain.ts'
import type { ChainTransactions } from '../../wallet/chain/transactions.ts'
import type { WalletReport } from '../../wallet/connection/wallet.ts'
import type { Pins, TokenPins } from '../../wallet/trusted-contracts/pins.ts'
import type { Broadcasts } from '../engine/broadcasts.ts'
import type { IntentBook } from '../engine/intent-book.ts'
import type { NamedLocks } from '../engine/intent-lock.ts'
import type { OrderCalls } from '../engine/order-calls.ts'
import type { Guards } from '../risk-limits/guards.ts'
import type { Assess } from './assessment.ts'

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
