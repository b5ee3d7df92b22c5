import type { DelegatedActionName, PreparedActionName } from '../api/actions.ts'
import { fail, ok, type Result } from '../result.ts'
import type { Payload, PreparedBody } from './actions/action-payload.ts'
import type { DelegatedBody } from './delegated/delegated-payload.ts'

/** The actions whose payload the document does not show. Those of a wallet and those of an executor share no name but `open_position`. */
export type AssumedAction = Exclude<PreparedActionName | DelegatedActionName, 'open_position'>

/** By action: the name that the service gives to a field, by the assumed one. */
export type Corrections = { readonly [action in AssumedAction]?: Readonly<Record<string, string>> }

const atMarket = ['reference_price', 'max_slippage_bps']

const opening = ['pair_id', 'side', 'margin_mode', 'leverage', 'order_value_usdc', 'take_profit', 'stop_loss', 'client_order_id']

/** Every field that `actionPayload` may send, under the name that is assumed. */
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

/** As much for `delegatedBody`. Of a batch: its list, and what each item of it is made of. */
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

export const assumedFields: Readonly<Record<AssumedAction, readonly string[]>> = { ...preparedFields, ...delegatedFields }

const namesOf = <Name extends AssumedAction>(fields: Readonly<Record<Name, unknown>>): readonly Name[] =>
  Object.keys(fields).filter((name): name is Name => Object.hasOwn(fields, name))

/** Who carries them out, and which actions those are. */
export const assumedActions = { wallet: namesOf(preparedFields), executor: namesOf(delegatedFields) } as const

/** A retry without it would be a second order (Idempotency rules 6): nothing may take its place. */
const requestKey = 'idempotency_key'

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null && !Array.isArray(value)

const wireName = /^[A-Za-z][A-Za-z0-9_]{0,63}$/

/** What is wrong with the names of one action, by field, each a sentence. */
export function correctionIssues(action: AssumedAction, names: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  const issues = new Map<string, string>()
  const fields = assumedFields[action]
  const named = (field: string): string => names[field] ?? field
  for (const [field, name] of Object.entries(names)) {
    if (!fields.includes(field)) issues.set(field, `${action} sends no ${field}.`)
    else if (!wireName.test(name)) issues.set(field, 'A name begins with a letter and has letters, digits and underscores, at most 64.')
    else if (name === requestKey && Object.hasOwn(delegatedFields, action)) issues.set(field, 'The key of the request has this name.')
    else if (fields.some((other) => other !== field && named(other) === name)) issues.set(field, `Another field of ${action} has this name.`)
  }
  return issues
}

/** Reads corrections that were written elsewhere. Fails with a sentence that names what is wrong; names that change nothing are left out. */
export function readCorrections(value: unknown): Result<Corrections, string> {
  if (!isRecord(value)) return fail('Corrections are an object: actions, each with its fields and their names.')
  const read: { [action in AssumedAction]?: Record<string, string> } = {}
  for (const [name, names] of Object.entries(value)) {
    const action = namesOf(assumedFields).find((known) => known === name)
    if (action === undefined) return fail(`${name} is no action whose payload is assumed.`)
    if (!isRecord(names)) return fail(`${name} has to be an object: its fields and their names.`)
    const changed: Record<string, string> = {}
    for (const [field, written] of Object.entries(names)) {
      if (typeof written !== 'string') return fail(`${name}: the name of ${field} has to be text.`)
      if (written !== field) changed[field] = written
    }
    const [issue] = correctionIssues(action, changed)
    if (issue !== undefined) return fail(`${name}, ${issue[0]}: ${issue[1]}`)
    if (Object.keys(changed).length > 0) read[action] = changed
  }
  return ok(read)
}

/** The name that is sent for a field of an action. */
export function sentName(action: AssumedAction, field: string, corrections: Corrections): string {
  const names = corrections[action]
  return names !== undefined && Object.hasOwn(names, field) ? (names[field] ?? field) : field
}

function named(given: string, payload: Payload, corrections: Corrections): Payload {
  const action = namesOf(assumedFields).find((name) => name === given)
  if (action === undefined || corrections[action] === undefined) return payload
  return Object.fromEntries(Object.entries(payload).map(([field, value]) => [sentName(action, field, corrections), value]))
}

/** The body with the service's own names. The documented payload of `open_position` stays as it is. */
export const corrected = (body: PreparedBody, corrections: Corrections): PreparedBody => ({
  ...body,
  payload: named(body.action, body.payload, corrections),
})

/** As `corrected` for what an executor carries out: each item of a batch by the names of its own action. */
export function correctedDelegated(body: DelegatedBody, corrections: Corrections): DelegatedBody {
  const { actions } = body.payload
  if (body.action !== 'batch' || !Array.isArray(actions)) return { ...body, payload: named(body.action, body.payload, corrections) }
  const items = (actions as readonly { readonly action: DelegatedActionName; readonly payload: Payload }[]).map((item) => ({
    [sentName('batch', 'action', corrections)]: item.action,
    [sentName('batch', 'payload', corrections)]: named(item.action, item.payload, corrections),
  }))
  return { ...body, payload: named('batch', { ...body.payload, actions: items }, corrections) }
}
