import { timingSafeEqual } from 'node:crypto'
import type { DeliveryIssue } from '../../../shared/ipc/webhooks/inspection.ts'
import { type DeliveredEvent, type Delivery, defaultToleranceS, deliveryHeaders, headerOf, longestEventId, macOf, signatureVersion } from './delivery.ts'

/** The steps of the verification, in order. The body is parsed only after its signature was verified. */
export const verificationSteps = ['headers', 'timestamp', 'age', 'signature form', 'signature', 'body', 'event id', 'event type'] as const
export type VerificationStep = (typeof verificationSteps)[number]

export interface Failed {
  readonly step: VerificationStep
  readonly issue: DeliveryIssue
}

export type Verdict = { readonly valid: true; readonly event: DeliveredEvent } | ({ readonly valid: false } & Failed)

export interface Against {
  /** The whole `signing_secret`, including `svc_whsec_`. */
  readonly secret: string
  /** The present time of this computer, in Unix ms. */
  readonly nowMs: number
  /**
   * Maximum age in seconds (Delivery rule 3). By this app's own rule, a timestamp may also be at most this many seconds ahead of the clock: a
   * delivery from further ahead would stay valid for too long.
   * Default 300; `null` accepts any age, for stored deliveries.
   */
  readonly toleranceS?: number | null
}

// JSON must not begin with a byte order mark. By default, TextDecoder removes it; with `ignoreBOM`, the mark stays, and the JSON parser refuses the
// body as in other languages.
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const shown = { event: 'X-Svc-Event', eventId: 'X-Svc-Event-ID', timestamp: 'X-Svc-Timestamp', signature: 'X-Svc-Signature' } as const
type Name = keyof typeof shown
const names = Object.keys(shown) as Name[]
/** The header values; `null` for one that is missing or repeated. */
type Said = Readonly<Record<Name, string | null>>

const readHeaders = (delivery: Delivery): Said => ({
  event: headerOf(delivery, deliveryHeaders.event),
  eventId: headerOf(delivery, deliveryHeaders.eventId),
  timestamp: headerOf(delivery, deliveryHeaders.timestamp),
  signature: headerOf(delivery, deliveryHeaders.signature),
})

function checkHeaders(said: Said): Failed | null {
  if (said.event !== null && said.eventId !== null && said.timestamp !== null && said.signature !== null) return null
  const missing = names.filter((name) => said[name] === null)
  return { step: 'headers', issue: { code: 'headers_missing', names: missing.map((name) => shown[name]) } }
}

const isSeconds = /^\d{1,12}$/
const checkTimestamp = ({ timestamp }: Said): Failed | null =>
  isSeconds.test(timestamp ?? '') ? null : { step: 'timestamp', issue: { code: 'timestamp_unread' } }

function checkAge({ timestamp }: Said, { nowMs, toleranceS = defaultToleranceS }: Pick<Against, 'nowMs' | 'toleranceS'>): Failed | null {
  if (toleranceS === null) return null
  // Refuse invalid settings. Every comparison with NaN is false, so such a setting would accept any age.
  if (!Number.isFinite(nowMs) || !Number.isFinite(toleranceS)) return { step: 'age', issue: { code: 'age_unset' } }
  const ageS = Math.floor(nowMs / 1_000) - Number(timestamp)
  if (ageS > toleranceS) return { step: 'age', issue: { code: 'too_old', byS: ageS, toleranceS } }
  if (-ageS > toleranceS) return { step: 'age', issue: { code: 'ahead', byS: -ageS, toleranceS } }
  return null
}

const macDigits = 64
/** Matches any character that is no hex digit. Needed because Buffer's hex decoder accepts some other letters as digits. */
const noDigit = /[^0-9a-f]/i
const digitsOf = ({ signature }: Said): string => (signature?.startsWith(signatureVersion) ? signature.slice(signatureVersion.length) : '')

function checkSignatureForm(said: Said): Failed | null {
  const digits = digitsOf(said)
  return digits.length === macDigits && !noDigit.test(digits) ? null : { step: 'signature form', issue: { code: 'signature_form' } }
}

/** A buffer that is allocated once and reused, because an allocation takes longer than comparing two short texts. */
const [givenBytes, rightBytes] = [Buffer.alloc(macDigits), Buffer.alloc(macDigits)]

/**
 * Compares in constant time, so that timing doesn't reveal how many digits match. A text with a multi-byte letter is unequal, because its bytes don't
 * fit into the buffer.
 */
const isSame = (given: string, right: string): boolean =>
  given.length === macDigits && givenBytes.write(given) === macDigits && rightBytes.write(right) === macDigits && timingSafeEqual(givenBytes, rightBytes)

function checkSignature(said: Said, secret: string, body: Uint8Array): Failed | null {
  // Refuse an empty secret, because anyone can sign with an empty secret.
  if (secret === '') return { step: 'signature', issue: { code: 'no_secret' } }
  const [digits, right] = [digitsOf(said), macOf(secret, said.timestamp ?? '', body)]
  // Accept upper-case digits too, because hex digits may have either case.
  return isSame(digits, right) || isSame(digits.toLowerCase(), right) ? null : { step: 'signature', issue: { code: 'other_signature' } }
}

