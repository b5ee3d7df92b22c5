import type { ExecutionPayment } from '../../../shared/api/schemas/execution-payment.ts'
import type { Failure } from '../../../shared/ipc/failure.ts'
import type { KeySummary } from '../../../shared/ipc/keys/keys.ts'
import type { Result } from '../../../shared/result.ts'
import type { Clock } from '../../../shared/time.ts'
import type { Emit } from '../../kernel/events.ts'
import type { ProfileFacts } from '../../kernel/profile-facts.ts'
import type { ApiFailure, SessionCredential } from '../../service/transport/api-client.ts'
import type { IntentRow, Journal } from '../../store/journal/journal.ts'
import { readRecord } from '../../store/journal/kept-record.ts'
import type { Chain } from '../../wallet/chain/chain.ts'
import type { ChainTransactions } from '../../wallet/chain/transactions.ts'
import type { WalletReport } from '../../wallet/connection/wallet.ts'
import type { IntentBook } from '../engine/intent-book.ts'
import type { Broadcasts } from '../transactions/broadcasts.ts'
import type { PaymentCheck } from './payment-check.ts'
import { type PaymentRecord, type PaymentRecords, PaymentTicket, paymentAction } from './payment-record.ts'

/** What every part of a payment's way works with. */
export interface PaymentParts {
  readonly profile: ProfileFacts
  readonly journal: Journal
  readonly wallet: WalletReport
  /** The service's time. */
  readonly clock: Clock
  readonly emit: Emit
  /** Unguessable, 32 hexadecimal digits or more. */
  readonly newId: () => string
  /** A key of the wallet that is signed in, and that works. Fails with `no_wallet`, `sign_in_required`, `not_found`, `wrong_wallet`, `wrong_state`. */
  readonly activeKey: (keyId: string) => Promise<Result<PayingKey, Failure>>
  /** Asks the service to prepare a payment; `ref` is its idempotency key. */
  readonly request: (session: SessionCredential, keyId: string, amountUsdc: string, ref: string) => Promise<Result<Told<ExecutionPayment>, ApiFailure>>
  readonly book: IntentBook
  readonly records: PaymentRecords
  readonly checks: PaymentCheck
  readonly chain: Pick<Chain, 'hasCode' | 'blockNumber'>
  readonly transactions: ChainTransactions
  readonly broadcasts: Broadcasts
}

/** The service's answer, and the id under which it can be asked about. */
export interface Told<T> {
  readonly value: T
  readonly requestId: string | null
}

export interface PayingKey {
  readonly session: SessionCredential
  readonly wallet: string
  readonly key: KeySummary
}

/** A payment of the journal: its intent, what was asked for, and what the service prepared. */
export interface Payment {
  readonly row: IntentRow
  readonly ticket: PaymentTicket
  /** null: the service has not answered. */
  readonly record: PaymentRecord | null
}

export const isPayment = ({ action }: { readonly action: string }): boolean => action === paymentAction

/** null: what was asked for is damaged. */
export function paymentOf(row: IntentRow, records: PaymentRecords): Payment | null {
  const ticket = readRecord(PaymentTicket, row.ticket)
  return ticket === null ? null : { row, ticket, record: records.of(row.ref) }
}

/** Queries that a payment's move makes old, beside those of the intent book. */
export const paymentQueries = ['agents.payments', 'agents.payment'] as const
