import type { DelegatedActionName, PreparedActionName } from '../api/actions.ts'
import type { Payload, PreparedBody } from '../ticket/actions/action-payload.ts'
import type { DelegatedBody } from '../ticket/delegated/delegated-payload.ts'
import type { RequestNames } from './field-map-entries.ts'

/** Returns the name under which the app sends a field of a request. */
export function sentName(request: AssumedRequest, field: string, names: RequestNames): string {
  const own = Object.hasOwn(names, request) ? names[request] : undefined
  return own !== undefined && Object.hasOwn(own, field) ? (own[field] ?? field) : field
}

function renamed(request: string, payload: Payload, names: RequestNames): Payload {
  if (!isAssumedRequest(request) || !Object.hasOwn(names, request)) return payload
  return Object.fromEntries(Object.entries(payload).map(([field, value]) => [sentName(request, field, names), value]))
}

/** Renames the payload's fields to the names in the field map. The documented payload of `open_position` stays unchanged. */
export const namedPrepared = (body: PreparedBody, names: RequestNames): PreparedBody => ({ ...body, payload: renamed(body.action, body.payload, names) })

type Item = { readonly action: DelegatedActionName; readonly payload: Payload }

const itemsOf = ({ action, payload }: DelegatedBody): readonly Item[] | null =>
  // The cast is safe: `delegatedBody` always puts a batch's items into `payload.actions`.
  action === 'batch' && Array.isArray(payload.actions) ? (payload.actions as readonly Item[]) : null

/** Renames the fields of an executor action's payload to the names in the field map. In a batch, each item uses the names of its own action. */
export function namedDelegated(body: DelegatedBody, names: RequestNames): DelegatedBody {
  const items = itemsOf(body)?.map((item) => ({
    [sentName('batch', 'action', names)]: item.action,
    [sentName('batch', 'payload', names)]: renamed(item.action, item.payload, names),
  }))
  return { ...body, payload: renamed(body.action, items === undefined ? body.payload : { ...body.payload, actions: items }, names) }
}

/** Renames the fields of a request that is not an order, such as a key request. Returns the JSON to send. */
export const namedBody = (request: AssumedBody, body: Readonly<Record<string, unknown>>, names: RequestNames): string =>
  JSON.stringify(renamed(request, body, names))

/** Renames the fields of a risk preview, and the fields of the action inside the preview. Returns the JSON to send. */
export const namedPreview = (body: PreparedBody, names: RequestNames): string => namedBody('risk_preview', { ...namedPrepared(body, names) }, names)

/** A field that the app sent under a name that the API document does not show. */
export interface SentField {
  readonly request: AssumedRequest
  readonly field: string
  /** The name under which the app sent the field. */
  readonly name: string
  /** The path from the body's root to the object that contains the field, as sent. */
  readonly within: readonly string[]
}

function fieldsOf(request: string, payload: Readonly<Record<string, unknown>>, within: readonly string[], names: RequestNames): SentField[] {
  if (!isAssumedRequest(request)) return []
  return assumedFields[request].flatMap((field) => (Object.hasOwn(payload, field) ? [{ request, field, name: sentName(request, field, names), within }] : []))
}

export const sentByPrepare = ({ action, payload }: PreparedBody, names: RequestNames): readonly SentField[] => fieldsOf(action, payload, ['payload'], names)

export function sentByExecute(body: DelegatedBody, names: RequestNames): readonly SentField[] {
  const items = itemsOf(body)
  if (items === null) return fieldsOf(body.action, body.payload, ['payload'], names)
  const [list, action, inner] = (['actions', 'action', 'payload'] as const).map((field) => sentName('batch', field, names))
  if (list === undefined || action === undefined || inner === undefined) return []
  return [
    ...fieldsOf('batch', body.payload, ['payload'], names),
    ...items.flatMap((item, index) => {
      const within = ['payload', list, String(index)]
      return [...fieldsOf('batch', item, within, names), ...fieldsOf(item.action, item.payload, [...within, inner], names)]
    }),
  ]
}

export const sentByBody = (request: AssumedBody, body: Readonly<Record<string, unknown>>, names: RequestNames): readonly SentField[] =>
  fieldsOf(request, body, [], names)

export const sentByPreview = (body: PreparedBody, names: RequestNames): readonly SentField[] => [
  ...sentByBody('risk_preview', { ...body }, names),
  ...fieldsOf(body.action, body.payload, [sentName('risk_preview', 'payload', names)], names),
]

/** Actions whose payload the API document does not show. Only the payload of `open_position` is documented. */
type AssumedAction = Exclude<PreparedActionName | DelegatedActionName, 'open_position'>

const atMarket = ['reference_price', 'max_slippage_bps']

const opening = ['pair_id', 'side', 'margin_mode', 'leverage', 'order_value_usdc', 'take_profit', 'stop_loss', 'client_order_id']

