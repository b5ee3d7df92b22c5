import { createHmac } from 'node:crypto'

/**
 * Signs, verifies and reads deliveries of the exchange's webhooks. This folder uses only Node's own modules, so it can be copied into a receiver
 * unchanged.
 */

/** The names of the webhook headers in lower case, as Node returns them. */
export const deliveryHeaders = {
  event: 'x-svc-event',
  eventId: 'x-svc-event-id',
  timestamp: 'x-svc-timestamp',
  signature: 'x-svc-signature',
  userAgent: 'user-agent',
} as const

export const deliveryAgent = 'Svc-DEX-Webhook/1.0'
/** The prefix of a signature's digits. */
export const signatureVersion = 'v1='
/** The largest age of a delivery in seconds, as in the service's reference verifiers. */
export const defaultToleranceS = 300
/** The longest event id, in characters. */
export const longestEventId = 96

/** A request as received. `body`: the bytes before any parsing. A repeated header is a list. */
export interface Delivery {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly body: Uint8Array
}

export interface DeliveredEvent {
  /** The event's id, of at most 96 characters. It is the same in every attempt. */
  readonly id: string
  readonly type: string
  /** The event's creation time in Unix seconds. */
  readonly createdAt: number
  /** For a correction: the id of the event that it revokes. */
  readonly revokedEventId: string | null
  readonly data: Readonly<Record<string, unknown>>
}

/** The value of a header; `null` if the header is missing or repeated. Ignores case, but first looks up the lower-case name, as Node writes it. */
export function headerOf({ headers }: Delivery, name: string): string | null {
  const direct = headers[name]
  if (typeof direct === 'string') return direct
  const values = Object.entries(headers).flatMap(([key, value]) => (key.toLowerCase() === name && value !== undefined ? value : []))
  return values.length === 1 ? (values[0] ?? null) : null
}

/** HMAC-SHA256 in lower-case hex over the timestamp, a period and the raw body. The key is the whole secret, including `svc_whsec_`. */
export const macOf = (secret: string, timestamp: string, body: Uint8Array): string =>
  createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex')

export interface ToSign {
  readonly id: string
  readonly type: string
  readonly body: Uint8Array
  readonly secret: string
  /** Unix seconds when this attempt was sent. */
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
