import type { PreparedActionName } from '../api/actions.ts'
import { fail, ok, type Result } from '../result.ts'
import type { PreparedBody } from './actions/action-payload.ts'

/** The actions whose payload the document does not show. */
export type AssumedAction = Exclude<PreparedActionName, 'open_position'>

/** By action: the name that the service gives to a field, by the assumed one. */
export type Corrections = { readonly [action in AssumedAction]?: Readonly<Record<string, string>> }

const atMarket = ['reference_price', 'max_slippage_bps']

/** Every field that `actionPayload` may send, under the name that is assumed. */
export const assumedFields: Readonly<Record<AssumedAction, readonly string[]>> = {
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
}

export const assumedActions = Object.keys(assumedFields).filter((name): name is AssumedAction => Object.hasOwn(assumedFields, name))

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
    else if (fields.some((other) => other !== field && named(other) === name)) issues.set(field, `Another field of ${action} has this name.`)
  }
  return issues
}

/** Reads corrections that were written elsewhere. Fails with a sentence that names what is wrong; names that change nothing are left out. */
export function readCorrections(value: unknown): Result<Corrections, string> {
  if (!isRecord(value)) return fail('Corrections are an object: actions, each with its fields and their names.')
  const read: { [action in AssumedAction]?: Record<string, string> } = {}
  for (const [name, names] of Object.entries(value)) {
    const action = assumedActions.find((known) => known === name)
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

/** The body with the service's own names. The documented payload of `open_position` stays as it is. */
export function corrected(body: PreparedBody, corrections: Corrections): PreparedBody {
  const action = assumedActions.find((name) => name === body.action)
  const names = action === undefined ? undefined : corrections[action]
  if (names === undefined) return body
  const named = (field: string): string => (Object.hasOwn(names, field) ? (names[field] ?? field) : field)
  return { ...body, payload: Object.fromEntries(Object.entries(body.payload).map(([field, value]) => [named(field), value])) }
}
