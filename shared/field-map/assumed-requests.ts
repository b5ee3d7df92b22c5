import type { DelegatedActionName, PreparedActionName } from '../api/actions.ts'

/** Actions whose payload the document does not show. Those of a wallet and those of an executor share no name but `open_position`. */
export type AssumedAction = Exclude<PreparedActionName | DelegatedActionName, 'open_position'>

const atMarket = ['reference_price', 'max_slippage_bps']

const opening = ['pair_id', 'side', 'margin_mode', 'leverage', 'order_value_usdc', 'take_profit', 'stop_loss', 'client_order_id']

/** Payloads of `POST /orders/prepare`: every field that `actionPayload` may send, under the app's name. */
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

/** Payloads of `POST /orders/execute`, as `delegatedBody` sends them. Of a batch: its list, and what each item of it is made of. */
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

/** Bodies of other calls: the fields that the document does not show. */
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
/** A request, or the payload of an action, with fields that the document does not show. */
export type AssumedRequest = AssumedAction | AssumedBody

export const assumedFields: Readonly<Record<AssumedRequest, readonly string[]>> = { ...preparedFields, ...delegatedFields, ...bodyFields }

const namesOf = <Name extends AssumedRequest>(fields: Readonly<Record<Name, unknown>>): readonly Name[] =>
  Object.keys(fields).filter((name): name is Name => Object.hasOwn(fields, name))

/** In which call each of them is sent. */
export const assumedRequests = { wallet: namesOf(preparedFields), executor: namesOf(delegatedFields), others: namesOf(bodyFields) } as const

export const assumedRequestNames = [...assumedRequests.wallet, ...assumedRequests.executor, ...assumedRequests.others] as const

export const isAssumedRequest = (name: string): name is AssumedRequest => Object.hasOwn(assumedFields, name)

/** Names that stand beside the assumed ones in the same body and that the document shows. */
export const documentedBeside = (request: AssumedRequest): readonly string[] =>
  request === 'key_creation'
    ? ['label', 'scopes', 'expires_in_days', 'ip_allowlist', 'quotas']
    : // A retry without it would be a second order (Idempotency rules 6): nothing may take its place.
      Object.hasOwn(delegatedFields, request)
      ? ['idempotency_key']
      : []

/** Requests whose every field the document shows: nothing of them is renamed. */
export const documentedRequests: readonly string[] = ['open_position', 'relay', 'receipt', 'prepare', 'execute', 'challenge', 'session', 'webhook']
