import type { Failure } from '../../shared/ipc/failure.ts'
import type { Intent } from '../../shared/ipc/orders.ts'
import type { DelegatedTicket } from '../../shared/ipc/tickets.ts'
import type { Result } from '../../shared/result.ts'
import type { ApiClient } from '../api/api-client.ts'
import type { FieldMapBook } from '../field-map/field-map.ts'
import type { Journal } from '../journal/journal.ts'
import type { Credentials } from '../keys/credentials.ts'
import type { Markets } from '../markets/markets.ts'
import type { Orders } from '../orders/orders.ts'
import type { Panic } from '../panic/panic.ts'
import type { Emit, Every } from '../session/events.ts'
import type { ProfileFacts } from '../session/profile-facts.ts'
import type { ServiceClock } from '../session/service-clock.ts'
import type { WalletReport } from '../session/wallet.ts'

/** Has the executor of a key carry a ticket out; `keyId` null: any key that may. */
export type Execute = (order: { readonly ticket: DelegatedTicket; readonly keyId: string | null }) => Promise<Result<Intent, Failure>>

export interface SweepsDeps {
  readonly profile: ProfileFacts
  readonly api: ApiClient
  readonly journal: Pick<Journal, 'values' | 'intents'>
  readonly credentials: Pick<Credentials, 'forScope'>
  readonly wallet: WalletReport
  readonly markets: Pick<Markets, 'pricesForExit'>
  readonly orders: Pick<Orders, 'handlers'>
  readonly panic: Pick<Panic, 'handlers'>
  readonly execute: Execute
  readonly fieldMap: Pick<FieldMapBook, 'learn'>
  readonly clock: ServiceClock
  readonly emit: Emit
  readonly every: Every
  readonly newId: () => string
  /** Where the report goes; null: the user chose none. */
  readonly chooseReport: (suggested: string) => Promise<string | null>
}
