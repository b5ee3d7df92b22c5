import { z } from 'zod'
import { assumed } from '../assumptions.ts'
import { identifier, isRecord, list, may, must, objectReader, type Reader, readField, record, schemaOf, text, time, wholeNumber } from '../loose.ts'
import { joinFields } from '../unknown-fields.ts'
import { Address, HexSignature, JsonObject, PathId, TransactionHash } from './inputs.ts'
import { pageOf } from './page.ts'

const fields = assumed.intentRecord.fields

const intent = objectReader({
  intentId: must(fields.intentId, identifier),
  action: may(fields.action, text),
  clientOrderId: may(fields.clientOrderId, text),
  /** As the service says it. */
  state: may(fields.state, text),
  /** Why it did not go through. */
  reason: may(fields.reason, text),
  txHash: may(fields.txHash, text),
  /** The key that asked for it, by its id or label. */
  keyId: may(assumed.tradeRecord.fields.keyId, identifier),
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
const delegatedResult = objectReader({
  /** From 0, as in the batch; null: its place in the list says it. */
  index: may(delegated.index, wholeNumber),
  action: may(delegated.action, text),
  state: may(delegated.state, text),
  reason: may(delegated.reason, text),
  orderId: may(delegated.orderId, identifier),
  positionId: may(delegated.positionId, identifier),
})
const delegatedStatus = objectReader({
  commandId: may(delegated.commandId, identifier),
  /** As the service says it. */
  state: may(delegated.state, text),
  reason: may(delegated.reason, text),
  txHash: may(delegated.txHash, text),
  results: may(delegated.results, list(delegatedResult)),
})
export type DelegatedStatus = NonNullable<ReturnType<typeof delegatedStatus>>
export const DelegatedStatus = schemaOf<DelegatedStatus>(nestedIn(delegated.execution, delegatedStatus))

/** What nobody knows of a status: of itself and of each of its results. */
export const unknownOfDelegated = ({ unknownFields, results }: DelegatedStatus): string | null =>
  joinFields({ '': unknownFields, ...Object.fromEntries((results ?? []).map((result, index) => [`results.${index}`, result.unknownFields])) })

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
