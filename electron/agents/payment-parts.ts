import type { Chain } from '../chain/chain.ts'
import type { ChainTransactions } from '../chain/transactions.ts'
import type { IntentRow } from '../journal/journal.ts'
import { readRecord } from '../journal/kept-record.ts'
import type { Broadcasts } from '../orders/broadcasts.ts'
import type { IntentBook } from '../orders/intent-book.ts'
import type { AgentParts } from './agent-parts.ts'
import type { PaymentCheck } from './payment-check.ts'
import { type PaymentRecord, type PaymentRecords, PaymentTicket, paymentAction } from './payment-record.ts'

/** What every part of a payment's way works with. */
export interface PaymentParts extends AgentParts {
  readonly book: IntentBook
  readonly records: PaymentRecords
  readonly checks: PaymentCheck
  readonly chain: Pick<Chain, 'hasCode' | 'blockNumber'>
  readonly transactions: ChainTransactions
  readonly broadcasts: Broadcasts
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
