import { fail, ok, type Result } from '../../../../shared/result.ts'
import type { Scope } from '../auth/scopes.ts'
import { invalid, type Refusal, refuse } from '../http/reply.ts'
import type { Marks } from '../market/marks.ts'
import { validateOpenPosition } from './validate-open-position.ts'

type Payload = Readonly<Record<string, unknown>>

/** What a payload is judged by. */
export interface Moment {
  readonly marks: Marks
  readonly nowMs: number
}

/** One action of `/orders/execute`. */
interface DelegatedAction {
  /** Beside `trade:execute`. */
  readonly scopes: readonly Scope[]
  /** Gives the normalised payload; null while the practice exchange does not take the action. */
  readonly validate: ((payload: Payload, moment: Moment) => Result<object, Refusal>) | null
}

/** Limits, batch size. */
const largestBatch = 32

const later = (...scopes: Scope[]): DelegatedAction => ({ scopes, validate: null })

/** `batch` apart, which is made of these. Cancel, replace and the TP/SL primitives need `orders:manage` as well. */
const single: Readonly<Record<string, DelegatedAction>> = {
  open_position: { scopes: [], validate: validateOpenPosition },
  open_market: later(),
  create_limit: later(),
  create_stop: later(),
  increase: later(),
  reduce: later(),
  close: later(),
  cancel: later('orders:manage'),
  replace: later('orders:manage'),
  set_tp: later('orders:manage'),
  clear_tp: later('orders:manage'),
  set_sl: later('orders:manage'),
  clear_sl: later('orders:manage'),
  invert: later(),
  isolated_manage: later(),
}

const names = [...Object.keys(single), 'batch']

const singleOf = (name: unknown): DelegatedAction | null => (typeof name === 'string' && Object.hasOwn(single, name) ? (single[name] ?? null) : null)

const isObject = (value: unknown): value is Payload => typeof value === 'object' && value !== null && !Array.isArray(value)

const itemsOf = (payload: unknown): readonly unknown[] => (isObject(payload) && Array.isArray(payload.actions) ? payload.actions : [])

/** The scopes that a call needs, as far as its body can be read: of a batch the union. */
export function scopesNeeded(action: unknown, payload: unknown): readonly Scope[] {
  const named = action === 'batch' ? itemsOf(payload).map((item) => (isObject(item) ? item.action : null)) : [action]
  return [...new Set<Scope>(['trade:execute', ...named.flatMap((name) => singleOf(name)?.scopes ?? [])])]
}

/** The payload in its normal form. The item structure of a batch is not in the document: `{ action, payload }` under `payload.actions`. */
export function validateDelegated(action: unknown, payload: unknown, moment: Moment): Result<{ action: string; payload: object }, Refusal> {
  if (typeof action !== 'string' || !names.includes(action)) return fail(invalid('action', `must be one of ${names.join(', ')}`))
  if (!isObject(payload)) return fail(invalid('payload', 'must be an object'))
  const valid = action === 'batch' ? validateBatch(payload, moment) : validateSingle(action, payload, moment)
  return valid.ok ? ok({ action, payload: valid.value }) : valid
}

function validateSingle(name: string, payload: Payload, moment: Moment): Result<object, Refusal> {
  const action = singleOf(name)
  return action?.validate?.(payload, moment) ?? fail(refuse(400, 'ACTION_NOT_AVAILABLE', `${name} is not available on the practice exchange yet`))
}

function validateBatch(payload: Payload, moment: Moment): Result<object, Refusal> {
  const items = itemsOf(payload)
  if (items.length < 1 || items.length > largestBatch) return fail(invalid('payload.actions', `must hold 1 to ${largestBatch} actions`))
  const actions: object[] = []
  for (const [index, item] of items.entries()) {
    const at = `payload.actions.${index}`
    if (!isObject(item)) return fail(invalid(at, 'must be an object'))
    const { action, payload: inner } = item
    if (typeof action !== 'string' || singleOf(action) === null) return fail(invalid(`${at}.action`, `must be one of ${Object.keys(single).join(', ')}`))
    if (!isObject(inner)) return fail(invalid(`${at}.payload`, 'must be an object'))
    const valid = validateSingle(action, inner, moment)
    if (!valid.ok) return fail(insideItem(valid.failure, at))
    actions.push({ action, payload: valid.value })
  }
  return ok({ actions })
}

/** A refusal that says which item it is about. */
const insideItem = (refusal: Refusal, at: string): Refusal => ({
  ...refusal,
  message: `${at}: ${refusal.message}`,
  fields: { ...refusal.fields, ...(typeof refusal.fields.field === 'string' && { field: `${at}.${refusal.fields.field}` }) },
})
