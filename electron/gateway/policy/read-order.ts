import { createHash } from 'node:crypto'
import { z } from 'zod'
import { type DelegatedActionName, delegatedActions, delegatedScopes, type PreparedActionName, preparedActions } from '../../../shared/api/actions.ts'
import { limits } from '../../../shared/api/limits.ts'
import type { Scope } from '../../../shared/api/scopes.ts'
import { isDecimal, negate, normalise, signOf } from '../../../shared/decimal.ts'
import type { RequestNames } from '../../../shared/field-map/field-map-entries.ts'
import { assumedFields, isAssumedRequest, sentName } from '../../../shared/field-map/sent-names.ts'
import { Side } from '../../../shared/ipc/intents/tickets.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import { canonicalId } from '../../../shared/same-id.ts'
import { type GatewayRefusal, refusal } from '../http/listener.ts'

const Id = z
  .string()
  .min(1)
  .max(256)
  // No id contains them, and a database takes neither.
  .refine((id) => !/[\p{Cc}\p{Cs}]/u.test(id))
/** What one action of a bot's order changes. exit: it only ends or reduces risk. */
export const OrderItem = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('open'),
    pairId: z.number().int(),
    side: Side,
    valueUsdc: z.string(),
    leverage: z.number().int(),
    clientOrderId: z.string().nullable(),
  }),
  z.object({ kind: z.literal('increase'), positionId: Id, valueUsdc: z.string() }),
  z.object({ kind: z.literal('invert'), positionId: Id, price: z.string() }),
  z.object({ kind: z.literal('leverage'), positionId: Id, leverage: z.number().int() }),
  z.object({ kind: z.literal('take_margin'), positionId: Id, amountUsdc: z.string() }),
  z.object({
    kind: z.literal('replace'),
    orderId: Id,
    valueUsdc: z.string().nullable(),
    limitPrice: z.string().nullable(),
    triggerPrice: z.string().nullable(),
  }),
  z.object({ kind: z.literal('exit'), positionId: Id.nullable(), orderId: Id.nullable() }),
  /** Collateral that is paid in or out. The wallet itself signs it. */
  z.object({ kind: z.literal('collateral') }),
])
export type OrderItem = z.infer<typeof OrderItem>

/**
 * The actions that may leave again long after they were meant, if no answer came. Only a cancel of a named order: an order that has ended does not come
 * back, and a second cancel of it does nothing. The service repeats an answer for 24 hours (Idempotency rules 2), but a call that never arrived would be
 * carried out late. A late `reduce`, `set_sl` or `clear_sl` would then change a position that the bot has newer plans for, and so would a late `close`:
 * the document does not say that a later position has another id.
 */
const repeatsLate: ReadonlySet<string> = new Set<DelegatedActionName>(['cancel'])

/** The subject of a call that opens. */
export const opens = 'open'

/** What actions change, as names of orders and positions. A call is not sent again if a newer one has one of its subjects. */
export const subjectsOf = (items: readonly OrderItem[]): string[] => [
  ...new Set(
    items.flatMap((item) => {
      if (item.kind === 'open') return [opens]
      const [orderId, positionId] = ['orderId' in item ? item.orderId : null, 'positionId' in item ? item.positionId : null]
      return [...(orderId === null ? [] : [`order:${canonicalId(orderId)}`]), ...(positionId === null ? [] : [`position:${canonicalId(positionId)}`])]
    }),
  ),
]

/** A body that was read in full. */
export interface ReadOrder {
  readonly action: string
  readonly items: readonly OrderItem[]
  readonly scopes: readonly Scope[]
  readonly isDryRun: boolean
  /** Whether each of its actions may leave again long after it was meant. */
  readonly repeatsLate: boolean
  readonly idempotencyKey: string | null
  readonly clientOrderIds: readonly string[]
  /** The body as it was read. What the service gets is made from this, never from the bot's bytes. */
  readonly body: Body
}

export type Body = { readonly action: string; readonly payload: Readonly<Record<string, unknown>> } & Readonly<Record<string, unknown>>

const decimal = z.string().max(64).refine(isDecimal)
const amount = z
  .string()
  .max(64)
  .refine((value) => isDecimal(value) && signOf(value) > 0)
const clientOrderId = z
  .string()
  .regex(/^[\x21-\x7e]+$/)
  .max(limits.clientOrderIdLength)
