import { z } from 'zod'
import { isDecimal } from '../../decimal.ts'
import { assumed } from '../assumptions.ts'
import { decimal, fieldsReader, isRecord, list, may, type Reader, readField, schemaOf, wholeNumber } from '../loose.ts'
import { type TransactionEntry, transactionEntry } from './prepared-action.ts'

const fields = assumed.executionPayment.fields

export const ExecutionPaymentRequest = z.object({ amount_usdc: z.string().refine(isDecimal, 'not a decimal number') })

export interface ExecutionPayment {
  /** In order; more than one is more than the document speaks of. */
  readonly transactions: readonly TransactionEntry[]
  readonly chainId: number | null
  /** The amount as the service repeats it. */
  readonly amountUsdc: string | null
}

const beside = fieldsReader({ chainId: may(fields.chainId, wholeNumber), amountUsdc: may(fields.amount, decimal) })
const many = list(transactionEntry)

/** `{transaction}`, `{transactions}`, or a transaction by itself. */
const transactionsIn: Reader<TransactionEntry[]> = (value, complain) => {
  if (!isRecord(value)) return undefined
  const several = readField(value, fields.transactions)
  if (several !== undefined) return many(several, complain)
  const one = transactionEntry(readField(value, fields.transaction) ?? value, complain)
  return one === undefined || one.to === null || one.data === null ? undefined : [one]
}

export const ExecutionPayment = schemaOf<ExecutionPayment>((value, complain) => {
  const transactions = transactionsIn(value, complain)
  if (transactions === undefined) {
    complain(['transaction'], 'missing')
    return undefined
  }
  const own = beside(value, () => {})
  const inner = isRecord(value) ? beside(readField(value, fields.transaction), () => {}) : undefined
  return { transactions, chainId: inner?.chainId ?? own?.chainId ?? null, amountUsdc: own?.amountUsdc ?? null }
})
