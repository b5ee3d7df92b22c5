import { createHmac } from 'node:crypto'

/**
 * Deliveries of the exchange's webhooks: signed, verified, read. This folder stands by itself, on Node's own modules
 * only, so that it can be taken into a receiver as it is.
 */

/** Names of the headers as Node gives them. */
export const deliveryHeaders = {
  event: 'x-svc-event',
  eventId: 'x-svc-event-id',
  timestamp: 'x-svc-timestamp',
  signature: 'x-svc-signature',
  userAgent: 'user-agent',
} as const

export const deliveryAgent = 'Svc-DEX-Webhook/1.0'
/** What stands before the digits of a signature. */
export const signatureVersion = 'v1='
/** How old a delivery may be, in seconds, as in the service's reference verifiers. */
export const defaultToleranceS = 300
/** Longest id of an event, in characters. */
export const longestEventId = 96

/** A request as it came: `body` are the bytes before anything parsed them. A header that came twice is a list. */
export interface Delivery {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly body: Uint8Array
}

/** What a delivery says. */
export interface DeliveredEvent {
  /** At most 96 characters, the same for every attempt. */
  readonly id: string
  readonly type: string
  /** Unix seconds. */
  readonly createdAt: number
  /** Of a correction: the event that it takes back. */
  readonly revokedEventId: string | null
  readonly data: Readonly<Record<string, unknown>>
}

/** The value of a header; null where it is missing or came more than once. Its name may be in any case; in small letters, as Node has it, it goes before others. */
export function headerOf({ headers }: Delivery, name: string): string | null {
  const direct = headers[name]
  if (typeof direct === 'string') return direct
  const values = Object.entries(headers).flatMap(([key, value]) => (key.toLowerCase() === name && value !== undefined ? value : []))
  return values.length === 1 ? (values[0] ?? null) : null
}

/** HMAC-SHA256, in small hexadecimal digits, over the timestamp, a period and the raw body, keyed with the whole secret, `svc_whsec_` included. */
export const macOf = (secret: string, timestamp: string, body: Uint8Array): string =>
  createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex')

export interface ToSign {
  readonly id: string
  readonly type: string
  readonly body: Uint8Array
  readonly secret: string
  /** Unix seconds of this attempt. */
  readonly timestampS: number
}

/** The headers that the service sends with a body. */
export function signedHeaders({ id, type, body, secret, timestampS }: ToSign): Readonly<Record<string, string>> {
  const timestamp = String(timestampS)
  return {
    'Content-Type': 'application/json',
    'User-Agent': deliveryAgent,
    'X-Svc-Event': type,
    'X-Svc-Event-ID': id,
    'X-Svc-Timestamp': timestamp,
    'X-Svc-Signature': `${signatureVersion}${macOf(secret, timestamp, body)}`,
  }
}
