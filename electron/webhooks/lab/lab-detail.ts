import { limits } from '../../../shared/api/limits.ts'
import type { LabDetail, LabMark, LabRow } from '../../../shared/ipc/webhooks/receiver-lab.ts'
import { second } from '../../../shared/time.ts'
import { eventOf, serviceFirst, textOf } from '../subscriptions/inspect-pasted.ts'
import { type Delivery, deliveryHeaders, headerOf, longestEventId } from '../verifier/delivery.ts'
import { type Failed, verificationSteps } from '../verifier/verify.ts'
import type { Attempt, CapturedEvent, UnverifiedDelivery } from './captures.ts'
import { isTaken } from './forwarder.ts'

/** The webhook whose secret verified the delivery. */
export interface LabSigner {
  readonly id: string
  readonly url: string
}

/** Maximum bytes of a body that the window receives. It shows longer bodies in part. */
const shownBytes = 128 * 1_024

const names: Readonly<Record<string, string>> = {
  [deliveryHeaders.event]: 'X-Svc-Event',
  [deliveryHeaders.eventId]: 'X-Svc-Event-ID',
  [deliveryHeaders.timestamp]: 'X-Svc-Timestamp',
  [deliveryHeaders.signature]: 'X-Svc-Signature',
  [deliveryHeaders.userAgent]: 'User-Agent',
  'content-type': 'Content-Type',
}

const headersOf = ({ headers }: Delivery) =>
  Object.entries(headers).flatMap(([name, value]) =>
    (value === undefined ? [] : typeof value === 'string' ? [value] : value).map((one) => ({ name: names[name] ?? name, value: one })),
  )

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** Returns a curl command for bash that repeats the delivery with its original headers and signature. It needs no new signature. */
function curlOf(delivery: Delivery, url: string): string | null {
  const text = textOf(delivery.body)
  if (delivery.body.length > shownBytes || Buffer.compare(Buffer.from(text), delivery.body) !== 0 || text.includes('\0')) return null
  const headers = serviceFirst(headersOf(delivery)).map(({ name, value }) => `  -H ${quoted(`${name}: ${value}`)}`)
  return [`curl ${quoted(url)}`, ...headers, `  --data-raw ${quoted(text)}`].join(' \\\n')
}

/** Returns the result of each verification step. Contains no steps after the failed one, because the verifier stops there. */
function checksOf(failed: Failed | null): LabDetail['inspection']['checks'] {
  const end = failed === null ? verificationSteps.length : verificationSteps.indexOf(failed.step)
  const passed = verificationSteps.slice(0, end).map((step) => ({ step, result: 'passed' as const, issue: null }))
  return failed === null ? passed : [...passed, { step: failed.step, result: 'failed', issue: failed.issue }]
}

function inspectionOf(delivery: Delivery, atMs: number, failed: Failed | null, signer: LabSigner): LabDetail['inspection'] {
  const { body } = delivery
  const timestamp = headerOf(delivery, deliveryHeaders.timestamp) ?? ''
  const sentAtMs = /^\d{1,12}$/.test(timestamp) ? Number(timestamp) * second : null
  const text = textOf(body.subarray(0, shownBytes))
  const event = eventOf(body)
  const long = body.length > shownBytes
  return {
    kind: 'read',
    form: 'headers',
    found: [],
    index: 0,
    verdict: failed === null ? 'right' : 'wrong',
    checks: checksOf(failed),
    signer: failed === null ? signer : null,
    tried: 1,
    untried: null,
    body: { bytes: body.length, text: long ? `${text}\n…` : text, reading: 'pasted', reformatted: false },
    headers: serviceFirst(headersOf(delivery)),
    sentAtMs,
    ageMs: sentAtMs === null ? null : atMs - sentAtMs,
    event: event === null || !long ? event : { ...event, whole: null },
  }
}

const attemptOf = ({ number, by, atMs, same, answered, forwarded }: Attempt): LabDetail['attempts'][number] => ({
  number,
  by,
  atMs,
  same,
  answered: answered === null ? null : { status: answered.status, ms: answered.ms, sent: answered.sent },
  forwarded:
    forwarded === null
      ? null
      : {
          taken: isTaken(forwarded),
          outcome: forwarded.outcome,
          status: 'status' in forwarded ? forwarded.status : null,
          code: 'code' in forwarded ? forwarded.code : '',
          ms: forwarded.ms,
        },
})

