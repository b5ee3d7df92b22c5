import { timingSafeEqual } from 'node:crypto'
import { type DeliveredEvent, type Delivery, defaultToleranceS, deliveryHeaders, headerOf, longestEventId } from './delivery.ts'
import { macOf } from './sign.ts'

/** In this order: nothing of the body is read before its signature is known to be right. */
export const verificationSteps = ['headers', 'timestamp', 'age', 'signature form', 'signature', 'body', 'event id', 'event type'] as const
export type VerificationStep = (typeof verificationSteps)[number]

export interface Failed {
  readonly step: VerificationStep
  /** What is wrong, for people. Holds nothing of the secret and no signature that would be right. */
  readonly detail: string
}

export type Verdict = { readonly valid: true; readonly event: DeliveredEvent } | ({ readonly valid: false } & Failed)

export interface Against {
  /** The whole `signing_secret`, `svc_whsec_` included. */
  readonly secret: string
  /** This computer's time, Unix milliseconds. */
  readonly nowMs: number
  /** How old, or how far ahead, it may be, in seconds. Default 300; null takes any age, as of a delivery that was kept. */
  readonly toleranceS?: number | null
}

const failed = (step: VerificationStep, detail: string): Failed & { readonly valid: false } => ({ valid: false, step, detail })
const utf8 = new TextDecoder('utf-8', { fatal: true })
const form = /^v1=([0-9a-f]{64})$/i
const needed = [deliveryHeaders.event, deliveryHeaders.eventId, deliveryHeaders.timestamp, deliveryHeaders.signature] as const
const shown = { 'x-svc-event': 'X-Svc-Event', 'x-svc-event-id': 'X-Svc-Event-ID', 'x-svc-timestamp': 'X-Svc-Timestamp', 'x-svc-signature': 'X-Svc-Signature' }

function checkHeaders(delivery: Delivery): Failed | null {
  const missing = needed.filter((name) => headerOf(delivery, name) === null)
  return missing.length === 0 ? null : { step: 'headers', detail: `${missing.map((name) => shown[name]).join(', ')} not there, or more than once` }
}

function checkTimestamp(delivery: Delivery): Failed | null {
  const value = headerOf(delivery, deliveryHeaders.timestamp) ?? ''
  return /^\d{1,12}$/.test(value) ? null : { step: 'timestamp', detail: 'X-Svc-Timestamp is no number of Unix seconds' }
}

function checkAge(delivery: Delivery, { nowMs, toleranceS = defaultToleranceS }: Against): Failed | null {
  if (toleranceS === null) return null
  const ageS = Math.floor(nowMs / 1_000) - Number(headerOf(delivery, deliveryHeaders.timestamp))
  if (ageS > toleranceS) return { step: 'age', detail: `sent ${ageS} s ago, more than ${toleranceS} s` }
  if (-ageS > toleranceS) return { step: 'age', detail: `dated ${-ageS} s ahead of this clock, more than ${toleranceS} s` }
  return null
}

function checkSignatureForm(delivery: Delivery): Failed | null {
  return form.test(headerOf(delivery, deliveryHeaders.signature) ?? '')
    ? null
    : { step: 'signature form', detail: 'X-Svc-Signature is not v1= and 64 hexadecimal digits' }
}

/** In constant time: how much of it is right is never told by how long it takes. */
function checkSignature(delivery: Delivery, { secret }: Against): Failed | null {
  const given = Buffer.from(form.exec(headerOf(delivery, deliveryHeaders.signature) ?? '')?.[1] ?? '', 'hex')
  const right = macOf(secret, headerOf(delivery, deliveryHeaders.timestamp) ?? '', delivery.body)
  return given.length === right.length && timingSafeEqual(given, right)
    ? null
    : { step: 'signature', detail: 'the signature is not that of these bytes, this timestamp and this secret' }
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)

