import { z } from 'zod'
import { Decimal } from '../../../../shared/ipc/reads/markets.ts'
import type { ProfileFacts } from '../../../kernel/profile-facts.ts'
import type { IntentRow } from '../../../store/journal/journal.ts'
import type { PaymentRecord } from '../../../store/records/intent-records.ts'
import { readRecord } from '../../../store/records/record.ts'
import type { Records } from '../../../store/records/registry.ts'

/** Of the journal's intents, those that are payments. */
export const paymentAction = 'execution_payment'

/** The ticket of its intent: what was asked for. */
export const PaymentTicket = z.object({ keyId: z.string(), label: z.string(), amountUsdc: Decimal })
export type PaymentTicket = z.infer<typeof PaymentTicket>

export type { PaymentRecord }

export interface PaymentRecords {
  of(ref: string): PaymentRecord | null
  save(ref: string, record: PaymentRecord): PaymentRecord
}

export function createPaymentRecords({ profile, records }: { readonly profile: ProfileFacts; readonly records: Records }): PaymentRecords {
  return {
    of: (ref) => records.payments.read({ profile: profile.id, ref }),
    save: (ref, record) => {
      records.payments.write({ profile: profile.id, ref }, record)
      return record
    },
  }
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
