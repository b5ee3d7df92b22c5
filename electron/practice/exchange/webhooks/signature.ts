import { createHmac } from 'node:crypto'

/**
 * `X-Svc-Signature` (Delivery rules 3): `v1=` and the hex HMAC-SHA256 over the timestamp, a period and the raw body, keyed with the full signing secret.
 * @param timestamp Unix seconds of this attempt, as `X-Svc-Timestamp` says it
 */
export const signatureOf = (signingSecret: string, timestamp: string, body: Buffer): string =>
  `v1=${createHmac('sha256', signingSecret).update(`${timestamp}.`).update(body).digest('hex')}`
