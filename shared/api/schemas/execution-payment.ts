import { z } from 'zod'
import { isDecimal } from '../../decimal.ts'
import { answerReader, oneOf } from '../reader/answer.ts'
import { type Complain, may, type ReadContext } from '../reader/field.ts'
import { anything, count, isRecord, usdc } from '../reader/kinds.ts'
import { readRecords } from '../reader/read-records.ts'
import { resource } from '../reader/resource.ts'
import { unwrap } from '../reader/unwrap.ts'
import { readAll, type TransactionEntry, transactionEntry } from './prepared-action-resources.ts'

export const ExecutionPaymentRequest = z.object({ amount_usdc: z.string().refine(isDecimal, 'not a decimal number') })

export interface ExecutionPayment {
  /** In order; more than one is more than the document speaks of. */
  readonly transactions: readonly TransactionEntry[]
  readonly chainId: number | null
  /** The amount as the service repeats it. */
  readonly amountUsdc: string | null
}

export const payment = resource({
  name: 'execution_payment',
  words: ['payment', 'execution'],
  sentence:
    'execution-payment takes an amount as `amount_usdc` and answers one transaction of the documented shape under `transaction`; token and spender may be named beside it.',
  source: 'Developer routes: execution-payment, request and answer not shown',
  fields: {
    transactions: may(['transactions', 'txs'], anything),
    transaction: may(['transaction', 'tx', 'call', 'transaction_request'], anything),
    chainId: may(['chain_id', 'network_id', 'chain'], count),
    amountUsdc: may(['amount_usdc', 'amount', 'payment_usdc'], usdc),
  },
})

/** `{transaction}`, `{transactions}`, or a transaction by itself. */
function transactionsIn(
  source: unknown,
  found: { readonly transactions: unknown; readonly transaction: unknown },
  complain: Complain,
  context: ReadContext,
): TransactionEntry[] | undefined {
  const several = [found.transactions, found.transaction].find(Array.isArray)
  if (several !== undefined) return readAll(transactionEntry, several, complain, context)
  const [one] = readRecords(transactionEntry, [isRecord(found.transaction) ? found.transaction : source], context, () => {}).items
  return one === undefined || one.to === null || one.data === null ? undefined : [one]
}

export const ExecutionPayment = answerReader<ExecutionPayment>(
  (json, complain, context) => {
    const { inner } = unwrap(json, ['payment'], payment.matcher)
    const [own] = readRecords(payment, [inner], context, () => {}).items
    const transactions = own && transactionsIn(inner, own, complain, context)
    if (transactions === undefined) {
      complain(['transaction'], 'missing')
      return undefined
    }
    const [within] = isRecord(own?.transaction) ? readRecords(payment, [own.transaction], context, () => {}).items : []
    return { transactions, chainId: within?.chainId ?? own?.chainId ?? null, amountUsdc: own?.amountUsdc ?? null }
  },
  (json, fieldMap) => oneOf(payment).inspect(json, fieldMap),
)
