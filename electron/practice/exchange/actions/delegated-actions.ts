import { fail, ok, type Result } from '../../../../shared/result.ts'
import type { Scope } from '../../base/scopes.ts'
import { invalid, type Refusal } from '../http/reply.ts'
import type { Payload } from './payload-fields.ts'
import { validateOpen } from './prepared-actions.ts'
import { validateCloseMarket, validateIncrease, validateInvert } from './validate-close.ts'
import { validateCancel, validateReplace } from './validate-order.ts'
import { validateExit, validateIsolated } from './validate-position.ts'
import type { Valid, Validate, World } from './validation.ts'

/** The scopes and the validation of one action that `/orders/execute` accepts. */
interface DelegatedAction {
  /** Scopes that the action needs in addition to `trade:execute`. */
  readonly scopes: readonly Scope[]
  readonly validate: Validate
}

const largestBatch = 32

const trading = (validate: Validate): DelegatedAction => ({ scopes: [], validate })
const managing = (validate: Validate): DelegatedAction => ({ scopes: ['orders:manage'], validate })

const opening =
  (orderType: 'market' | 'limit' | 'stop'): Validate =>
  (payload, world) =>
    payload.order_type === undefined || payload.order_type === orderType
      ? validateOpen({ ...payload, order_type: orderType }, world)
      : fail(invalid('payload.order_type', `is ${orderType} by the action`))

const reducing: Validate = (payload, world) =>
  payload.size === undefined ? fail(invalid('payload.size', 'must be a positive decimal string')) : validateCloseMarket(payload, world)
const closing: Validate = (payload, world) => {
  if (payload.size !== undefined) return fail(invalid('payload.size', 'is for reduce only; close takes all'))
  const valid = validateCloseMarket(payload, world)
  if (!valid.ok || valid.value.instruction.kind !== 'close_market') return valid
  const { size: _, ...all } = valid.value.instruction.payload
  return ok({ ...valid.value, payload: all, instruction: { kind: 'close_market', payload: all } })
}

/** Every action except `batch`. A batch combines several of these actions. */
const single: Readonly<Record<string, DelegatedAction>> = {
  open_position: trading(validateOpen),
  open_market: trading(opening('market')),
  create_limit: trading(opening('limit')),
  create_stop: trading(opening('stop')),
  increase: trading(validateIncrease),
  reduce: trading(reducing),
  close: trading(closing),
  cancel: managing(validateCancel),
  replace: managing(validateReplace),
  set_tp: managing(validateExit('take_profit', true)),
  clear_tp: managing(validateExit('take_profit', false)),
  set_sl: managing(validateExit('stop_loss', true)),
  clear_sl: managing(validateExit('stop_loss', false)),
  invert: trading(validateInvert),
  isolated_manage: trading(validateIsolated),
}

const names = [...Object.keys(single), 'batch']

const singleOf = (name: unknown): DelegatedAction | null => (typeof name === 'string' && Object.hasOwn(single, name) ? (single[name] ?? null) : null)

const isObject = (value: unknown): value is Payload => typeof value === 'object' && value !== null && !Array.isArray(value)

const itemsOf = (payload: unknown): readonly unknown[] => (isObject(payload) && Array.isArray(payload.actions) ? payload.actions : [])

/**
 * The scopes that a call needs. A batch needs the scopes of all its items. If the body is partly unreadable, returns the scopes of its readable part.
 */
export function scopesNeeded(action: unknown, payload: unknown): readonly Scope[] {
  const named = action === 'batch' ? itemsOf(payload).map((item) => (isObject(item) ? item.action : null)) : [action]
  return [...new Set<Scope>(['trade:execute', ...named.flatMap((name) => singleOf(name)?.scopes ?? [])])]
}

export interface ValidItem extends Valid {
  readonly action: string
}

/** The payload of an action, with defaults filled in and numbers normalised, and the instructions that the exchange must perform for it. */
export interface ValidCommand {
  readonly action: string
  readonly payload: object
  readonly items: readonly ValidItem[]
}

/**
 * Validates an action or a batch. The API document does not show how a batch lists its actions. The practice exchange expects under `payload.actions`
 * a list of objects, each with `action` and `payload`.
 */
export function validateDelegated(action: unknown, payload: unknown, world: World): Result<ValidCommand, Refusal> {
  if (typeof action !== 'string' || !names.includes(action)) return fail(invalid('action', `must be one of ${names.join(', ')}`))
  if (!isObject(payload)) return fail(invalid('payload', 'must be an object'))
  if (action === 'batch') return validateBatch(payload, world)
  const valid = validateSingle(action, payload, world)
  return valid.ok ? ok({ action, payload: valid.value.payload, items: [valid.value] }) : valid
}

function validateSingle(name: string, payload: Payload, world: World): Result<ValidItem, Refusal> {
  const action = singleOf(name)
  if (action === null) return fail(invalid('action', `must be one of ${Object.keys(single).join(', ')}`))
  const valid = action.validate(payload, world)
  return valid.ok ? ok({ action: name, ...valid.value }) : valid
}

function validateBatch(payload: Payload, world: World): Result<ValidCommand, Refusal> {
  const given = itemsOf(payload)
  if (given.length < 1 || given.length > largestBatch) return fail(invalid('payload.actions', `must hold 1 to ${largestBatch} actions`))
  const items: ValidItem[] = []
  for (const [index, item] of given.entries()) {
    const at = `payload.actions.${index}`
    if (!isObject(item)) return fail(invalid(at, 'must be an object with action and payload'))
    const { action, payload: inner } = item
    if (typeof action !== 'string' || singleOf(action) === null) return fail(invalid(`${at}.action`, `must be one of ${Object.keys(single).join(', ')}`))
    if (!isObject(inner)) return fail(invalid(`${at}.payload`, 'must be an object'))
    const valid = validateSingle(action, inner, world)
    if (!valid.ok) return fail(insideItem(valid.failure, at))
    items.push(valid.value)
  }
  return ok({ action: 'batch', payload: { actions: items.map(({ action, payload: normal }) => ({ action, payload: normal })) }, items })
}

const insideItem = (refusal: Refusal, at: string): Refusal => ({
  ...refusal,
  message: `${at}: ${refusal.message}`,
  fields: { ...refusal.fields, ...(typeof refusal.fields.field === 'string' && { field: `${at}.${refusal.fields.field}` }) },
})
