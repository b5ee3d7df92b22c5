import { limits } from '../api/limits.ts'
import type { DeliveryIssue } from '../ipc/webhooks/inspection.ts'
import { second } from '../time.ts'
import type { EventName } from '../webhooks/events.ts'
import { catalogue } from './catalogue.ts'

/** Texts about attempts to deliver a webhook event, and about problems of a delivery (keyed by `DeliveryIssue`). */
export const deliveryWords = catalogue('delivery', {
  redirected: (status: string) => `${status}, redirects are not followed`,
  skipped: 'too many deliveries are waiting already',
  late: (seconds: number) => `no answer within ${seconds} s`,
  cut: 'the connection ended without an answer',
  cut_with_code: (code: string) => `the connection ended without an answer (${code})`,
  unreachable: 'cannot be reached',
  unreachable_with_code: (code: string) => `cannot be reached (${code})`,
  stopped: 'stopped',

  headers_missing: (names: string) => `missing or sent more than once: ${names}`,
  timestamp_unread: 'X-Svc-Timestamp is not a number of Unix seconds',
  age_unset: 'the time or the maximum age is not a number',
  too_old: (seconds: number, most: number) => `sent ${seconds} s ago, more than ${most} s`,
  ahead: (seconds: number, most: number) => `dated ${seconds} s ahead of this clock, more than ${most} s`,
  signature_form: 'X-Svc-Signature is not v1= and 64 hexadecimal digits',
  no_secret: 'there is no secret to check the signature with',
  other_signature: 'the signature does not match these bytes, this timestamp and this secret',
  not_json: 'the body is not JSON',
  no_object: 'the body is not an object',
  no_id: (most: number) => `id is not text of 1 to ${most} characters`,
  no_type: 'type is not text',
  no_time: 'created_at is not a whole number of Unix seconds',
  beyond_calendar: 'created_at is outside the calendar',
  no_data: 'data is not an object',
  no_revoked_id: 'revoked_event_id is not text',
  other_id: 'X-Svc-Event-ID differs from the id in the body',
  other_type: 'X-Svc-Event differs from the type in the body',
})

/** What each webhook event means, according to the API document. */
const when = {
  'order.accepted': 'An order was accepted on chain',
  'order.filled': 'An order was completely filled',
  'order.partially_filled': 'An order was partly filled',
  'order.cancelled': 'An order was cancelled',
  'position.changed': 'A position was opened, increased, reduced, closed or inverted',
  liquidation: 'A position was liquidated',
  'liquidation.warning': 'Reserved by the service',
  'funding.charged': 'Funding was paid',
  'funding.credited': 'Funding was received',
  'collateral.changed': 'A deposit or withdrawal changed collateral',
  'transaction.confirmed': 'A known transaction reached finality',
  'transaction.reverted': 'A known transaction was reverted',
  'transaction.pending': 'A reorganisation took back what was reported',
  'chain.reorg': 'A chain reorganisation changed already reported data',
} satisfies Readonly<Record<EventName, string>>

export const eventWords = catalogue('events', {
  ...when,
  orders: 'Orders',
  account: 'Positions and collateral',
  chain: 'Transactions and the chain',
  neverSent: 'never sent',
  onlyCorrection: 'only as a correction',
  knownTransactions: 'transaction.* events only come for transactions whose hash the service knows: relayed, delegated, or reported to it.',
})

/** The outcome of one delivery attempt, without the content of the response body. */
export interface Outcome {
  readonly outcome: 'answered' | 'redirected' | 'late' | 'cut' | 'unreachable' | 'stopped' | 'skipped' | 'as_stored'
  readonly status?: number | null
  readonly code?: string
}

export function outcomeText({ outcome, status = null, code = '' }: Outcome): string {
  switch (outcome) {
    case 'answered':
      return String(status)
    case 'redirected':
      return deliveryWords.redirected(String(status))
    case 'skipped':
      return deliveryWords.skipped
    case 'late':
      return deliveryWords.late(limits.webhookDelivery.answerMs / second)
    case 'cut':
      return code === '' ? deliveryWords.cut : deliveryWords.cut_with_code(code)
    case 'unreachable':
      return code === '' ? deliveryWords.unreachable : deliveryWords.unreachable_with_code(code)
    case 'stopped':
    case 'as_stored':
      return deliveryWords.stopped
  }
}

export function deliveryIssueText(issue: DeliveryIssue): string {
  switch (issue.code) {
    case 'headers_missing':
      return deliveryWords.headers_missing(issue.names.join(', '))
    case 'too_old':
    case 'ahead':
      return deliveryWords[issue.code](issue.byS, issue.toleranceS)
    case 'no_id':
      return deliveryWords.no_id(limits.webhookEventIdLength)
    default:
      return deliveryWords[issue.code]
  }
}
