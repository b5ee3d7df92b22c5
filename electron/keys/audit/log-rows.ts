import { createHash } from 'node:crypto'
import { endpoints } from '../../../shared/api/endpoints/all-endpoints.ts'
import { redactText } from '../../../shared/api/redact.ts'
import type { AuditLog as ServiceLog } from '../../../shared/api/schemas/keys/key-resources.ts'
import { formatDecimal } from '../../../shared/decimal.ts'
import type { SecretOperation } from '../../../shared/ipc/reads/activity.ts'
import type { AuditKind, AuditRow } from '../../../shared/ipc/reads/audit.ts'
import { reasonText } from '../../../shared/text/reason-text.ts'
import { titleText } from '../../../shared/text/title-text.ts'
import { minute, second } from '../../../shared/time.ts'
import type { AuditLog, AuditLogRow, IntentRow, SecretOperationRow } from '../../store/journal/journal.ts'
import { isOfWebhook } from '../../store/journal/tables/states.ts'
import type { SecretUse } from '../../store/secrets/secret-store.ts'

/** An action of the app itself, stored in the audit log beside the entries of the service’s log. */
export interface AuditNote {
  readonly wallet: string
  /** The app's own event name, for example `secret.copied`. */
  readonly event: string
  /** The amount of a payment; empty for all other events. */
  readonly title: string
  readonly kind: AuditKind
  readonly keyId: string | null
  readonly label: string | null
  readonly outcome: AuditRow['outcome']
  readonly requestId: string | null
  /** A detail to show beside the action; null if there is none. It must not contain a secret. */
  readonly detail: string | null
}

type OperationKind = SecretOperation['kind']

interface OperationFacts {
  readonly kind: AuditKind
  /** The API route of the operation; null if the operation calls no route, such as the import of a key. */
  readonly route: string | null
}

const operationFacts: Readonly<Record<OperationKind, OperationFacts>> = {
  create: { kind: 'key_created', route: endpoints.createKey.route },
  rotate: { kind: 'key_rotated', route: endpoints.rotateKey.route },
  revoke: { kind: 'key_revoked', route: endpoints.revokeKey.route },
  expiry: { kind: 'expiry_changed', route: endpoints.setKeyExpiry.route },
  import: { kind: 'other', route: null },
  grant: { kind: 'agent', route: endpoints.storeAgentGrant.route },
  webhook_create: { kind: 'webhook', route: endpoints.createWebhook.route },
  webhook_disable: { kind: 'webhook', route: endpoints.deleteWebhook.route },
  executor: { kind: 'executor', route: endpoints.bindExecutor.route },
}

const operationOutcomes: Readonly<Record<SecretOperation['state'], NonNullable<AuditRow['outcome']>>> = {
  PLANNED: 'waiting',
  SENT: 'waiting',
  STORED: 'done',
  VERIFIED: 'done',
  SETTLED: 'done',
  FAILED: 'failed',
  UNKNOWN: 'unknown',
}

/** Maximum time (ms) from journalling an operation to sending its request. The app uses it to find that request in the service’s log. */
const sentWithinMs = minute

const row = (note: AuditNote, id: string, atMs: number): AuditLogRow => ({
  id: `app:${id}`,
  source: 'app',
  atMs,
  timed: true,
  kind: note.kind,
  event: redactText(note.event),
  title: redactText(note.title),
  keyId: note.keyId,
  label: note.label === null ? null : redactText(note.label),
  ip: null,
  requestId: note.requestId,
  outcome: note.outcome,
  detail: note.detail === null ? null : redactText(note.detail),
  origin: null,
})

export const noteRow = row

