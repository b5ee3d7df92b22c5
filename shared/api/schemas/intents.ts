import { z } from 'zod'
import { type AnswerOf, answerReader, inspectList, oneOf, recordIn } from '../reader/answer.ts'
import { documentedMay, documentedMust, type Kind, may } from '../reader/field.ts'
import { heldAt, inspectRecords } from '../reader/inspect.ts'
import { count, custom, id, isRecord, record, text, time } from '../reader/kinds.ts'
import { readRecords } from '../reader/read-records.ts'
import { type Read, resource } from '../reader/resource.ts'
import { rowsIn, unwrap } from '../reader/unwrap.ts'
import { joinFields, withField } from '../unknown-fields.ts'
import { each, idsOf, names, statesOf } from './name-lists.ts'
import { Address, HexSignature, JsonObject, PathId, pageOf, TransactionHash } from './page.ts'
import { action, finality, progress } from './words.ts'

const actionNames = [
  'action',
  'kind',
  'type',
  'operation',
  ...['action', 'intent', 'request', 'operation', 'command', 'order', 'execution'].map((of) => `${of}_type`),
  'command',
] as const
const reasons = ['reason', 'failure_reason', 'error', 'revert_reason', 'error_message', 'message', 'failure'] as const

export const intent = resource({
  name: 'intent',
  words: ['intent', 'transaction', 'prepared', 'preparation'],
  sentence: 'A transaction or prepared intent names its `intent_id`, its action, a state in words and a transaction hash once there is one.',
  source: 'States: other intent lifecycle states not shown; Trading: bodies of /transactions and /orders/by-client-id not shown',
  fields: {
    intentId: documentedMust(['intent_id', 'id', 'preparation_id', 'prepared_id', 'request_id'], id),
    action: may(actionNames, action),
    clientOrderId: may(names.clientOrderId, id),
    /** The intent's state in the service's words. */
    state: may([...statesOf('onchain', 'chain', 'intent', 'execution')], progress),
    /** Why the intent failed. */
    reason: may(reasons, text),
    txHash: may(names.txHash, text),
    /** The id or label of the key that requested the intent. */
    keyId: may(names.keyId, id),
    createdAtMs: may([...names.createdAt, 'prepared_at', 'submitted_at'], time),
    payload: may(['payload', 'params', 'parameters', 'request', 'input', 'arguments'], record),
  },
  keyed: { key: 'intentId' },
})

export type IntentRecord = Read<typeof intent.fields>

export const TransactionPage = pageOf(['transactions', 'intents', 'prepared_intents'], intent)

const wrapped = resource({ ...intent, name: 'intent', words: ['intent', 'order', 'prepared', 'transaction', 'preparation', 'match'], sentence: null })
export const IntentAnswer = answerReader(
  (json, complain, context) => {
    const found = recordIn(wrapped, json, complain, context)
    return found && { intent: found }
  },
  (json, fieldMap) => oneOf(wrapped).inspect(json, fieldMap),
)

export const execution = resource({
  name: 'execution',
  words: ['execution', 'report', 'transaction', 'native'],
  sentence: 'The finality of an execution stands under `finality`; confirmations and block number may be beside it.',
  source: 'Other resource shapes: only the finality values are shown',
  fields: {
    /** The finality in the service's words. `readFinality` of shared/signing recognises the four documented values. */
    finality: may(
      [
        'finality',
        'finality_status',
        'finality_state',
        'finalization',
        'finalisation',
        'state',
        'status',
        'execution_status',
        'chain_status',
        'tx_status',
        'confirmation_status',
        'confirmation_state',
      ],
      finality,
    ),
    confirmations: may(['confirmations', 'confirmation_count', 'confirmed_blocks', 'depth', 'block_confirmations', 'block_depth'], count),
    blockNumber: may(
      ['block_number', 'block', 'block_height', 'included_in_block', 'mined_in_block', ...each(['chain', 'onchain'], ['block', 'block_number']), 'height'],
      count,
    ),
    txHash: may(names.txHash, text),
  },
})
export type ExecutionReport = Read<typeof execution.fields>
export const ExecutionReport = oneOf(execution)

const orderActions: ReadonlySet<string> = new Set(['create_limit', 'create_stop', 'cancel', 'cancel_order', 'replace', 'replace_order'])
const positionActions: ReadonlySet<string> = new Set(['set_tp', 'clear_tp', 'set_sl', 'clear_sl', 'update_tpsl', 'isolated_manage'])

