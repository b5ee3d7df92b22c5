import type { ReceiverTestCheck } from '../../../shared/ipc/webhooks/receiver-test.ts'

export interface ReceiverReport {
  /** passed: no check failed. stopped: it was ended before all were tried, and none had failed. */
  readonly verdict: 'passed' | 'failed' | 'stopped'
  /** Without its query. */
  readonly url: string
  readonly secret: 'throwaway' | 'own'
  readonly startedAtMs: number
  readonly endedAtMs: number
  readonly checks: readonly ReceiverTestCheck[]
}
