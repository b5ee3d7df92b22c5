import type { WebhookRow } from '../state/state.ts'
import type { LifecycleEvent } from '../stream/lifecycle.ts'
import type { Outcome } from './post-delivery.ts'

export interface AttemptRecord {
  /** The number of the attempt, from 1 to 4. */
  readonly attempt: number
  readonly at_ms: number
  /** The value of the `X-Svc-Timestamp` header that was sent. */
  readonly timestamp: string
  /** How long this attempt waited after the failure of the previous one, on the practice clock; 0 for the first attempt. */
  readonly waited_ms: number
  /** The status code of the response; null if there was no response. */
  readonly status: number | null
  readonly failure: string | null
  /** How long the attempt took, in real milliseconds. */
  readonly latency_ms: number
}

export interface DeliveryRecord {
  readonly event_id: string
  readonly type: string
  readonly webhook_id: string
  readonly url: string
  readonly revoked_event_id: string | null
  readonly body: string
  /** `given_up`: all four attempts failed. `dropped`: the event was never sent, or not sent again; `reason` says why. */
  state: 'pending' | 'delivered' | 'given_up' | 'dropped'
  reason: 'disabled' | 'queue_full' | 'fault' | null
  readonly attempts: AttemptRecord[]
}

const kept = 2_000

export interface DeliveryLog {
  begin(webhook: WebhookRow, event: LifecycleEvent): DeliveryRecord
  /** Returns all stored deliveries, oldest first. */
  all(): readonly DeliveryRecord[]
}

/** Records an attempt, and returns whether the attempt succeeded. Any status from 200 to 299 counts as success. */
export function noteAttempt(record: DeliveryRecord, outcome: Outcome, times: Pick<AttemptRecord, 'at_ms' | 'timestamp' | 'waited_ms'>): boolean {
  const { status, failure, latencyMs } = outcome
  record.attempts.push({ attempt: record.attempts.length + 1, ...times, status, failure, latency_ms: latencyMs })
  return status !== null && status >= 200 && status <= 299
}

export function createDeliveryLog(): DeliveryLog {
  let records: DeliveryRecord[] = []
  return {
    begin: (webhook, event) => {
      const { id, type, created_at, data, revoked_event_id } = event
      const body = JSON.stringify({ id, type, created_at, data, ...(revoked_event_id !== undefined && { revoked_event_id }) })
      const record: DeliveryRecord = {
        ...{ event_id: id, type, webhook_id: webhook.id, url: webhook.url, revoked_event_id: revoked_event_id ?? null, body },
        ...{ state: 'pending', reason: null, attempts: [] },
      }
      records.push(record)
      if (records.length > kept) records = records.slice(-kept)
      return record
    },
    all: () => records,
  }
}
