import { z } from 'zod'
import { type AnswerOf, oneOf } from '../reader/answer.ts'
import { type Complain, documentedMay, documentedMust, type Fields, type Kind, type ReadContext } from '../reader/field.ts'
import { custom, flag, id, isRecord, record, text, time } from '../reader/kinds.ts'
import { readRecords } from '../reader/read-records.ts'
import { type Read, type Resource, resource } from '../reader/resource.ts'
import { joinFields } from '../unknown-fields.ts'
import { JsonObject } from './inputs.ts'
import { costsIn, simulationIn } from './preparation-costs.ts'

export const PrepareRequest = z.object({ action: z.string().min(1), payload: JsonObject, permit: z.boolean().optional() })

/** Documented: one transaction for the wallet to sign and broadcast. */
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
    /** Unix seconds on the wire. */
    deadlineMs: documentedMay(['deadline'], time),
  },
})
export type TransactionEntry = Read<typeof transactionEntry.fields>

/** Calldata may be longer than what anyone shows. */
function calldata(): Kind<string> {
  return custom('calldata', (value) => (typeof value === 'string' && value !== '' && value.length <= 1_000_000 ? value : undefined))
}

/** One record of a resource inside another's. */
export const nested = <F extends Fields, T>(of: Resource<F, T>): Kind<T> =>
  custom(
    'record',
    (value, complain, context) => (isRecord(value) ? readRecords(of, [value], context, ([, ...path], issue) => complain(path, issue)).items[0] : undefined),
    'record',
  )

/** Every item must be readable: a list with a hole in it would hide something. */
export function readAll<F extends Fields, T>(of: Resource<F, T>, value: unknown, complain: Complain, context: ReadContext): T[] | undefined {
  if (!Array.isArray(value)) return undefined
  const { items } = readRecords(of, value, context, complain)
  return items.every((item) => item !== undefined) ? items : undefined
}

/** Only the JSON value `true` counts (Flow rule 1); `"true"` and 1 do not. */
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
    /** As received, for `parseTypedData`. Null where there is none. */
    typedData: documentedMay(['typed_data'], record),
    transactions: documentedMay(
      ['transactions'],
      custom('list', (value, complain, context) => readAll(transactionEntry, value, complain, context)),
    ),
    reason: documentedMay(['reason'], text),
    simulation: documentedMay(['simulation'], record),
    costs: documentedMay(['costs'], record),
    /** The document gives `execution.deadline` no unit: seconds and milliseconds are told apart by size (ORD-12). */
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

/** Documented (Resources, Prepared action), read leniently: what to make of it is decided by `decidePrepared`. */
export const PreparedAction = oneOf(preparation)
export type PreparedAction = AnswerOf<typeof PreparedAction>

/** The unknown fields of a preparation: its own, and those of its execution, costs, simulation and transactions. */
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