/** The event in a body, or what about the body is wrong. */
export function readEvent(body: Uint8Array): DeliveredEvent | Failed {
  const wrong = (detail: string): Failed => ({ step: 'body', detail })
  let value: unknown
  try {
    value = JSON.parse(utf8.decode(body))
  } catch {
    return wrong('the body is not JSON')
  }
  if (!isRecord(value)) return wrong('the body is not an object')
  const { id, type, created_at: createdAt, data, revoked_event_id: revoked = null } = value
  if (typeof id !== 'string' || id === '' || id.length > longestEventId) return wrong(`id is no text of 1 to ${longestEventId} characters`)
  if (typeof type !== 'string' || type === '') return wrong('type is no text')
  if (typeof createdAt !== 'number' || !Number.isSafeInteger(createdAt)) return wrong('created_at is no whole number of Unix seconds')
  if (!isRecord(data)) return wrong('data is not an object')
  if (revoked !== null && typeof revoked !== 'string') return wrong('revoked_event_id is no text')
  return { id, type, createdAt, data, revokedEventId: revoked }
}

function checkEvent(delivery: Delivery, event: DeliveredEvent): Failed[] {
  const [id, type] = [headerOf(delivery, deliveryHeaders.eventId), headerOf(delivery, deliveryHeaders.event)]
  return [
    ...(id === event.id ? [] : [{ step: 'event id', detail: 'X-Svc-Event-ID is not the id of the body' } as const]),
    ...(type === event.type ? [] : [{ step: 'event type', detail: 'X-Svc-Event is not the type of the body' } as const]),
  ]
}

/**
 * Whether the service sent this, just now, and what it says. Stops at the first step that fails.
 * Source: Events, Delivery rules 1 to 3.
 */
export function verifyDelivery(delivery: Delivery, against: Against): Verdict {
  const before =
    checkHeaders(delivery) ?? checkTimestamp(delivery) ?? checkAge(delivery, against) ?? checkSignatureForm(delivery) ?? checkSignature(delivery, against)
  if (before !== null) return failed(before.step, before.detail)
  const event = readEvent(delivery.body)
  if ('step' in event) return failed(event.step, event.detail)
  const [first] = checkEvent(delivery, event)
  return first === undefined ? { valid: true, event } : failed(first.step, first.detail)
}

export interface Checked {
  readonly step: VerificationStep
  /** `unknown`: what it needs is missing, or there is no secret to check it with. */
  readonly result: 'passed' | 'failed' | 'unknown'
  readonly detail: string | null
}

/** Every step by itself, for somebody who looks for what is wrong: an old delivery may still be signed rightly. */
export function inspectDelivery(delivery: Delivery, against: Omit<Against, 'secret'> & { readonly secret: string | null }): readonly Checked[] {
  const { secret } = against
  const whole = checkHeaders(delivery)
  const timestamp = headerOf(delivery, deliveryHeaders.timestamp) === null ? 'unknown' : checkTimestamp(delivery)
  const signatureForm = headerOf(delivery, deliveryHeaders.signature) === null ? 'unknown' : checkSignatureForm(delivery)
  const isSigned = timestamp === null && signatureForm === null
  const event = readEvent(delivery.body)
  const ofEvent = (step: VerificationStep, name: string) =>
    'step' in event || headerOf(delivery, name) === null ? 'unknown' : (checkEvent(delivery, event).find((one) => one.step === step) ?? null)
  const found: Readonly<Record<VerificationStep, Failed | 'unknown' | null>> = {
    headers: whole,
    timestamp,
    age: timestamp === null ? checkAge(delivery, { ...against, secret: '' }) : 'unknown',
    'signature form': signatureForm,
    signature: isSigned && secret !== null ? checkSignature(delivery, { ...against, secret }) : 'unknown',
    body: 'step' in event ? event : null,
    'event id': ofEvent('event id', deliveryHeaders.eventId),
    'event type': ofEvent('event type', deliveryHeaders.event),
  }
  return verificationSteps.map((step) => {
    const one = found[step]
    if (one === 'unknown') return { step, result: 'unknown', detail: null }
    return one === null ? { step, result: 'passed', detail: null } : { step, result: 'failed', detail: one.detail }
  })
}
