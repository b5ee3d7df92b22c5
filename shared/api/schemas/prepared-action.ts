import { z } from 'zod'
import { flag, identifier, list, may, must, objectReader, type Reader, record, schemaOf, text, time } from '../loose.ts'
import { joinFields } from '../unknown-fields.ts'
import { JsonObject } from './inputs.ts'

export const PrepareRequest = z.object({ action: z.string().min(1), payload: JsonObject, permit: z.boolean().optional() })

/** Documented: one transaction for the wallet to sign and broadcast. */
export const transactionEntry = objectReader({
  kind: may(['kind'], text),
  from: may(['from'], text),
  to: may(['to'], text),
  data: may(['data'], text),
  value: may(['value'], text),
  /** Unix seconds on the wire. */
  deadlineMs: may(['deadline'], time),
})
export type TransactionEntry = NonNullable<ReturnType<typeof transactionEntry>>

/** Only the JSON value `true` counts (Flow rule 1); `"true"` and 1 do not. */
const readiness: Reader<boolean> = (value) => (typeof value === 'boolean' ? value : undefined)

const execution = objectReader({
  ready: may(['ready'], readiness),
  status: may(['status'], text),
  mode: may(['mode'], text),
  /** As received, for `parseTypedData`. Null where there is none. */
  typedData: may(['typed_data'], record),
  transactions: may(['transactions'], list(transactionEntry)),
  reason: may(['reason'], text),
  simulation: may(['simulation'], record),
  costs: may(['costs'], record),
  /** The document gives `execution.deadline` no unit: seconds and milliseconds are told apart by size (ORD-12). */
  deadlineMs: may(['deadline'], time),
})
export type Execution = NonNullable<ReturnType<typeof execution>>

const prepared = objectReader({
  intentId: must(['intent_id'], identifier),
  payload: may(['payload'], record),
  execution: must(['execution'], execution),
  expiresAtMs: may(['expires_at_ms'], time),
  idempotentReplay: may(['idempotent_replay'], flag),
})

/** Documented (Resources, Prepared action), read leniently: what to make of it is decided by `decidePrepared`. */
export const PreparedAction = schemaOf(prepared)
export type PreparedAction = z.output<typeof PreparedAction>

/** What nobody knows of a preparation: of itself, of its execution and of each of its transactions. */
export const unknownOfPrepared = ({ unknownFields, execution: { unknownFields: ofExecution, transactions } }: PreparedAction): string | null =>
  joinFields({
    '': unknownFields,
    execution: ofExecution,
    ...Object.fromEntries((transactions ?? []).map((entry, index) => [`execution.transactions.${index}`, entry.unknownFields])),
  })
