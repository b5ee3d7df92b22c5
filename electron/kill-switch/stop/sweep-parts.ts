import type { Intents } from '../../intents/intents.ts'
import type { Emit, Every } from '../../kernel/events.ts'
import type { ProfileFacts } from '../../kernel/profile-facts.ts'
import type { Markets } from '../../reads/markets/markets.ts'
import type { ServiceClock } from '../../service/api/vital-signs.ts'
import type { Credentials } from '../../service/credentials/credentials.ts'
import type { FieldMapBook } from '../../service/field-names/field-map.ts'
import type { ApiClient } from '../../service/transport/api-client.ts'
import type { Journal } from '../../store/journal/journal.ts'
import type { WalletReport } from '../../wallet/connection/wallet.ts'
import type { Panic } from '../revoke-all/panic.ts'

export interface SweepsDeps {
  readonly profile: ProfileFacts
  readonly api: ApiClient
  readonly journal: Pick<Journal, 'records' | 'intents'>
  readonly credentials: Pick<Credentials, 'forScope'>
  readonly wallet: WalletReport
  readonly markets: Pick<Markets, 'pricesForExit'>
  readonly intents: Pick<Intents['handlers'], 'intents.prepare' | 'intents.prepared' | 'intents.execute'>
  readonly panic: Pick<Panic, 'handlers'>
  readonly fieldMap: Pick<FieldMapBook, 'learn'>
  readonly clock: ServiceClock
  readonly emit: Emit
  readonly every: Every
  readonly newId: () => string
  /** Where the report goes; null: the user chose none. */
  readonly chooseReport: (suggested: string) => Promise<string | null>
}
