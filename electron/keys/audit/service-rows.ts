import { createHash } from 'node:crypto'
import { redactText } from '../../../shared/api/redact.ts'
import type { AuditLog } from '../../../shared/api/schemas/keys/key-resources.ts'
import type { AuditKind, AuditRow } from '../../../shared/ipc/reads/audit.ts'
import type { AuditLogRow } from '../../store/journal/journal.ts'

export type AuditEntry = AuditLog['entries'][number]

/** What an event is about, by its name: the names are not shown, so the first word that fits decides. */
const kinds: readonly (readonly [RegExp, AuditKind])[] = [
  [/(^|[._\s-])(call|request)(s|ed)?$/i, 'call'],
  [/webhook|subscription/i, 'webhook'],
  [/rotat/i, 'key_rotated'],
  [/revok|delet|disabl/i, 'key_revoked'],
  [/expir/i, 'expiry_changed'],
  [/agent|grant/i, 'agent'],
  [/executor/i, 'executor'],
  [/payment/i, 'payment'],
  [/session|challenge|sign.?in|log.?in/i, 'sign_in'],
  [/creat|prepar|issu/i, 'key_created'],
]

export const kindOf = (event: string): AuditKind => kinds.find(([pattern]) => pattern.test(event))?.[1] ?? 'other'

/** The call, where it is one; else the event says it. */
const titleOf = ({ method, route }: AuditEntry): string => (route === null ? '' : [method, route].filter((part) => part !== null).join(' '))

const outcomeOf = ({ event, status }: AuditEntry): AuditRow['outcome'] => {
  if (status !== null) return status < 400 ? 'done' : 'failed'
  return /refus|fail|denied|reject/i.test(event) ? 'failed' : 'done'
}

/** An entry without an id of its own is known by everything that it says. */
const idOf = (entry: AuditEntry): string =>
  entry.id ??
  createHash('sha256')
    .update(JSON.stringify([entry.atMs, entry.event, entry.keyId, entry.requestId, entry.route, entry.status]))
    .digest('hex')
    .slice(0, 24)

/** The id under which an entry is kept. */
export const rowId = (entry: AuditEntry): string => `service:${idOf(entry)}`

const clean = (text: string | null): string | null => (text === null ? null : redactText(text))

/** One entry of the service's log as it is kept. `nowMs` stands where it names no time. */
export function serviceRow(entry: AuditEntry, origin: NonNullable<AuditRow['origin']>, nowMs: number): AuditLogRow {
  const { status, unknownFields } = entry
  return {
    id: rowId(entry),
    source: 'service',
    atMs: entry.atMs ?? nowMs,
    timed: entry.atMs !== null,
    kind: kindOf(entry.event),
    event: redactText(entry.event),
    title: redactText(titleOf(entry)),
    keyId: clean(entry.keyId),
    label: clean(entry.label),
    ip: clean(entry.ip),
    requestId: clean(entry.requestId),
    outcome: outcomeOf(entry),
    detail: clean([status === null ? null : `status ${status}`, unknownFields].filter((part) => part !== null).join(' ') || null),
    origin,
  }
}