const common = { idempotency_key: z.string().regex(limits.idempotencyKey.pattern).optional(), client_order_id: clientOrderId.optional() }
const market = { reference_price: amount, max_slippage_bps: z.number().int().min(limits.slippageBps.min).max(limits.slippageBps.max) }
const timeInForce = z.enum(['gtc', 'ioc', 'fok'])
const opening = {
  ...common,
  pair_id: z.number().int().min(0),
  side: Side,
  margin_mode: z.enum(['cross', 'isolated']).optional(),
  leverage: z.number().int().min(1),
  order_value_usdc: amount,
  take_profit: amount.optional(),
  stop_loss: amount.optional(),
}
const atMarket = { ...opening, ...market, rest_if_unfilled: z.boolean().optional(), time_in_force: z.literal('ioc').optional() }
const atLimit = { ...opening, limit_price: amount, time_in_force: timeInForce.optional(), post_only: z.boolean().optional() }
const atStop = { ...opening, trigger_price: amount, time_in_force: timeInForce.optional() }
const onPosition = { ...common, position_id: Id }
const onOrder = { ...common, order_id: Id }
const exitPrices = { take_profit: amount.nullable().optional(), stop_loss: amount.nullable().optional() }

const opened = (payload: z.infer<z.ZodObject<typeof opening>>): OrderItem => ({
  kind: 'open',
  pairId: payload.pair_id,
  side: payload.side,
  valueUsdc: normalise(payload.order_value_usdc),
  leverage: payload.leverage,
  clientOrderId: payload.client_order_id ?? null,
})
const exits = (positionId: string | null, orderId: string | null = null): OrderItem => ({ kind: 'exit', positionId, orderId })

type Reader = (payload: unknown) => OrderItem | null
const reader =
  <S extends z.ZodType>(schema: S, item: (payload: z.output<S>) => OrderItem): Reader =>
  (payload) => {
    const read = schema.safeParse(payload)
    return read.success ? item(read.data) : null
  }

const anyOpening = z.union([
  z.strictObject({ ...atMarket, order_type: z.literal('market').optional() }),
  z.strictObject({ ...atLimit, order_type: z.literal('limit') }),
  z.strictObject({ ...atStop, order_type: z.literal('stop') }),
])
const onPositionOnly = reader(z.strictObject(onPosition), ({ position_id }) => exits(position_id))
const replacing = reader(
  z.strictObject({ ...onOrder, order_value_usdc: amount.optional(), limit_price: amount.optional(), trigger_price: amount.optional(), ...exitPrices }),
  (payload) => ({
    kind: 'replace',
    orderId: payload.order_id,
    valueUsdc: payload.order_value_usdc ?? null,
    limitPrice: payload.limit_price ?? null,
    triggerPrice: payload.trigger_price ?? null,
  }),
)
const inverting = reader(z.strictObject({ ...onPosition, ...market }), (payload) => ({
  kind: 'invert',
  positionId: payload.position_id,
  price: payload.reference_price,
}))
const collateral = reader(z.strictObject({ ...common, token: z.string().min(1).max(16), amount }), () => ({ kind: 'collateral' }))
const priced = reader(z.strictObject({ ...onPosition, price: amount }), ({ position_id }) => exits(position_id))
const cancelling = reader(z.strictObject(onOrder), ({ order_id }) => exits(null, order_id))

/**
 * Reads the payload of each action that `/orders/execute` accepts. A reader knows every field, and refuses a payload with any other: what the gateway
 * cannot read, it cannot hold to a limit.
 */
const executed: Readonly<Record<Exclude<DelegatedActionName, 'batch'>, Reader>> = {
  open_position: reader(anyOpening, opened),
  open_market: reader(z.strictObject({ ...atMarket, order_type: z.literal('market').optional() }), opened),
  create_limit: reader(z.strictObject({ ...atLimit, order_type: z.literal('limit').optional() }), opened),
  create_stop: reader(z.strictObject({ ...atStop, order_type: z.literal('stop').optional() }), opened),
  increase: reader(z.strictObject({ ...onPosition, order_value_usdc: amount, ...market }), (payload) => ({
    kind: 'increase',
    positionId: payload.position_id,
    valueUsdc: normalise(payload.order_value_usdc),
  })),
  reduce: reader(z.strictObject({ ...onPosition, size: amount, ...market }), ({ position_id }) => exits(position_id)),
  close: reader(z.strictObject({ ...onPosition, ...market }), ({ position_id }) => exits(position_id)),
  invert: inverting,
  cancel: cancelling,
  replace: replacing,
  set_tp: priced,
  set_sl: priced,
  clear_tp: onPositionOnly,
  clear_sl: onPositionOnly,
  isolated_manage: (payload) => managed(payload),
}