/** The fields that `actionPayload` may send to `POST /orders/prepare`, by action, under the app's names. */
const preparedFields = {
  close_position_market: ['position_id', 'size', ...atMarket, 'client_order_id'],
  close_position_limit: ['position_id', 'size', 'limit_price', 'time_in_force', 'post_only', 'client_order_id'],
  invert_position: ['position_id', ...atMarket, 'client_order_id'],
  update_tpsl: ['position_id', 'take_profit', 'stop_loss'],
  add_isolated_margin: ['position_id', 'amount_usdc'],
  reduce_isolated_margin: ['position_id', 'amount_usdc'],
  change_isolated_leverage: ['position_id', 'leverage'],
  cancel_order: ['order_id'],
  replace_order: ['order_id', 'order_value_usdc', 'limit_price', 'trigger_price', 'take_profit', 'stop_loss'],
  add_collateral: ['token', 'amount'],
  withdraw_collateral: ['token', 'amount'],
} as const satisfies Partial<Record<AssumedAction, readonly string[]>>

/** The fields that `delegatedBody` may send to `POST /orders/execute`, by action. A batch lists its own field and the fields of each item. */
const delegatedFields = {
  open_market: [...opening, ...atMarket, 'rest_if_unfilled'],
  create_limit: [...opening, 'limit_price', 'time_in_force', 'post_only'],
  create_stop: [...opening, 'trigger_price', 'time_in_force'],
  increase: ['position_id', 'order_value_usdc', ...atMarket],
  reduce: ['position_id', 'size', ...atMarket],
  close: ['position_id', ...atMarket],
  invert: ['position_id', ...atMarket],
  cancel: ['order_id'],
  replace: ['order_id', 'order_value_usdc', 'limit_price', 'trigger_price', 'take_profit', 'stop_loss'],
  set_tp: ['position_id', 'price'],
  clear_tp: ['position_id'],
  set_sl: ['position_id', 'price'],
  clear_sl: ['position_id'],
  isolated_manage: ['position_id', 'margin_delta_usdc', 'leverage'],
  batch: ['actions', 'action', 'payload'],
} as const satisfies Partial<Record<AssumedAction, readonly string[]>>

/** The undocumented fields in the bodies of all other calls. */
const bodyFields = {
  /** POST /risk/preview */
  risk_preview: ['action', 'payload'],
  /** POST /api/dex/developer/keys/prepare */
  key_preparation: ['label', 'expires_in_days', 'ip_allowlist', 'quotas'],
  /** POST /api/dex/developer/keys, the second step of a bot-ready key. */
  key_creation: ['preparation_id', 'signature'],
  /** PUT /api/dex/developer/keys/{key_id}/expiry */
  key_expiry: ['expires_in_days'],
  /** PUT /api/dex/developer/keys/{key_id}/executor */
  key_executor: ['executor'],
  /** POST /api/dex/developer/keys/{key_id}/agent/grant */
  agent_grant: ['signature'],
  /** POST /api/dex/developer/keys/{key_id}/execution-payment */
  execution_payment: ['amount_usdc'],
} as const

export type AssumedBody = keyof typeof bodyFields
/** A request, or the payload of an action, with fields that the API document does not show. */
export type AssumedRequest = AssumedAction | AssumedBody

export const assumedFields: Readonly<Record<AssumedRequest, readonly string[]>> = { ...preparedFields, ...delegatedFields, ...bodyFields }

const namesOf = <Name extends AssumedRequest>(fields: Readonly<Record<Name, unknown>>): readonly Name[] =>
  Object.keys(fields).filter((name): name is Name => Object.hasOwn(fields, name))

/**
 * All requests with undocumented field names. wallet: actions for `POST /orders/prepare`. executor: actions for `POST /orders/execute`. others: all
 * other calls.
 */
export const assumedRequests = { wallet: namesOf(preparedFields), executor: namesOf(delegatedFields), others: namesOf(bodyFields) } as const

export const assumedRequestNames = [...assumedRequests.wallet, ...assumedRequests.executor, ...assumedRequests.others] as const

export const isAssumedRequest = (name: string): name is AssumedRequest => Object.hasOwn(assumedFields, name)

/** Returns the documented field names in a request that also has undocumented names. No undocumented field may be renamed to one of these. */
export const documentedBeside = (request: AssumedRequest): readonly string[] =>
  request === 'key_creation'
    ? ['label', 'scopes', 'expires_in_days', 'ip_allowlist', 'quotas']
    : // The idempotency key prevents a retry from placing a second order, so no other field may use its name (Idempotency rules 6).
      Object.hasOwn(delegatedFields, request)
      ? ['idempotency_key']
      : []

/** Requests whose fields the API document shows completely. The app never renames these fields. */
export const documentedRequests: readonly string[] = ['open_position', 'relay', 'receipt', 'prepare', 'execute', 'challenge', 'session', 'webhook']
