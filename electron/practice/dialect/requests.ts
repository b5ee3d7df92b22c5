import type { Dialect } from './draw.ts'
import type { IdFamily } from './ids.ts'
import { readId, writeId } from './ids.ts'
import { NumberText } from './json.ts'
import { routeName } from './resources.ts'
import type { Options } from './seeded.ts'
import { isRow, type Row } from './write-record.ts'

/** Request fields that the API document does not show, each with possible names from other exchanges. No name is used for two fields. */
export const otherNames: Readonly<Record<string, Options<string>>> = {
  order_id: ['id', 'orderId', 'oid', 'order'],
  position_id: ['positionId', 'pos_id', 'position', 'pid'],
  size: ['qty', 'quantity', 'close_size', 'sz'],
  amount: ['value', 'sum', 'token_amount'],
  amount_usdc: ['margin', 'margin_usdc', 'margin_amount'],
  token: ['asset', 'currency', 'coin'],
  take_profit: ['tp', 'tp_price', 'take_profit_price'],
  stop_loss: ['sl', 'sl_price', 'stop_loss_price'],
  margin_delta_usdc: ['margin_delta', 'delta_usdc', 'margin_change'],
  expires_in_days: ['days', 'validity_days', 'expiry_days'],
  executor: ['executor_id', 'executor_address', 'name'],
}
const mostRenamed = 3

const idFamilies: Readonly<Record<string, IdFamily>> = { order_id: 'order', position_id: 'position' }

/** The actions whose payload the API document shows: `open_position`, and the actions with the same payload. */
const documentedActions: readonly unknown[] = ['open_position', 'open_market', 'create_limit', 'create_stop']

/** The failure of a request whose field name does not belong to the dialect. `field` is the name that the client must send instead. */
export interface UnknownName {
  readonly status: 400 | 422
  readonly field: string
}

export interface RequestReader {
  /** Maps the exchange's own name of a request field to the dialect's name, for the fields whose names differ. At most three differ. */
  readonly renamed: Readonly<Record<string, string>>
  /**
   * Converts a request body from the dialect’s names to the exchange’s own. If a required field is missing, fails with the name that the client must
   * send.
   */
  read(route: string, body: Row): { readonly ok: true; readonly body: Row } | { readonly ok: false; readonly failure: UnknownName }
  /** Converts a path parameter to the exchange's own form. */
  parameter(name: string, value: string): string
  /** Converts a payload to the dialect's names and ids. */
  writePayload(action: unknown, payload: unknown): unknown
  /** Converts the path of a refused field to the dialect's names, so that the client recognises the field. */
  fieldName(path: string): string
  readonly refusedWith: 400 | 422
}

export function createRequestReader(dialect: Dialect): RequestReader {
  const { draw, ids } = dialect
  const count = draw.below('requests:count', mostRenamed + 1)
  const chosen = draw.shuffled('requests:which', Object.keys(otherNames)).slice(0, count)
  const renamed = Object.fromEntries(chosen.map((name) => [name, draw.pick(`requests:${name}`, otherNames[name] ?? [name])]))
  const owns = new Map(Object.entries(renamed).map(([own, their]) => [their, own]))
  const refusedWith = draw.pick<400 | 422>('requests:status', [400, 422])

  const fieldsOf = (fields: Row, at: string): { readonly ok: true; readonly body: Row } | { readonly ok: false; readonly failure: UnknownName } => {
    const theirs = Object.entries(renamed)
    const stale = theirs.find(([own]) => own in fields)
    if (stale !== undefined) return { ok: false, failure: { status: refusedWith, field: `${at}${stale[1]}` } }
    const read: Record<string, unknown> = {}
    for (const [name, value] of Object.entries(fields)) {
      const own = owns.get(name) ?? name
      const family = idFamilies[own]
      const known = family === undefined ? null : readId(family, ids[family], value)
      read[own] = known ?? (value instanceof NumberText ? value.text : value)
    }
    return { ok: true, body: read }
  }

  const payloadOf = (action: unknown, payload: unknown, at: string): ReturnType<typeof fieldsOf> => {
    if (!isRow(payload) || documentedActions.includes(action)) return { ok: true, body: isRow(payload) ? payload : {} }
    if (action !== 'batch') return fieldsOf(payload, at)
    const actions = Array.isArray(payload.actions) ? payload.actions : []
    const items: unknown[] = []
    for (const [index, item] of actions.entries()) {
      const inner = isRow(item) ? payloadOf(item.action, item.payload, `${at}actions.${index}.payload.`) : null
      if (inner !== null && !inner.ok) return inner
      items.push(isRow(item) && inner?.ok === true && isRow(item.payload) ? { ...item, payload: inner.body } : item)
    }
    return { ok: true, body: { ...payload, ...('actions' in payload && { actions: items }) } }
  }

  const writePayload: RequestReader['writePayload'] = (action, payload) => {
    if (!isRow(payload) || documentedActions.includes(action)) return payload
    if (action === 'batch' && Array.isArray(payload.actions))
      return {
        ...payload,
        actions: payload.actions.map((item: unknown) => (isRow(item) ? { ...item, payload: writePayload(item.action, item.payload) } : item)),
      }
    return Object.fromEntries(
      Object.entries(payload).map(([name, value]) => {
        const family = idFamilies[name]
        return [renamed[name] ?? name, family === undefined || typeof value !== 'string' ? value : writeId(family, ids[family], value)]
      }),
    )
  }

  return {
    renamed,
    refusedWith,
    read: (route, body) => {
      switch (routeName(route)) {
        case 'POST /orders/prepare':
        case 'POST /orders/execute':
        case 'POST /risk/preview': {
          if (!isRow(body.payload)) return { ok: true, body }
          const payload = payloadOf(body.action, body.payload, 'payload.')
          return payload.ok ? { ok: true, body: { ...body, payload: payload.body } } : payload
        }
        case 'PUT /developer/keys/{key_id}/expiry':
        case 'PUT /developer/keys/{key_id}/executor':
          return fieldsOf(body, '')
        default:
          return { ok: true, body }
      }
    },
    parameter: (name, value) => (name === 'key_id' ? (readId('key', ids.key, value) ?? value) : value),
    writePayload,
    fieldName: (path) =>
      path
        .split('.')
        .map((part) => renamed[part] ?? part)
        .join('.'),
  }
}