const managed = (payload: unknown): OrderItem | null => {
  const moved = z.strictObject({ ...onPosition, margin_delta_usdc: decimal }).safeParse(payload)
  if (moved.success) {
    const { position_id: positionId, margin_delta_usdc: delta } = moved.data
    return signOf(delta) < 0 ? { kind: 'take_margin', positionId, amountUsdc: negate(delta) } : exits(positionId)
  }
  const levered = z.strictObject({ ...onPosition, leverage: z.number().int().min(1) }).safeParse(payload)
  return levered.success ? { kind: 'leverage', positionId: levered.data.position_id, leverage: levered.data.leverage } : null
}

const partly = { size: amount.optional() }
const prepared: Readonly<Record<PreparedActionName, Reader>> = {
  open_position: executed.open_position,
  close_position_market: reader(z.strictObject({ ...onPosition, ...partly, ...market }), ({ position_id }) => exits(position_id)),
  close_position_limit: reader(
    z.strictObject({ ...onPosition, ...partly, limit_price: amount, time_in_force: timeInForce.optional(), post_only: z.boolean().optional() }),
    ({ position_id }) => exits(position_id),
  ),
  invert_position: inverting,
  update_tpsl: reader(z.strictObject({ ...onPosition, ...exitPrices }), ({ position_id }) => exits(position_id)),
  add_isolated_margin: reader(z.strictObject({ ...onPosition, amount_usdc: amount }), ({ position_id }) => exits(position_id)),
  reduce_isolated_margin: reader(z.strictObject({ ...onPosition, amount_usdc: amount }), (payload) => ({
    kind: 'take_margin',
    positionId: payload.position_id,
    amountUsdc: payload.amount_usdc,
  })),
  change_isolated_leverage: reader(z.strictObject({ ...onPosition, leverage: z.number().int().min(1) }), (payload) => ({
    kind: 'leverage',
    positionId: payload.position_id,
    leverage: payload.leverage,
  })),
  cancel_order: cancelling,
  replace_order: replacing,
  add_collateral: collateral,
  withdraw_collateral: collateral,
}

const ownOf = <T>(table: Readonly<Record<string, T>>, name: string): T | null => (Object.hasOwn(table, name) ? (table[name] ?? null) : null)
const Payload = z.record(z.string(), z.unknown())
const ExecuteBody = z.strictObject({ action: z.string(), payload: Payload, prepare_only: z.boolean().optional() })
const PrepareBody = z.strictObject({ action: z.string(), payload: Payload, permit: z.boolean().optional() })

/** Renames the service's own field names (the profile's field map) back to those that the readers know. An old name of a renamed field stays unknown. */
function plainNames(request: string, payload: Readonly<Record<string, unknown>>, names: RequestNames): Record<string, unknown> {
  if (!isAssumedRequest(request)) return { ...payload }
  const back = new Map(assumedFields[request].map((field) => [sentName(request, field, names), field]))
  const renamed = new Set<string>(assumedFields[request].filter((field) => sentName(request, field, names) !== field))
  return Object.fromEntries(Object.entries(payload).map(([name, value]) => [back.get(name) ?? (renamed.has(name) ? ` ${name}` : name), value]))
}

const unread = (field: string) => fail(refusal('BODY', { why: 'unread', field }))

/** Reads the body of `POST /orders/execute`. Fails unless every field of it is known and valid. */
export function readExecute(json: unknown, names: RequestNames): Result<ReadOrder, GatewayRefusal> {
  const body = ExecuteBody.safeParse(json)
  if (!body.success) return unread('')
  const { action, payload, prepare_only: isDryRun = false } = body.data
  if (action === 'batch') return readBatch(body.data, names)
  const read = ownOf<Reader>(executed, action)
  const item = read?.(plainNames(action, payload, names)) ?? null
  if (item === null) return unread(read === null ? 'action' : 'payload')
  return ok({
    ...{ action, items: [item], scopes: delegatedScopes(action as DelegatedActionName), isDryRun, repeatsLate: repeatsLate.has(action), ...identity(payload) },
    body: body.data,
  })
}

