/** A verifier of deliveries for Node, as a module without other packages. */
export const verifierForNode = `import { createHmac, timingSafeEqual } from 'node:crypto'

const toleranceS = 300

/**
 * The event of a delivery. Throws where it is not to be trusted.
 * headers: as Node gives them. body: the raw bytes as a Buffer, before anything parsed them.
 * secret: the whole signing secret, svc_whsec_ included: process.env.SVC_WEBHOOK_SECRET.
 */
export function verifyDelivery(headers, body, secret, nowS = Math.floor(Date.now() / 1000)) {
  const timestamp = headers['x-svc-timestamp'] ?? ''
  if (!/^\\d{1,12}$/.test(timestamp)) throw new Error('no timestamp')
  // Svc asks to refuse old ones. One as far ahead is refused by this verifier's own rule.
  if (Math.abs(nowS - Number(timestamp)) > toleranceS) throw new Error('too old, or ahead of this clock')
  const [, given] = /^v1=([0-9a-f]{64})$/i.exec(headers['x-svc-signature'] ?? '') ?? []
  if (!secret || given === undefined) throw new Error('no signature')
  const right = createHmac('sha256', secret).update(timestamp).update('.').update(body).digest()
  // In constant time.
  if (!timingSafeEqual(Buffer.from(given, 'hex'), right)) throw new Error('wrong signature')
  const event = JSON.parse(body.toString('utf8'))
  // The headers with id and type are not signed: the body is.
  if (event.id !== headers['x-svc-event-id'] || event.type !== headers['x-svc-event']) throw new Error('headers are not those of this body')
  // The same event may come again: keep event.id where it is unique, answer 2xx to one that you have, and do nothing.
  // Events may come out of order: order them by event.created_at. One with revoked_event_id takes that event back.
  return event
}
`