/** Converts an operation to a row of the log. `requestOf` finds the id that the service’s log gave to the operation’s request. */
export function operationRow(operation: SecretOperationRow, audit: Pick<AuditLog, 'requestOf'>): AuditLogRow {
  const { kind, route } = operationFacts[operation.kind]
  const requestId =
    route === null
      ? null
      : audit.requestOf(operation.profileId, {
          endpoint: route,
          pathPart: operation.kind === 'create' || operation.kind === 'webhook_create' ? '' : (operation.keyId ?? ''),
          fromMs: operation.atMs - second,
          toMs: Math.min(operation.updatedAtMs, operation.atMs + sentWithinMs) + second,
        })
  const { wallet, label, note } = operation
  const keyId = isOfWebhook(operation.kind) ? null : operation.keyId
  const event = `app.${operation.kind}`
  return row(
    { wallet, event, title: '', kind, keyId, label, outcome: operationOutcomes[operation.state], requestId, detail: note },
    `op:${operation.id}`,
    operation.atMs,
  )
}

const paymentOutcome = (state: IntentRow['state']): NonNullable<AuditRow['outcome']> => {
  switch (state) {
    case 'FINAL':
      return 'done'
    case 'REFUSED':
    case 'EXPIRED':
    case 'REVERTED':
    case 'CANCELLED':
      return 'failed'
    case 'UNKNOWN':
      return 'unknown'
    default:
      return 'waiting'
  }
}

/** Converts a payment to a row of the log. `key`: the key that the payment is for. */
export function paymentRow(intent: IntentRow, key: { readonly keyId: string; readonly label: string }, requestId: string | null): AuditLogRow {
  const { ref, wallet, title, state, reason, txHash, createdAtMs } = intent
  const paid = title.code === 'payment' ? `${formatDecimal(title.amountUsdc, { minDecimals: 2 })} USDC` : titleText(title)
  const detail = [state, txHash, reason === null ? null : reasonText(reason)].filter((part) => part !== null).join(' · ')
  return row(
    { wallet, event: 'app.payment', title: paid, kind: 'payment', ...key, outcome: paymentOutcome(state), requestId, detail },
    `payment:${ref}`,
    createdAtMs,
  )
}

export function noteOfUse({ use, of, keyId, label, to, by, outcome }: SecretUse, wallet: string): AuditNote {
  const detail = [to, by === 'terminal' ? 'by_terminal' : null, outcome === 'denied' ? 'denied' : null].filter((part) => part !== null).join(' · ')
  return {
    wallet,
    event: `secret.${use}`,
    title: '',
    kind: 'secret_used',
    keyId: of === 'webhook' ? null : keyId,
    label,
    outcome: outcome === 'denied' ? 'failed' : outcome,
    requestId: null,
    detail: detail === '' ? null : detail,
  }
}

export type AuditEntry = ServiceLog['entries'][number]

/** Patterns of event names, each with a kind of event. The first pattern that matches decides. The API document does not list the event names. */
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

const kindOf = (event: string): AuditKind => kinds.find(([pattern]) => pattern.test(event))?.[1] ?? 'other'

/** The entry’s title: the method and route of an API call. Empty for other entries, because their event name already describes them. */
const titleOf = ({ method, route }: AuditEntry): string => (route === null ? '' : [method, route].filter((part) => part !== null).join(' '))

const outcomeOf = ({ event, status }: AuditEntry): AuditRow['outcome'] => {
  if (status !== null) return status < 400 ? 'done' : 'failed'
  return /refus|fail|denied|reject/i.test(event) ? 'failed' : 'done'
}

/** The entry’s id. If the service sent none, a hash of the entry’s main fields instead. */
const idOf = (entry: AuditEntry): string =>
  entry.id ??
  createHash('sha256')
    .update(JSON.stringify([entry.atMs, entry.event, entry.keyId, entry.requestId, entry.route, entry.status]))
    .digest('hex')
    .slice(0, 24)

/** The id under which the app stores an entry of the service’s log. */
export const rowId = (entry: AuditEntry): string => `service:${idOf(entry)}`

const clean = (text: string | null): string | null => (text === null ? null : redactText(text))

/** Converts an entry of the service’s log to a row. `nowMs` becomes the row’s time if the entry contains no time. */
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
