import { limits } from '../../../shared/api/limits.ts'
import type { LabMark, LabRow } from '../../../shared/ipc/webhooks/receiver-lab.ts'
import { second } from '../../../shared/time.ts'
import { deliveryHeaders, headerOf, longestEventId } from '../verifier/delivery.ts'
import type { Attempt, CapturedEvent, UnverifiedDelivery } from './captured.ts'
import { isTaken } from './forwarder.ts'

const isGood = (status: number): boolean => status >= 200 && status < 300

/** Whether the sender would call it delivered, and the user's endpoint took it; null: not known yet. */
function wasTaken({ by, answered, forwarded }: Attempt): boolean | null {
  if (by === 'resend') return forwarded === null ? null : isTaken(forwarded)
  if (answered === null) return null
  return answered.sent && isGood(answered.status) && (forwarded === null || isTaken(forwarded))
}

const lengthOf = ({ answered, forwarded }: Attempt): number => Math.max(answered?.ms ?? 0, forwarded?.ms ?? 0)

/** What the endpoint said, else what the sender was told. */
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

/** What anybody may have written is kept short. */
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
