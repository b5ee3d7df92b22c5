import { z } from 'zod'
import { assumed } from '../assumptions.ts'
import { identifier, isRecord, may, must, objectReader, type Reader, readField, record, schemaOf, text, time, wholeNumber } from '../loose.ts'
import { Address, HexSignature, JsonObject, PathId, TransactionHash } from './inputs.ts'
import { pageOf } from './page.ts'

const fields = assumed.intentRecord.fields

const intent = objectReader({
  intentId: must(fields.intentId, identifier),
  action: may(fields.action, text),
  clientOrderId: may(fields.clientOrderId, text),
  /** As the service says it. */
  state: may(fields.state, text),
  txHash: may(fields.txHash, text),
  createdAtMs: may(fields.createdAt, time),
  payload: may(fields.payload, record),
})

/** A prepared intent and what became of it. */
export type IntentRecord = NonNullable<ReturnType<typeof intent>>

export const TransactionPage = pageOf<IntentRecord>(['transactions'], intent)

export const IntentAnswer = schemaOf<{ readonly intent: IntentRecord }>((value, complain) => {
  const inner = isRecord(value) ? readField(value, fields.intent) : undefined
  const found = intent(isRecord(inner) ? inner : value, complain)
  return found && { intent: found }
})

const execution = assumed.executionReport.fields
const executionFields = objectReader({
  /** As the service says it; `readFinality` of shared/signing understands the four documented values. */
  finality: may(execution.finality, text),
  confirmations: may(execution.confirmations, wholeNumber),
  blockNumber: may(execution.block, wholeNumber),
  txHash: may(execution.txHash, text),
})
export type ExecutionReport = NonNullable<ReturnType<typeof executionFields>>

const nestedIn =
  <T>(names: readonly string[], read: Reader<T>): Reader<T> =>
  (value, complain) => {
    const inner = isRecord(value) ? readField(value, names) : undefined
    return read(isRecord(inner) ? inner : value, complain)
  }

export const ExecutionReport = schemaOf<ExecutionReport>(nestedIn(execution.execution, executionFields))

const delegated = assumed.delegatedItem.fields
const delegatedStatus = objectReader({
  commandId: may(delegated.commandId, identifier),
  state: may(delegated.state, text),
  txHash: may(delegated.txHash, text),
})
export const DelegatedStatus = schemaOf(nestedIn(delegated.execution, delegatedStatus))

const delegatedAnswer = objectReader({
  /** Documented: `delegated.command_id`, `delegated.tx_hash`. Absent on `prepare_only`. */
  delegated: may(delegated.delegated, objectReader({ commandId: may(['command_id'], identifier), txHash: may(['tx_hash'], text) })),
  statusUrl: may(delegated.statusUrl, text),
})
export const DelegatedExecution = schemaOf(delegatedAnswer)

export const ExecuteRequest = z.object({ action: z.string().min(1), payload: JsonObject, prepare_only: z.boolean().optional() })

/** Documented: exactly these three. */
export const RelayRequest = z.object({ wallet: Address, intent_id: PathId, signature: HexSignature })

const relayFields = objectReader({ txHash: must(['tx_hash'], text), /** Observed: `submitted`. */ state: may(['state'], text) })
export const RelayAnswer = schemaOf(relayFields)
export type RelayAnswer = z.output<typeof RelayAnswer>

/** Documented; the allowed values of `state` are not shown. */
export const ReceiptRequest = z.object({ wallet: Address, intent_id: PathId, tx_hash: TransactionHash, state: z.string().min(1) })
