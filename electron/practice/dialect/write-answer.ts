import type { Dialect } from './draw.ts'
import { spelled } from './forms.ts'
import { asJson, type Json, type JsonObject } from './json.ts'
import type { RequestReader } from './requests.ts'
import { type AnswerShape, preparedParts, routeName, shapeOf } from './resources.ts'
import { containers } from './thesaurus.ts'
import { isRow, type RecordWriter, type Row } from './write-record.ts'

/** The objects and fields that enclose the data in a response. */
export interface Envelope {
  readonly path: readonly string[]
  /** Top-level fields that report success. */
  readonly success: JsonObject
  readonly siblings: readonly Sibling[]
}

export type Sibling = 'meta' | 'request_id' | 'server_time' | 'took'

const noSuccess: JsonObject = {}

export function envelopeOf({ draw, style }: Dialect, { name, as, isBesideNeeded, isBare }: AnswerShape): Envelope {
  if (isBare) return { path: [], success: noSuccess, siblings: [] }
  // A page keeps the container name that the API document defines for its list. For any other response, the dialect chooses the container name.
  const resource = as === 'page' ? name : spelled(draw.pick(`container:${name}`, containers[name] ?? [name.replaceAll('_', ' ')]).split(' '), style)
  const bare: readonly string[] = as === 'page' ? [name] : []
  // A response that is only a list cannot contain the fields in `beside`. If a client needs these fields, the response must be an object.
  const canBeBare = as === 'page' || !(as === 'list' && isBesideNeeded)
  const paths: readonly (readonly string[])[] = [
    ...(canBeBare ? [bare] : []),
    [resource],
    ...(as === 'page' ? [] : [['data'], ['result'], ['response'], ['payload']]),
    ['data', resource],
    ['result', resource],
    ['response', resource],
    ['payload', resource],
    ['response', 'data', ...bare],
  ]
  const path = paths[draw.below(`envelope:${name}`, paths.length)] ?? [resource]
  const success = draw.pick<JsonObject>('success', [
    noSuccess,
    { success: true },
    { ok: true },
    { status: 'ok' },
    { code: 0, msg: 'success' },
    { retCode: 0, retMsg: 'OK' },
  ])
  const siblings = (['meta', 'request_id', 'server_time', 'took'] as const).filter((each) => draw.chance(`sibling:${each}`, 0.3))
  return path.length === 0 ? { path, success: noSuccess, siblings: [] } : { path, success, siblings }
}

export interface Moment {
  readonly requestId: string
  readonly nowMs: number
  readonly action: string | null
}

/** Converts the exchange's response to a route into the dialect. Leaves a response unchanged if the API document shows it. */
export type WriteAnswer = (route: string, body: Row, moment: Moment) => Json

export function createAnswerWriter(writer: RecordWriter, { writePayload }: Pick<RequestReader, 'writePayload'>): WriteAnswer {
  return (route, answered, moment) => {
    const body = withPayload.includes(routeName(route)) ? withPayloads(answered, writePayload, moment.action) : answered
    const name = routeName(route)
    if (name === 'POST /orders/prepare') return writePrepared(writer, body)
    const shape = shapeOf(route, body)
    return shape === null ? asJson(body) : enveloped(writer, shape, body, moment)
  }
}

const withPayload: readonly string[] = ['POST /orders/prepare', 'POST /orders/execute', 'GET /transactions', 'GET /orders/by-client-id']

/** Rewrites each order payload in a response, so that it uses the field names that this dialect uses for requests. */
function withPayloads(body: Row, write: RequestReader['writePayload'], outerAction: unknown): Row {
  const { action = outerAction } = body
  const inside = (value: unknown): unknown => (Array.isArray(value) ? value.map(inside) : isRow(value) ? withPayloads(value, write, action) : value)
  return Object.fromEntries(Object.entries(body).map(([name, value]) => [name, name === 'payload' ? write(action, value) : inside(value)]))
}

function enveloped(writer: RecordWriter, shape: AnswerShape, body: Row, { requestId, nowMs }: Moment): Json {
  const { dialect } = writer
  const { main, as, resource, beside } = shape
  const { path, success, siblings } = envelopeOf(dialect, shape)
  const content = main === null ? body : body[main]
  const value = written(writer, shape, content)
  const around = writer.record({ ...resource, name: `${resource.name} beside`, fields: beside, sizeWitnesses: [] }, body, 'nested')
  if (path.length === 0) return isRow(value) && as === 'record' ? { ...around, ...value } : value
  const told: Readonly<Record<Sibling, Json>> = { meta: { v: 1 }, request_id: requestId, server_time: nowMs, took: 3 }
  const outside = Object.fromEntries(siblings.map((each) => [spelled(each.split('_'), dialect.style), told[each]]))
  const held = path.slice(0, -1).reduceRight<JsonObject>((inner, name) => ({ [name]: inner }), { ...around, [path.at(-1) ?? '']: value })
  return { ...success, ...outside, ...held }
}

function written(writer: RecordWriter, { as, resource, name }: AnswerShape, content: unknown): Json {
  switch (as) {
    case 'record':
      return isRow(content) ? writer.record(resource, content, 'nested') : asJson(content)
    case 'list':
      return Array.isArray(content) ? writer.list(resource, content, `list:${name}`) : asJson(content)
    case 'page': {
      // The API document defines the names of a page's outer fields, and that `items` is a list.
      const page = isRow(content) ? content : {}
      const items = Array.isArray(page.items) ? page.items.filter(isRow) : []
      return { ...(asJson(page) as JsonObject), items: items.map((row) => writer.record(resource, row, 'nested')) }
    }
  }
}

/** Writes a prepared action. Only the contents of `simulation` and `costs` are in the dialect, because the API document defines everything else. */
function writePrepared(writer: RecordWriter, body: Row): Json {
  const { execution } = body
  if (!isRow(execution)) return asJson(body)
  const parts = Object.entries(preparedParts).flatMap(([name, resource]) => {
    const part = execution[name]
    return isRow(part) ? [[name, writer.record(resource, part, 'nested')] as const] : []
  })
  return { ...(asJson(body) as JsonObject), execution: { ...(asJson(execution) as JsonObject), ...Object.fromEntries(parts) } }
}
