import type { Output } from '../../../shared/ipc/contract.ts'
import { second } from '../../../shared/time.ts'
import { deliveryHeaders } from '../verifier/delivery.ts'
import { readEvent } from '../verifier/verify.ts'
import { rewrittenJson } from './rewritten-json.ts'

type Inspected = Extract<Output<'webhooks.inspect'>, { kind: 'read' }>

const order: readonly string[] = [
  deliveryHeaders.event,
  deliveryHeaders.eventId,
  deliveryHeaders.timestamp,
  deliveryHeaders.signature,
  deliveryHeaders.userAgent,
]
const rank = (name: string) => (order.indexOf(name.toLowerCase()) + order.length + 1) % (order.length + 1)

/** Headers with those of the service before others. */
export const serviceFirst = <H extends { readonly name: string }>(headers: readonly H[]): H[] =>
  headers.toSorted((one, other) => rank(one.name) - rank(other.name))

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
export const textOf = (bytes: Uint8Array): string => decoder.decode(bytes)

/** What a body says, for people; null: nothing that can be read. */
export function eventOf(bytes: Uint8Array): Inspected['event'] {
  const event = readEvent(bytes)
  if ('step' in event) return null
  const { id, type, createdAt, revokedEventId } = event
  return { id, type, createdAtMs: createdAt * second, revokedEventId, whole: rewrittenJson(textOf(bytes), 2) }
}
