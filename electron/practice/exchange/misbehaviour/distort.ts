import type { Faults } from '../../base/faults.ts'
import type { Refusal } from '../http/reply.ts'

type Json = Readonly<Record<string, unknown>>

/** Writes an error body in one of the shapes that services use. The API document shows no error body. */
export function errorBody({ code, message, fields }: Refusal, requestId: string, shape: Faults['errorShape']): Json | string {
  switch (shape) {
    case 'nested':
      return { success: false, error: { code, message, ...fields }, request_id: requestId }
    case 'flat':
      return { code, message, ...fields, request_id: requestId }
    case 'string':
      return { error: code, detail: message, ...fields }
    case 'list':
      return { errors: [{ code, message, ...fields }] }
    case 'text':
      return `${code}: ${message}`
  }
}

/** Response fields that the API document calls optional, or that it does not name. */
const optional = new Set([
  'network',
  'developer',
  'label',
  'created_at',
  'last_used_at',
  'last_used_ip',
  'revoked_at',
  'disabled_at',
  'notice',
  'ip_allowlist',
  'quotas',
  'executor',
  'prefix',
  'limit',
  'active',
  'ip',
  'method',
  'base',
  'quote',
  'size_decimals',
  'index_price',
  'change_24h_pct',
  'volume_24h_usdc',
  'open_interest_long_usdc',
  'open_interest_short_usdc',
  'funding_rate_1h_pct',
  'next_funding_at',
  'updated_at_ms',
  'server_time',
  'block_number',
  'v',
  'health_factor',
  'liquidation_state',
  'liquidation_price',
  'margin_used_pct',
  'unrealised_pnl_usdc',
  'take_profit',
  'stop_loss',
  'reason',
  'simulation',
  'costs',
  'confirmations',
  'request_id',
  'field',
])

/** Never distort typed data, because the wallet must sign typed data exactly as received. Other faults alter it on purpose. */
const untouched = 'typed_data'

function throughObjects(value: unknown, change: (object: Json) => Json): unknown {
  if (Array.isArray(value)) return value.map((each) => throughObjects(each, change))
  if (typeof value !== 'object' || value === null) return value
  const inner = Object.entries(value).map(([name, each]) => [name, name === untouched ? each : throughObjects(each, change)] as const)
  return change(Object.fromEntries(inner))
}

/** Fields that a fault adds: a text, an object, and a text with a character that reverses the direction of the text after it. */
export const unlisted = { svc_unlisted: 'practice', svc_unlisted_detail: { level: 1 }, svc_unlisted_note: 'by\u202Ehand' }

/** Adds unknown fields to every object in a response and omits optional ones, according to the faults. */
export function distort(body: Json, { extraFields, omitOptional }: Pick<Faults, 'extraFields' | 'omitOptional'>): unknown {
  const fuller = extraFields ? throughObjects(body, (object) => ({ ...object, ...unlisted })) : body
  return omitOptional ? throughObjects(fuller, (object) => Object.fromEntries(Object.entries(object).filter(([name]) => !optional.has(name)))) : fuller
}

/** Swaps types: numbers become text, text becomes numbers, and lists become objects. */
export function wrongTypes(value: unknown): unknown {
  if (Array.isArray(value)) return { 0: value.map(wrongTypes) }
  if (typeof value === 'object' && value !== null) return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, wrongTypes(each)]))
  if (typeof value === 'string') return value.length
  return typeof value === 'number' ? `about ${value}` : 'unknown'
}