export function eventDetail(event: CapturedEvent, signer: LabSigner, url: string): LabDetail {
  const row: LabRow = eventRow(event)
  const atMs = event.attempts[0]?.atMs ?? row.atMs
  return {
    row,
    inspection: inspectionOf(event.delivery, atMs, null, signer),
    attempts: event.attempts.map(attemptOf),
    curl: curlOf(event.delivery, url),
  }
}

export function refusedDetail(one: UnverifiedDelivery, number: number, signer: LabSigner, url: string): LabDetail {
  const { atMs, delivery, failed, answered } = one
  return {
    row: refusedRow(one, number),
    inspection: inspectionOf(delivery, atMs, failed, signer),
    attempts: [attemptOf({ number: 1, by: 'sender', atMs, same: true, answered, forwarded: null })],
    curl: curlOf(delivery, url),
  }
}

const isGood = (status: number): boolean => status >= 200 && status < 300

/**
 * Whether the attempt succeeded: the sender got a 2xx answer and, if the lab forwarded the delivery, the user's endpoint accepted it. `null` until
 * the answer is known.
 */
function wasTaken({ by, answered, forwarded }: Attempt): boolean | null {
  if (by === 'resend') return forwarded === null ? null : isTaken(forwarded)
  if (answered === null) return null
  return answered.sent && isGood(answered.status) && (forwarded === null || isTaken(forwarded))
}

const lengthOf = ({ answered, forwarded }: Attempt): number => Math.max(answered?.ms ?? 0, forwarded?.ms ?? 0)

/** The status with which the user's endpoint answered, otherwise the status that the lab sent. */
function statusOf({ answered, forwarded }: Attempt): number | null {
  if (forwarded !== null) return 'status' in forwarded ? forwarded.status : null
  return answered?.sent === true ? answered.status : null
}

function marksOf(attempts: readonly Attempt[]): LabMark[] {
  let before = false
  return attempts.map((attempt) => {
    const taken = wasTaken(attempt)
    const kind = taken === null ? 'waiting' : !taken ? 'failed' : before ? 'duplicate' : 'taken'
    before ||= taken === true
    return { kind, by: attempt.by, atMs: attempt.atMs, endMs: taken === null ? null : attempt.atMs + lengthOf(attempt) }
  })
}

function answerOf(attempts: readonly Attempt[]): LabRow['answer'] {
  const first = attempts.find((attempt) => wasTaken(attempt) === true)
  if (first !== undefined) return { kind: 'taken', status: statusOf(first) ?? 200, ms: first.forwarded?.ms ?? lengthOf(first), nth: first.number }
  if (attempts.some((attempt) => wasTaken(attempt) === null)) return { kind: 'waiting' }
  const last = attempts.at(-1)
  const tries = attempts.filter(({ by }) => by === 'sender').length
  return { kind: tries >= limits.webhookDelivery.attempts ? 'given_up' : 'failed', status: last === undefined ? null : statusOf(last) }
}

export function eventRow(event: CapturedEvent): LabRow {
  const { number, id, type, createdAt, attempts, attemptCount, revokes, revokedBy } = event
  return {
    kind: 'event',
    number,
    id,
    type,
    atMs: createdAt * second,
    marks: marksOf(attempts),
    attempts: attemptCount,
    revokes,
    revokedBy: [...revokedBy],
    failed: null,
    answer: answerOf(attempts),
  }
}

/** Shortens text that an unverified sender may have written. */
const claimed = (text: string | null): string | null => text?.slice(0, longestEventId) ?? null

export function refusedRow({ atMs, delivery, failed, answered }: UnverifiedDelivery, number: number): LabRow {
  return {
    kind: 'refused',
    number,
    id: claimed(headerOf(delivery, deliveryHeaders.eventId)),
    type: claimed(headerOf(delivery, deliveryHeaders.event)),
    atMs,
    marks: [{ kind: answered === null ? 'waiting' : 'refused', by: 'sender', atMs, endMs: answered === null ? null : atMs + answered.ms }],
    attempts: 1,
    revokes: null,
    revokedBy: [],
    failed: failed.step,
    answer: answered === null ? { kind: 'waiting' } : { kind: 'refused', status: answered.sent ? answered.status : null },
  }
}