function readBatch(body: z.infer<typeof ExecuteBody>, names: RequestNames): Result<ReadOrder, GatewayRefusal> {
  const [list, action, inner] = (['actions', 'action', 'payload'] as const).map((field) => sentName('batch', field, names)) as [string, string, string]
  const shape = z.strictObject({
    ...{ idempotency_key: common.idempotency_key },
    [list]: z
      .array(z.strictObject({ [action]: z.string(), [inner]: Payload }))
      .min(limits.batchActions.min)
      .max(limits.batchActions.max),
  })
  const read = shape.safeParse(body.payload)
  if (!read.success) return unread('payload')
  const given = z.array(z.record(z.string(), z.unknown())).parse(body.payload[list])
  const items: OrderItem[] = []
  const actions: DelegatedActionName[] = []
  const ids: string[] = []
  for (const [index, one] of given.entries()) {
    const name = String(one[action])
    const payload = Payload.parse(one[inner])
    const item = ownOf<Reader>(executed, name)?.(plainNames(name, payload, names)) ?? null
    if (item === null) return unread(`payload.${list}.${index}`)
    items.push(item)
    actions.push(name as DelegatedActionName)
    ids.push(...identity(payload).clientOrderIds)
  }
  const { idempotencyKey } = identity(body.payload)
  return ok({
    action: 'batch',
    items,
    scopes: delegatedScopes('batch', actions),
    isDryRun: body.prepare_only ?? false,
    repeatsLate: actions.every((one) => repeatsLate.has(one)),
    idempotencyKey,
    clientOrderIds: ids,
    body,
  })
}

/** Reads the body of `POST /orders/prepare`. Fails unless every field of it is known and valid. */
export function readPrepare(json: unknown, names: RequestNames): Result<ReadOrder, GatewayRefusal> {
  const body = PrepareBody.safeParse(json)
  if (!body.success) return unread('')
  const { action, payload } = body.data
  const read = ownOf<Reader>(prepared, action)
  const item = read?.(plainNames(action, payload, names)) ?? null
  if (item === null) return unread(read === null ? 'action' : 'payload')
  return ok({
    action,
    items: [item],
    scopes: [preparedActions[action as PreparedActionName]],
    isDryRun: false,
    repeatsLate: false,
    ...identity(payload),
    body: body.data,
  })
}

/**
 * The scopes that a body needs, as far as it can be read. For bots that only try orders out, whose bodies need not be read in full; the service checks
 * them again.
 */
export const scopesOfUnread = (kind: 'prepare' | 'execute', action: unknown): readonly Scope[] | null => {
  if (typeof action !== 'string') return null
  if (kind === 'execute')
    return Object.hasOwn(delegatedActions, action)
      ? action === 'batch'
        ? ['trade:execute', 'orders:manage']
        : delegatedScopes(action as DelegatedActionName)
      : null
  return Object.hasOwn(preparedActions, action) ? [preparedActions[action as PreparedActionName]] : null
}

function identity({ idempotency_key: key, client_order_id: id }: Readonly<Record<string, unknown>>): Pick<ReadOrder, 'idempotencyKey' | 'clientOrderIds'> {
  const clientOrderIds = typeof id === 'string' ? [id] : []
  return { idempotencyKey: typeof key === 'string' ? key : typeof id === 'string' && limits.idempotencyKey.pattern.test(id) ? id : null, clientOrderIds }
}

const [quote, backslash, colon] = [0x22, 0x5c, 0x3a]

/**
 * Parses JSON that names each member once. `JSON.parse` keeps the last of several members of one name, but the service may keep the first: the gateway
 * would then check one order and the service execute another. A member named `__proto__` is refused, because copies of an object drop it.
 */
export function parseOnce(text: string): { readonly json: unknown } | 'not_json' | 'twice' | 'unread' {
  try {
    const json: unknown = JSON.parse(text)
    const members = membersIn(json)
    return members === null ? 'unread' : members === colonsIn(text) ? { json } : 'twice'
  } catch {
    return 'not_json'
  }
}

/** Counts the colons outside of texts: one per member as written. */
function colonsIn(text: string): number {
  let count = 0
  let inText = false
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (inText && code === backslash) at += 1
    else if (code === quote) inText = !inText
    else if (!inText && code === colon) count += 1
  }
  return count
}

/** Counts the members of all objects; null if one is named `__proto__`. */
function membersIn(value: unknown): number | null {
  if (typeof value !== 'object' || value === null) return 0
  if (Object.hasOwn(value, '__proto__')) return null
  const inner = Object.values(value)
  return inner.reduce<number | null>(
    (sum, one) => {
      const more = sum === null ? null : membersIn(one)
      return sum === null || more === null ? null : sum + more
    },
    Array.isArray(value) ? 0 : inner.length,
  )
}

/** JSON with sorted names, and a hash of it: two bodies with the same hash mean the same. */
export const hashOfBody = (json: unknown): string => createHash('sha256').update(sorted(json)).digest('hex')

function sorted(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(sorted).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([name, one]) => `${JSON.stringify(name)}:${sorted(one)}`).join(',')}}`
}
