import { z } from 'zod'
import { Decimal } from '../../../shared/ipc/reads/markets.ts'
import type { ProfileFacts } from '../../kernel/profile-facts.ts'
import type { IntentRow, Values } from '../../store/journal/journal.ts'
import { readRecord, readValue } from '../../store/journal/kept-record.ts'

/** Of the journal's intents, those that are payments. */
export const paymentAction = 'execution_payment'

/** The ticket of its intent: what was asked for. */
export const PaymentTicket = z.object({ keyId: z.string(), label: z.string(), amountUsdc: Decimal })
export type PaymentTicket = z.infer<typeof PaymentTicket>

/** What the service prepared, as read, beside its intent. */
const PaymentRecord = z.object({
  kind: z.string().nullable(),
  from: z.string().nullable(),
  to: z.string(),
  data: z.string(),
  /** As the service wrote it; null: it named none. */
  value: z.string().nullable(),
  chainId: z.number().nullable(),
  deadlineMs: z.number().nullable(),
  amountUsdc: z.string().nullable(),
  preparedAtMs: z.number(),
  requestId: z.string().nullable(),
  /** Of a payment that an earlier version followed: transactions of the wallet on the chain when it was first asked, and when it was last. */
  nonce: z.number().nullable(),
  askedAtMs: z.number().nullable(),
})
export type PaymentRecord = z.infer<typeof PaymentRecord>

export interface PaymentRecords {
  of(ref: string): PaymentRecord | null
  save(ref: string, record: PaymentRecord): PaymentRecord
}

export function createPaymentRecords({ profile, values }: { readonly profile: ProfileFacts; readonly values: Values }): PaymentRecords {
  const name = (ref: string) => `payment/${profile.id}/${ref}`
  return {
    of: (ref) => readValue(values, name(ref), PaymentRecord),
    save: (ref, record) => {
      values.set(name(ref), JSON.stringify(record))
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
