import type { Address } from 'viem'
import { fail, ok, type Result } from '../../../../shared/result.ts'
import { day } from '../../../../shared/time.ts'
import { type Refusal, refuse } from '../http/reply.ts'
import type { IntentRow, State } from '../state/state.ts'

type Source = 'header' | 'payload.idempotency_key' | 'payload.client_order_id'

/** How long the exchange remembers an idempotency key (API document: Idempotency rules 2). */
const rememberedFor = day

/**
 * Reads the idempotency key from the header, else from `payload.idempotency_key`, else from `payload.client_order_id`. The first of these that is
 * present counts, even if its value is invalid (Idempotency rules 1).
 */
export function idempotencyKeyOf(
  header: string | string[] | undefined,
  payload: Readonly<Record<string, unknown>>,
): Result<{ key: string; source: Source }, Refusal> {
  const candidates: readonly (readonly [Source, unknown])[] = [
    ['header', header],
    ['payload.idempotency_key', payload.idempotency_key],
    ['payload.client_order_id', payload.client_order_id],
  ]
  const first = candidates.find(([, value]) => value !== undefined)
  if (first === undefined) return fail(refuse(400, 'IDEMPOTENCY_KEY_REQUIRED', 'Send Idempotency-Key, payload.idempotency_key or payload.client_order_id'))
  const [source, key] = first
  if (typeof key !== 'string' || !/^[A-Za-z0-9._:-]{8,128}$/.test(key))
    return fail(refuse(400, 'IDEMPOTENCY_KEY_INVALID', `The idempotency key (${source}) must match ^[A-Za-z0-9._:-]{8,128}$`, { field: source }))
  return ok({ key, source })
}

/** Writes a value as JSON with sorted field names, so that equal values always produce the same text. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${entries.map(([name, each]) => `${JSON.stringify(name)}:${canonical(each)}`).join(',')}}`
}

/**
 * Looks for an earlier prepare request with the same idempotency key (Idempotency rules 3 and 4). Returns `null` if there is none, and a conflict if
 * that request had other content.
 */
export function earlierPreparation(
  state: State,
  asked: { wallet: Address; action: string; key: string; source: Source; sent: string; clientOrderId: unknown; nowMs: number },
): Result<IntentRow | null, Refusal> {
  const own = state.intents.filter((row) => row.wallet === asked.wallet && row.action === asked.action)
  const sameKey = own.findLast((row) => row.idempotencyKey === asked.key && asked.nowMs - row.createdAtMs < rememberedFor)
  if (sameKey?.sent === asked.sent) return ok(sameKey)
  const sameOrder = own.find((row) => row.clientOrderId !== null && row.clientOrderId === asked.clientOrderId && row.sent !== asked.sent)
  if (sameKey !== undefined && asked.source !== 'payload.client_order_id')
    return fail(refuse(409, 'IDEMPOTENCY_KEY_CONFLICT', 'This idempotency key was used with a different payload', { intent_id: sameKey.id }))
  if (sameOrder !== undefined)
    return fail(refuse(409, 'DUPLICATE_CLIENT_ORDER_ID', 'This client_order_id was used with a different payload', { intent_id: sameOrder.id }))
  if (sameKey !== undefined)
    return fail(refuse(409, 'IDEMPOTENCY_KEY_CONFLICT', 'This idempotency key was used with a different payload', { intent_id: sameKey.id }))
  return ok(null)
}
