import { z } from 'zod'
import { isDecimal } from '../../decimal.ts'
import { type AnswerOf, answerReader, oneOf } from '../reader/answer.ts'
import { type Complain, documentedMay, documentedMust, type Fields, type Kind, may, type ReadContext } from '../reader/field.ts'
import { anything, count, custom, fee, flag, id, isRecord, record, text, time, usdc } from '../reader/kinds.ts'
import { readRecords } from '../reader/read-records.ts'
import { type Read, type Resource, resource } from '../reader/resource.ts'
import { unwrap } from '../reader/unwrap.ts'
import { joinFields } from '../unknown-fields.ts'
import { simulatedFields } from './markets/risk-preview.ts'
import { names } from './name-lists.ts'
import { JsonObject } from './page.ts'

export const PrepareRequest = z.object({ action: z.string().min(1), payload: JsonObject, permit: z.boolean().optional() })

/** One transaction for the wallet to sign and broadcast, with the fields that the API document shows. */
export const transactionEntry = resource({
  name: 'transaction_entry',
  words: ['transaction'],
  sentence: null,
  source: '',
  fields: {
    kind: documentedMay(['kind'], text),
    from: documentedMay(['from'], text),
    to: documentedMay(['to'], text),
    data: documentedMay(['data'], calldata()),
    value: documentedMay(['value'], text),
    /** The transaction's deadline. The service sends Unix seconds. */
    deadlineMs: documentedMay(['deadline'], time),
  },
})
export type TransactionEntry = Read<typeof transactionEntry.fields>

/** Text without the usual length limit. Calldata may be longer than any text that the app shows. */
function calldata(): Kind<string> {
  return custom('calldata', (value) => (typeof value === 'string' && value !== '' && value.length <= 1_000_000 ? value : undefined))
}

/** Reads a record that is nested inside another resource's record. */
export const nested = <F extends Fields, T>(of: Resource<F, T>): Kind<T> =>
  custom(
    'record',
    (value, complain, context) => (isRecord(value) ? readRecords(of, [value], context, ([, ...path], issue) => complain(path, issue)).items[0] : undefined),
    'record',
  )

/** Reads either all items of a list or none, because a list with a gap would hide an item. */
export function readAll<F extends Fields, T>(of: Resource<F, T>, value: unknown, complain: Complain, context: ReadContext): T[] | undefined {
  if (!Array.isArray(value)) return undefined
  const { items } = readRecords(of, value, context, complain)
  return items.every((item) => item !== undefined) ? items : undefined
}

/** Accepts only a JSON boolean, because the app may sign only if `ready` is exactly `true` (Flow rule 1), and not for `"true"` or 1. */
const readiness: Kind<boolean> = custom('flag', (value) => (typeof value === 'boolean' ? value : undefined))

const execution = resource({
  name: 'preparation_execution',
  words: ['execution'],
  sentence: null,
  source: '',
  fields: {
    ready: documentedMay(['ready'], readiness),
    status: documentedMay(['status'], text),
    mode: documentedMay(['mode'], text),
    /** The typed data as received, for `parseTypedData`; null if there is none. */
    typedData: documentedMay(['typed_data'], record),
    transactions: documentedMay(
      ['transactions'],
      custom('list', (value, complain, context) => readAll(transactionEntry, value, complain, context)),
    ),
    reason: documentedMay(['reason'], text),
    simulation: documentedMay(['simulation'], record),
    costs: documentedMay(['costs'], record),
    /**
     * The API document does not state the unit of `execution.deadline`. The number's size shows whether it is in seconds or milliseconds (ORD-12).
     */
    deadlineMs: documentedMay(['deadline'], time),
  },
})
export type Execution = Read<typeof execution.fields>

export const preparation = resource({
  name: 'preparation',
  words: ['preparation', 'prepared'],
  sentence: null,
  source: '',
  fields: {
    intentId: documentedMust(['intent_id'], id),
    payload: documentedMay(['payload'], record),
    execution: documentedMust(['execution'], nested(execution)),
    expiresAtMs: documentedMay(['expires_at_ms'], time),
    idempotentReplay: documentedMay(['idempotent_replay'], flag),
  },
})

/**
 * The service's answer to a prepare call, with the fields that the API document shows (Resources, Prepared action). Reading is lenient;
 * `decidePrepared` then decides whether the app may continue.
 */
export const PreparedAction = oneOf(preparation)
export type PreparedAction = AnswerOf<typeof PreparedAction>

/** Returns the unknown fields of a preparation, including those of its execution, costs, simulation and transactions. */
export const unknownOfPrepared = ({
  unknownFields,
  execution: { unknownFields: ofExecution, transactions, costs, simulation },
}: PreparedAction): string | null =>
  joinFields({
    '': unknownFields,
    execution: ofExecution,
    'execution.costs': costsIn(costs)?.unknownFields ?? null,
    'execution.simulation': simulationIn(simulation)?.unknownFields ?? null,
    ...Object.fromEntries((transactions ?? []).map((entry, index) => [`execution.transactions.${index}`, entry.unknownFields])),
  })

const source = 'Resources, execution: fields inside `simulation` and `costs` not shown'

/** The costs in a prepared action, in USDC. */
export const preparationCosts = resource({
  name: 'preparation_costs',
  words: ['cost'],
  sentence: 'The costs and the simulation of a preparation are objects of named decimals; those that this app does not know are shown as they came.',
  source,
  fields: {
    network: may(names.network, fee),
    tradingFee: may(names.tradingFee, fee),
    chargedFrom: may(['charged_from', 'paid_from', 'source'], text),
  },
})

const preparationSimulation = resource({
  name: 'preparation_simulation',
  words: ['simulation'],
  sentence: null,
  source,
  fields: { ...simulatedFields, tradingFee: may(names.tradingFee, fee) },
})

type Source = Readonly<Record<string, unknown>> | null

/** Reads the costs; null if the answer contains none. */
export const costsIn = (costs: Source): Read<typeof preparationCosts.fields> | null =>
  costs === null ? null : (readRecords(preparationCosts, [costs], {}, () => {}).items[0] ?? null)

/** Reads the simulation; null if the answer contains none. */
export const simulationIn = (simulation: Source): Read<typeof preparationSimulation.fields> | null =>
  simulation === null ? null : (readRecords(preparationSimulation, [simulation], {}, () => {}).items[0] ?? null)

export const ExecutionPaymentRequest = z.object({ amount_usdc: z.string().refine(isDecimal, 'not a decimal number') })

export interface ExecutionPayment {
  /** Transactions in the order to send them. The API document mentions only a single transaction. */
  readonly transactions: readonly TransactionEntry[]
  readonly chainId: number | null
  /** The amount as the service repeats it in its answer. */
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

/** Reads `{transaction}`, `{transactions}`, or a bare transaction. */
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
