import { limits } from '../api/limits.ts'
import type { DeliveryIssue } from '../ipc/webhooks/inspection.ts'
import { second } from '../time.ts'

/** What became of one attempt to deliver, without what the answer's body says. */
export interface Outcome {
  readonly outcome: 'answered' | 'redirected' | 'late' | 'cut' | 'unreachable' | 'stopped' | 'skipped' | 'as_stored'
  readonly status?: number | null
  readonly code?: string
}

export function outcomeText({ outcome, status = null, code = '' }: Outcome): string {
  const inCode = code === '' ? '' : ` (${code})`
  switch (outcome) {
    case 'answered':
      return String(status)
    case 'redirected':
      return `${status}, a redirect is not followed`
    case 'skipped':
      return 'too many wait already'
    case 'late':
      return `no answer within ${limits.webhookDelivery.answerMs / second} s`
    case 'cut':
      return `the connection ended without an answer${inCode}`
    case 'unreachable':
      return `cannot be reached${inCode}`
    case 'stopped':
    case 'as_stored':
      return 'stopped'
  }
}

/** What is wrong with a delivery. */
export function deliveryIssueText(issue: DeliveryIssue): string {
  switch (issue.code) {
    case 'headers_missing':
      return `${issue.names.join(', ')} not there, or more than once`
    case 'timestamp_unread':
      return 'X-Svc-Timestamp is no number of Unix seconds'
    case 'age_unset':
      return 'the time, or how old a delivery may be, is no number'
    case 'too_old':
      return `sent ${issue.byS} s ago, more than ${issue.toleranceS} s`
    case 'ahead':
      return `dated ${issue.byS} s ahead of this clock, more than ${issue.toleranceS} s`
    case 'signature_form':
      return 'X-Svc-Signature is not v1= and 64 hexadecimal digits'
    case 'no_secret':
      return 'there is no secret to check the signature with'
    case 'other_signature':
      return 'the signature is not that of these bytes, this timestamp and this secret'
    case 'not_json':
      return 'the body is not JSON'
    case 'no_object':
      return 'the body is not an object'
    case 'no_id':
      return `id is no text of 1 to ${limits.webhookEventIdLength} characters`
    case 'no_type':
      return 'type is no text'
    case 'no_time':
      return 'created_at is no whole number of Unix seconds'
    case 'beyond_calendar':
      return 'created_at is beyond the calendar'
    case 'no_data':
      return 'data is not an object'
    case 'no_revoked_id':
      return 'revoked_event_id is no text'
    case 'other_id':
      return 'X-Svc-Event-ID is not the id of the body'
    case 'other_type':
      return 'X-Svc-Event is not the type of the body'
  }
}
