import type { DelegatedActionName } from '../api/actions.ts'
import type { Payload, PreparedBody } from '../ticket/actions/action-payload.ts'
import type { DelegatedBody } from '../ticket/delegated/delegated-payload.ts'
import { type AssumedBody, type AssumedRequest, assumedFields, isAssumedRequest } from './assumed-requests.ts'
import type { RequestNames } from './field-map-entries.ts'

/** The name that is sent for a field of a request. */
export function sentName(request: AssumedRequest, field: string, names: RequestNames): string {
  const own = Object.hasOwn(names, request) ? names[request] : undefined
  return own !== undefined && Object.hasOwn(own, field) ? (own[field] ?? field) : field
}

function renamed(request: string, payload: Payload, names: RequestNames): Payload {
  if (!isAssumedRequest(request) || !Object.hasOwn(names, request)) return payload
  return Object.fromEntries(Object.entries(payload).map(([field, value]) => [sentName(request, field, names), value]))
}

/** The body with the service's own names. The documented payload of `open_position` stays as it is. */
export const namedPrepared = (body: PreparedBody, names: RequestNames): PreparedBody => ({ ...body, payload: renamed(body.action, body.payload, names) })

type Item = { readonly action: DelegatedActionName; readonly payload: Payload }

const itemsOf = ({ action, payload }: DelegatedBody): readonly Item[] | null =>
  // What `delegatedBody` makes of a batch.
  action === 'batch' && Array.isArray(payload.actions) ? (payload.actions as readonly Item[]) : null

/** As `namedPrepared` for what an executor carries out: each item of a batch by the names of its own action. */
export function namedDelegated(body: DelegatedBody, names: RequestNames): DelegatedBody {
  const items = itemsOf(body)?.map((item) => ({
    [sentName('batch', 'action', names)]: item.action,
    [sentName('batch', 'payload', names)]: renamed(item.action, item.payload, names),
  }))
  return { ...body, payload: renamed(body.action, items === undefined ? body.payload : { ...body.payload, actions: items }, names) }
}

/** Any other body, as the JSON that is sent. */
export const namedBody = (request: AssumedBody, body: Readonly<Record<string, unknown>>, names: RequestNames): string =>
  JSON.stringify(renamed(request, body, names))

/** A risk preview: its own names around those of the action. */
export const namedPreview = (body: PreparedBody, names: RequestNames): string => namedBody('risk_preview', { ...namedPrepared(body, names) }, names)

/** A field that was sent under a name that the document does not show. */
export interface SentField {
  readonly request: AssumedRequest
  readonly field: string
  /** As it was sent. */
  readonly name: string
  /** From the body's root to what holds it, as sent. */
  readonly within: readonly string[]
}

function fieldsOf(request: string, payload: Readonly<Record<string, unknown>>, within: readonly string[], names: RequestNames): SentField[] {
  if (!isAssumedRequest(request)) return []
  return assumedFields[request].flatMap((field) => (Object.hasOwn(payload, field) ? [{ request, field, name: sentName(request, field, names), within }] : []))
}

export const sentByPrepare = ({ action, payload }: PreparedBody, names: RequestNames): readonly SentField[] => fieldsOf(action, payload, ['payload'], names)

export function sentByExecute(body: DelegatedBody, names: RequestNames): readonly SentField[] {
  const items = itemsOf(body)
  if (items === null) return fieldsOf(body.action, body.payload, ['payload'], names)
  const [list, action, inner] = (['actions', 'action', 'payload'] as const).map((field) => sentName('batch', field, names))
  if (list === undefined || action === undefined || inner === undefined) return []
  return [
    ...fieldsOf('batch', body.payload, ['payload'], names),
    ...items.flatMap((item, index) => {
      const within = ['payload', list, String(index)]
      return [...fieldsOf('batch', item, within, names), ...fieldsOf(item.action, item.payload, [...within, inner], names)]
    }),
  ]
}

export const sentByBody = (request: AssumedBody, body: Readonly<Record<string, unknown>>, names: RequestNames): readonly SentField[] =>
  fieldsOf(request, body, [], names)

export const sentByPreview = (body: PreparedBody, names: RequestNames): readonly SentField[] => [
  ...sentByBody('risk_preview', { ...body }, names),
  ...fieldsOf(body.action, body.payload, [sentName('risk_preview', 'payload', names)], names),
]