export const delegatedResult = resource({
  name: 'delegated_result',
  words: ['result', 'outcome'],
  sentence: null,
  source: '',
  fields: {
    /** The outcome's index in the batch, starting at 0. If null, the position in the list is the index. */
    index: may(['index', 'position', 'item', 'sequence', 'number', 'step'], count),
    action: may(actionNames, action),
    state: may([...statesOf('result', 'step', 'action'), 'outcome', 'result'], progress),
    reason: may(reasons, text),
    orderId: may([...idsOf('order', 'ord'), 'oid', 'order'], id),
    positionId: may([...idsOf('position', 'pos', 'holding'), 'position'], id),
    id: may(['id'], id),
  },
  // If the action acts on an order only, or on a position only, a plain `id` is the id of that order or position.
  finish: ({ id: bare, ...found }) => {
    if (bare === null) return found
    if (found.orderId === null && orderActions.has(found.action ?? '')) return { ...found, orderId: bare }
    if (found.positionId === null && positionActions.has(found.action ?? '')) return { ...found, positionId: bare }
    return { ...found, unknownFields: withField(found.unknownFields, 'id', bare) }
  },
})
type DelegatedResult = Omit<Read<typeof delegatedResult.fields>, 'id'>

const resultLists = ['results'] as const

/** All outcomes must be readable, because a list with a gap would hide what happened to an action. */
const results: Kind<DelegatedResult[]> = custom(
  'list',
  (value, _, context) => {
    const rows = rowsIn(value, resultLists, delegatedResult.matcher.known, 'records')
    if (rows === null) return undefined
    const { items } = readRecords(delegatedResult, rows.rows, context, () => {})
    return items.every((item) => item !== undefined) ? items : undefined
  },
  'any',
)

export const delegated = resource({
  name: 'delegated_execution',
  words: ['execution', 'command', 'delegated'],
  sentence:
    'The status of a delegated execution names its command, a state (queued, submitted, executed, partially_executed or failed), a transaction hash, and under `results` one outcome for each of its actions.',
  source: 'Endpoints: body of /executions/{command_id} not shown',
  fields: {
    commandId: may(['command_id', 'execution_id', 'id'], id),
    /** The execution's state in the service's words. */
    state: may([...statesOf('execution', 'command', 'job')], progress),
    reason: may(reasons, text),
    txHash: may(names.txHash, text),
    results: may(['results', 'items', 'actions', 'outcomes', 'steps', 'executions'], results),
  },
})
export type DelegatedStatus = Read<typeof delegated.fields>
export const DelegatedStatus = answerReader(
  (json, complain, context) => recordIn(delegated, json, complain, context),
  (json, fieldMap) => {
    const { inner } = unwrap(json, delegated.words, delegated.matcher)
    return [
      inspectRecords(delegated, [inner], fieldMap),
      inspectList(delegatedResult, resultLists, heldAt(delegated, inner, 'results', fieldMap) ?? [], fieldMap),
    ]
  },
)

/** Returns the unknown fields of a delegated execution's status and of each outcome in it. */
export const unknownOfDelegated = ({ unknownFields, results: outcomes }: DelegatedStatus): string | null =>
  joinFields({ '': unknownFields, ...Object.fromEntries((outcomes ?? []).map((result, index) => [`results.${index}`, result.unknownFields])) })

const handle = resource({
  name: 'delegated_handle',
  words: ['delegated'],
  sentence: null,
  source: '',
  fields: { commandId: documentedMay(['command_id'], id), txHash: documentedMay(['tx_hash'], text) },
})
const handleKind: Kind<Read<typeof handle.fields>> = custom(
  'record',
  (value, complain, context) => (isRecord(value) ? readRecords(handle, [value], context, (path, issue) => complain(path.slice(1), issue)).items[0] : undefined),
  'record',
)

const delegatedAnswer = resource({
  name: 'delegated_answer',
  words: [],
  sentence: null,
  source: '',
  fields: {
    /**
     * The result of delegated execution. The API document shows `delegated.command_id` and `delegated.tx_hash`. `delegated` is absent for
     * `prepare_only`.
     */
    delegated: documentedMay(['delegated'], handleKind),
    statusUrl: documentedMay(['status_url'], text),
  },
})
export const DelegatedExecution = oneOf(delegatedAnswer)

export const ExecuteRequest = z.object({ action: z.string().min(1), payload: JsonObject, prepare_only: z.boolean().optional() })

/** The body of the relay request. The API document shows exactly these three fields. */
export const RelayRequest = z.object({ wallet: Address, intent_id: PathId, signature: HexSignature })

const relay = resource({
  name: 'relay',
  words: ['relay'],
  sentence: null,
  source: '',
  fields: { txHash: documentedMust(['tx_hash'], text), state: documentedMay(['state'], text) },
})
export const RelayAnswer = oneOf(relay)
export type RelayAnswer = AnswerOf<typeof RelayAnswer>

/** The body of a receipt report. The API document shows its fields, but not the allowed values of `state`. */
export const ReceiptRequest = z.object({ wallet: Address, intent_id: PathId, tx_hash: TransactionHash, state: z.string().min(1) })
