import { createHmac } from 'node:crypto'
import { deliveryAgent, signatureVersion } from './delivery.ts'

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