/** The latest time that the app can show as a date: the end of the year 9999, in Unix seconds. */
const latestS = 253_402_300_799

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)

const wrong = (code: 'not_json' | 'no_object' | 'no_id' | 'no_type' | 'no_time' | 'beyond_calendar' | 'no_data' | 'no_revoked_id'): Failed => ({
  step: 'body',
  issue: { code },
})

/** The event in a body, or the reason the body is invalid. */
export function readEvent(body: Uint8Array): DeliveredEvent | Failed {
  let value: unknown
  try {
    value = JSON.parse(utf8.decode(body))
  } catch {
    return wrong('not_json')
  }
  if (!isRecord(value)) return wrong('no_object')
  const { id, type, created_at: createdAt, data, revoked_event_id: revoked = null } = value
  if (typeof id !== 'string' || id === '' || id.length > longestEventId) return wrong('no_id')
  if (typeof type !== 'string' || type === '') return wrong('no_type')
  if (typeof createdAt !== 'number' || !Number.isSafeInteger(createdAt)) return wrong('no_time')
  // The app shows this time as a date, so it must be in the range of dates.
  if (createdAt < 0 || createdAt > latestS) return wrong('beyond_calendar')
  if (!isRecord(data)) return wrong('no_data')
  if (revoked !== null && typeof revoked !== 'string') return wrong('no_revoked_id')
  return { id, type, createdAt, data, revokedEventId: revoked }
}

const checkEventId = ({ eventId }: Said, event: DeliveredEvent): Failed | null =>
  eventId === event.id ? null : { step: 'event id', issue: { code: 'other_id' } }
const checkEventType = (said: Said, event: DeliveredEvent): Failed | null =>
  said.event === event.type ? null : { step: 'event type', issue: { code: 'other_type' } }

/**
 * Verifies that the service sent this delivery just now, and returns its event. Stops at the first failed step. Source: Events, Delivery rules 1 to
 * 3.
 */
export function verifyDelivery(delivery: Delivery, against: Against): Verdict {
  const said = readHeaders(delivery)
  const before = checkHeaders(said) ?? checkTimestamp(said) ?? checkAge(said, against)
  if (before !== null) return { valid: false, ...before }
  // Check the signature first. A correct signature also has a correct form. If the signature is wrong, its form only decides which error to report.
  const unsigned = checkSignature(said, against.secret, delivery.body)
  if (unsigned !== null) return { valid: false, ...(checkSignatureForm(said) ?? unsigned) }
  const event = readEvent(delivery.body)
  if ('step' in event) return { valid: false, ...event }
  const after = checkEventId(said, event) ?? checkEventType(said, event)
  return after === null ? { valid: true, event } : { valid: false, ...after }
}

export interface Checked {
  readonly step: VerificationStep
  /** `unknown`: the input is missing, or no secret is available to check it. */
  readonly result: 'passed' | 'failed' | 'unknown'
  readonly issue: DeliveryIssue | null
}

/** Whether the signature is correct, at any age; does not read the body. */
export function isSignedWith(delivery: Delivery, secret: string): boolean {
  const said = readHeaders(delivery)
  return checkTimestamp(said) === null && checkSignatureForm(said) === null && checkSignature(said, secret, delivery.body) === null
}

/**
 * Checks every step separately, even after one has failed, so that the user can find the fault. For example, a delivery may be too old but signed
 * correctly.
 */
export function inspectDelivery(delivery: Delivery, against: Omit<Against, 'secret'> & { readonly secret: string | null }): readonly Checked[] {
  const { secret } = against
  const said = readHeaders(delivery)
  const timestamp = said.timestamp === null ? 'unknown' : checkTimestamp(said)
  const signatureForm = said.signature === null ? 'unknown' : checkSignatureForm(said)
  const isSigned = timestamp === null && signatureForm === null
  const event = readEvent(delivery.body)
  const found: Readonly<Record<VerificationStep, Failed | 'unknown' | null>> = {
    headers: checkHeaders(said),
    timestamp,
    age: timestamp === null ? checkAge(said, against) : 'unknown',
    'signature form': signatureForm,
    signature: isSigned && secret !== null ? checkSignature(said, secret, delivery.body) : 'unknown',
    body: 'step' in event ? event : null,
    'event id': 'step' in event || said.eventId === null ? 'unknown' : checkEventId(said, event),
    'event type': 'step' in event || said.event === null ? 'unknown' : checkEventType(said, event),
  }
  return verificationSteps.map((step) => {
    const one = found[step]
    if (one === 'unknown') return { step, result: 'unknown', issue: null }
    return one === null ? { step, result: 'passed', issue: null } : { step, result: 'failed', issue: one.issue }
  })
}
