/** A verifier of deliveries for Node, as a module without other packages. */
export const verifierForNode = `import { createHmac, timingSafeEqual } from 'node:crypto'

const toleranceS = 300
// The end of the year 9999.
const latestS = 253402300799
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const isText = (value, longest = Infinity) => typeof value === 'string' && value !== '' && value.length <= longest
const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)

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
  const [, given] = /^v1=([0-9a-fA-F]{64})$/.exec(headers['x-svc-signature'] ?? '') ?? []
  if (!secret || given === undefined) throw new Error('no signature')
  const right = createHmac('sha256', secret).update(timestamp).update('.').update(body).digest()
  // In constant time.
  if (!timingSafeEqual(Buffer.from(given, 'hex'), right)) throw new Error('wrong signature')
  const event = JSON.parse(utf8.decode(body))
  if (!isObject(event) || !isText(event.id, 96) || !isText(event.type)) throw new Error('no event')
  const isTime = Number.isInteger(event.created_at) && event.created_at >= 0 && event.created_at <= latestS
  if (!isTime || !isObject(event.data)) throw new Error('no created_at or no data')
  if (event.revoked_event_id != null && typeof event.revoked_event_id !== 'string') throw new Error('revoked_event_id is no text')
  // The headers with id and type are not signed: the body is.
  if (event.id !== headers['x-svc-event-id'] || event.type !== headers['x-svc-event']) throw new Error('headers are not those of this body')
  // The same event may come again: keep event.id where it is unique, answer 2xx to one that you have, and do nothing.
  // Events may come out of order: order them by event.created_at. One with revoked_event_id takes that event back.
  return event
}
`
